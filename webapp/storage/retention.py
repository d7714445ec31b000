"""Old rows are removed in the background, a few at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from threading import Event, Thread
from time import monotonic, time

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError

log = logging.getLogger(__name__)

INTERVAL_S = 3600.0
BATCH = 50  # rows in one transaction
CLOSE_TIMEOUT_S = 5.0
PAUSE_S = 0.5  # between two batches, in which others can write
CHECK_S = 5.0  # between two looks at the clocks
JUMP_S = 600.0  # by which the time of day may differ from the time that passed
START_S = 120.0  # after the start, in which the system may still set its clock
DISTRUST_S = 24 * 3600.0  # after a jump, in which somebody may put the clock right


@dataclass(frozen=True, slots=True)
class Removal:
    """Rows that are not kept for ever."""

    what: str  # for the log
    remove: Callable[[int], int]  # so many at most; returns how many were
    why: str = ""  # for the log, where someone might miss them


class TrustedClock:
    """Tells whether the time of day can be believed: one that jumped is not, for a day.

    What expires by a clock that was put forward by mistake would be gone when it is put back.
    """

    def __init__(
        self, wall: Callable[[], float] = time, passed: Callable[[], float] = monotonic
    ) -> None:
        self._wall, self._passed = wall, passed
        self._first = self._offset = wall() - passed()
        self._until = passed() + START_S

    def is_right(self) -> bool:
        """Whether it has not jumped lately, or is back where it was at the start."""
        now, offset = self._passed(), self._wall() - self._passed()
        if abs(offset - self._offset) > JUMP_S:
            self._offset = offset
            is_back = abs(offset - self._first) <= JUMP_S
            self._until = now if is_back else now + DISTRUST_S
            if not is_back:
                hours = (offset - self._first) / 3600
                log.warning("the clock jumped by %.1f hours: nothing is removed for a day", hours)
        return now >= self._until


class Retention:
    """A thread that removes old rows once an hour, as long as the clock is right."""

    def __init__(self, *removals: Removal, clock: TrustedClock | None = None) -> None:
        self._removals = removals
        self._clock = clock or TrustedClock()
        self._ended = Event()
        self._thread = Thread(target=self._run, name="retention", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; its transaction is given time to finish with its connection."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_TIMEOUT_S)

    def remove_all(self, removal: Removal) -> int:
        """Remove batch after batch, and return how many rows were removed."""
        removed = 0
        while not self._ended.is_set():
            batch = removal.remove(BATCH)
            removed += batch
            if batch < BATCH:
                break
            self._ended.wait(PAUSE_S)
        return removed

    def _run(self) -> None:
        removed_at = -inf
        while not self._ended.is_set():
            if self._clock.is_right() and monotonic() - removed_at >= INTERVAL_S:
                removed_at = monotonic()
                self.remove()
            self._ended.wait(CHECK_S)

    def remove(self) -> None:
        """Remove everything that is due; what fails is logged, and tried again in an hour."""
        for removal in self._removals:
            try:
                if (removed := self.remove_all(removal)) and removal.why:
                    log.warning("%d %s were removed: %s", removed, removal.what, removal.why)
            except (SQLAlchemyError, ZermeloError) as error:
                log.warning("%s could not be removed now: %s", removal.what, error)
