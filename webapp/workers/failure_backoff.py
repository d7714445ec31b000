"""Which agents failed lately, as they were set: after some failures in a row one rests a while."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

FAILURES = 2  # in a row, after which an agent as it is set is given a rest
REST = 60.0  # seconds
REMEMBERED = 2048  # settings of agents

Setting = tuple[str, str]
T = TypeVar("T")


class Recent(OrderedDict[Setting, T]):
    """What is known of settings; visitors make them up, so only the last are remembered."""

    def __setitem__(self, setting: Setting, value: T) -> None:
        super().__setitem__(setting, value)
        self.move_to_end(setting)
        while len(self) > REMEMBERED:
            self.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """How often an agent failed in a row, and when last."""

    times: int = 0
    at: float = 0.0


class Troubles:
    """All of them. No clock in here: whoever asks brings the time."""

    def __init__(self) -> None:
        self._known: Recent[Trouble] = Recent()

    def __contains__(self, setting: Setting) -> bool:
        return setting in self._known

    def add(self, setting: Setting, now: float) -> None:
        self._known[setting] = Trouble(self._known.get(setting, Trouble()).times + 1, now)

    def forget(self, setting: Setting) -> None:
        self._known.pop(setting, None)

    def rests(self, setting: Setting, now: float) -> bool:
        """Whether it is not to be asked now; after its rest it may try once more."""
        trouble = self._known.get(setting)
        if trouble is None or trouble.times < FAILURES:
            return False
        if now - trouble.at < REST:
            return True
        self._known[setting] = Trouble(FAILURES - 1)
        return False
