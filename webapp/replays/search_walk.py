"""The walk through a recorded search: moments to go to, and the path that is open at one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from webapp.replays.query import SearchQuery, path_fields
from webapp.web.query import Pairs


@dataclass(frozen=True, slots=True)
class Crumb:
    """One move of the open path, linked to the path up to it."""

    text: str
    url: str
    window: str = ""  # α 0 β +∞, with which the position was searched


class SearchWalk(ABC):
    """A recorded search at the moment of a query."""

    query: Any  # a SearchQuery
    path: str  # of the match

    @property
    @abstractmethod
    def last(self) -> int:
        """The number of its last moment."""

    @property
    def moment(self) -> int:
        """The moment of the query; 0: before the search."""
        wanted: int | None = getattr(self.query, self.query.moment)
        return self.last if wanted is None else min(wanted, self.last)

    @property
    def steps(self) -> tuple[str | None, ...]:
        """Addresses of the first, previous, next and last moment; None where it is shown."""
        return tuple(map(self.step_url, (0, self.moment - 1, self.moment + 1, self.last)))

    def step_url(self, moment: int | None) -> str | None:
        """The address of a moment, with the path to it open; None if there is none to go to."""
        if moment is None or not 0 <= moment <= self.last or moment == self.moment:
            return None
        query: SearchQuery = self.query.following
        changes: dict[str, Any] = {query.moment: moment}
        return replace(query, **changes).address(self.path)

    @property
    def fields(self) -> Pairs:
        """Hidden fields of the slider's form, besides the moment."""
        return (*path_fields(self.path), *self.query.restarted.pairs())
