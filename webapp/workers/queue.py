"""Whose thought comes next: by rank, then by who has been thought for least, then in order.

No clock and no lock in here: whoever uses it brings both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from math import exp
from typing import Generic, TypeVar

from webapp.errors import RequestError

MEMORY = 30.0  # seconds in which what a visitor has been given counts for less by a factor of e
FORGOTTEN = 0.01  # seconds of thought that no longer count


class Rank(IntEnum):
    """What a thought is for; the first waits for no other."""

    REPLY = 0
    PANEL = 1  # and hints
    STORY = 2
    WARMING = 3


T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Place(Generic[T]):
    """One place in the queue."""

    thing: T
    rank: Rank
    visitor: str
    number: int  # in the order of arrival


@dataclass(slots=True)
class FairQueue(Generic[T]):
    """What waits, and how much each visitor was given lately."""

    places: dict[int, Place[T]] = field(default_factory=dict)  # by the number of arrival
    given: dict[str, tuple[float, float]] = field(default_factory=dict)  # seconds, at what time
    arrivals: int = 0

    def __len__(self) -> int:
        return len(self.places)

    def add(self, thing: T, rank: Rank, visitor: str) -> Place[T]:
        """The last place of its rank and visitor."""
        place = Place(thing, rank, visitor, self.arrivals)
        self.places[self.arrivals] = place
        self.arrivals += 1
        return place

    def of(self, visitor: str) -> int:
        """How many places this visitor has."""
        return sum(place.visitor == visitor for place in self.places.values())

    def take(self, now: float, accepts: Callable[[Place[T]], bool]) -> Place[T] | None:
        """The next that is acceptable, taken out of the queue."""
        waiting = [place for place in self.places.values() if accepts(place)]
        if not waiting:
            return None
        used = {place.visitor: self.used(place.visitor, now) for place in waiting}
        place = min(waiting, key=lambda at: (at.rank, used[at.visitor], at.number))
        return self.places.pop(place.number)

    def last(self, above: Rank) -> Place[T] | None:
        """Of those that rank behind this one, who would come last: whom to send away first."""
        behind = [place for place in self.places.values() if place.rank > above]
        return max(behind, key=lambda place: (place.rank, place.number), default=None)

    def drop(self, place: Place[T]) -> None:
        del self.places[place.number]

    def spent(self, visitor: str, seconds: float, now: float) -> None:
        """Note that a visitor has been thought for; what is long past is forgotten."""
        self.given[visitor] = (self.used(visitor, now) + seconds, now)
        for gone in list(self._forgotten(now)):
            del self.given[gone]

    def used(self, visitor: str, now: float) -> float:
        """The seconds a visitor was given lately, the older the less."""
        seconds, at = self.given.get(visitor, (0.0, now))
        return seconds * exp((at - now) / MEMORY)

    def _forgotten(self, now: float) -> Iterator[str]:
        return (visitor for visitor in self.given if self.used(visitor, now) < FORGOTTEN)


class BusyError(RequestError):
    """More thoughts waiting than we are willing to queue."""

    status = 503

    def __init__(self, why: str, retry_after: int = 2) -> None:
        super().__init__(why)
        self.retry_after = retry_after
