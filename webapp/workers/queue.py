"""The queue of the worker pool: by rank, then by least recent use of a visitor, then by arrival.

Neither clock nor lock in here: the caller brings both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from math import exp
from typing import Generic, TypeVar

from webapp.errors import RequestError

DECAY_S = 30.0  # after which a visitor's use counts for 1/e
NEGLIGIBLE_S = 0.01  # of use, that no longer counts

T = TypeVar("T")


class BusyError(RequestError):
    """More requests than the queue takes, from one visitor or from all."""

    status = 503

    def __init__(self, why: str, retry_after: int = 2) -> None:
        super().__init__(why)
        self.retry_after = retry_after


class FailedRequestError(RequestError):
    """A request that failed in its worker, or was stopped there."""

    status = 503
    code = "failed"
    retry_after = 60


class Rank(IntEnum):
    """What a request is for; lower ones are served first."""

    REPLY = 0
    PANEL = 1  # and hints
    STORY = 2
    WARMING = 3


@dataclass(eq=False, slots=True)
class QueueEntry(Generic[T]):
    """An item in the queue."""

    item: T
    rank: Rank
    visitor: str
    number: int  # in the order of arrival
    worker: int | None = None  # the only one that may take it


@dataclass(slots=True)
class FairQueue(Generic[T]):
    """The items that wait, and how much time each visitor used lately."""

    entries: dict[int, QueueEntry[T]] = field(default_factory=dict)  # by number
    usage: dict[str, tuple[float, float]] = field(default_factory=dict)  # seconds, at what time
    arrivals: int = 0

    def __len__(self) -> int:
        return len(self.entries)

    def add(self, item: T, rank: Rank, visitor: str, worker: int | None = None) -> QueueEntry[T]:
        entry = QueueEntry(item, rank, visitor, self.arrivals, worker)
        self.entries[self.arrivals] = entry
        self.arrivals += 1
        return entry

    def count(self, visitor: str) -> int:
        """How many entries this visitor has."""
        return sum(entry.visitor == visitor for entry in self.entries.values())

    def take(self, now: float, accepts: Callable[[QueueEntry[T]], bool]) -> QueueEntry[T] | None:
        """Remove and return the next entry that is acceptable."""
        waiting = [entry for entry in self.entries.values() if accepts(entry)]
        if not waiting:
            return None
        used = {entry.visitor: self.used(entry.visitor, now) for entry in waiting}
        entry = min(waiting, key=lambda at: (at.rank, used[at.visitor], at.number))
        return self.entries.pop(entry.number)

    def last(self, above: Rank) -> QueueEntry[T] | None:
        """The entry to evict first for one of this rank, if any ranks behind it."""
        behind = [entry for entry in self.entries.values() if entry.rank > above]
        return max(behind, key=lambda entry: (entry.rank, entry.number), default=None)

    def drop(self, entry: QueueEntry[T]) -> None:
        del self.entries[entry.number]

    def spent(self, visitor: str, seconds: float, now: float) -> None:
        """Add to a visitor's use, and forget those whose use is negligible by now."""
        self.usage[visitor] = (self.used(visitor, now) + seconds, now)
        for gone in [name for name in self.usage if self.used(name, now) < NEGLIGIBLE_S]:
            del self.usage[gone]

    def used(self, visitor: str, now: float) -> float:
        """Seconds a visitor used lately, decayed exponentially."""
        seconds, at = self.usage.get(visitor, (0.0, now))
        return seconds * exp((at - now) / DECAY_S)
