"""Which agents failed lately: after repeated failures one is not asked again for a while."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

MAX_FAILURES = 2  # in a row, before an agent is left alone
BACKOFF_S = 60.0
MAX_KEYS = 2048

StatsKey = tuple[str, str]  # agent spec, game spec
T = TypeVar("T")


class RecentStats(OrderedDict[StatsKey, T]):
    """The last MAX_KEYS entries: visitors make the keys up."""

    def __setitem__(self, key: StatsKey, value: T) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > MAX_KEYS:
            self.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Failures:
    """How often an agent failed in a row, and when last."""

    count: int = 0
    at: float = 0.0


class FailureBackoff:
    """Counts failures in a row. The caller brings the time."""

    def __init__(self) -> None:
        self._failures: RecentStats[Failures] = RecentStats()

    def __contains__(self, key: StatsKey) -> bool:
        return key in self._failures

    def add(self, key: StatsKey, now: float) -> None:
        self._failures[key] = Failures(self._failures.get(key, Failures()).count + 1, now)

    def forget(self, key: StatsKey) -> None:
        self._failures.pop(key, None)

    def is_blocked(self, key: StatsKey, now: float) -> bool:
        """Whether it is not to be asked now; after BACKOFF_S it may try once more."""
        failures = self._failures.get(key)
        if failures is None or failures.count < MAX_FAILURES:
            return False
        if now - failures.at < BACKOFF_S:
            return True
        self._failures[key] = Failures(MAX_FAILURES - 1)
        return False
