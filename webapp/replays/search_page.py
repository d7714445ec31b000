"""The page of a recorded search: the position above it, its forms, what it says without a tree."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from agents.formats import counted
from agents.search.trace import Algorithm
from agents.search.trace_view import TITLES
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.replays.models import Record
from webapp.replays.query import (
    MatchQuery,
    TreeQuery,
    UctQuery,
    ask_class_url,
    child_url,
    path_fields,
)
from webapp.replays.search_walk import Crumb
from webapp.replays.view import MatchView, PlayerKind
from webapp.web.forms import Choice
from webapp.web.navigation import keys_url
from webapp.web.query import Pairs
from webapp.workers.requests import ResultRequest

QueryT = TypeVar("QueryT", bound=TreeQuery | UctQuery)
PlanT = TypeVar("PlanT")
RecordingT = TypeVar("RecordingT")
Chooser = tuple[str, str, tuple[Choice, ...]]  # field, label, what there is to choose
ASK = "Ask the class"
GAME_OVER = "The game is over here: there is nothing left to search."


@dataclass(frozen=True)  # no slots: subclasses cache properties
class SearchPage(Generic[QueryT, PlanT, RecordingT]):
    """What `replays/_search.html` reads; a subclass is a kind of search, with its own template."""

    view: MatchView  # at the searched ply
    query: QueryT
    plan: PlanT
    recording: RecordingT | None  # None: pending, failed, or nothing to search
    pending: bool = False  # GET `url` again

    query_type: ClassVar[type[Any]]
    template: ClassVar[str]
    heading: ClassVar[str]
    searching: ClassVar[str]
    leap: ClassVar[str]  # what leads several moments on
    moment: ClassVar[str]  # what the slider counts
    offers: ClassVar[Any] = ()  # smaller searches for one that failed: label and address
    ask: ClassVar[Any] = ASK

    @staticmethod
    @abstractmethod
    def plan_for(record: Record, ply: int, query: Any) -> Any:
        """The search that a query wants of a position."""

    @staticmethod
    @abstractmethod
    def request_for(
        game: str, start: str | None, moves: tuple[str, ...], plan: Any
    ) -> ResultRequest[Any]:
        """What a worker runs to record it."""

    @property
    @abstractmethod
    def search(self) -> Any:
        """The search at the moment of the query; None if there is nothing to walk through."""

    @property
    @abstractmethod
    def chosen(self) -> Algorithm | None:
        """Which textbook search this is; None: UCT."""

    @property
    @abstractmethod
    def choosers(self) -> tuple[Chooser, ...]:
        """The settings of the search."""

    @property
    @abstractmethod
    def why_not(self) -> str:
        """Why a search that was recorded, or should have been, cannot be walked through."""

    @property
    def _path(self) -> str:
        return self.view.path

    @property
    def action(self) -> str:
        """Of its forms."""
        return child_url(self._path, self.query.child).partition("?")[0]

    @property
    def url(self) -> str:
        return self.query.address(self._path)

    @property
    def present_url(self) -> str:
        return replace(self.query, present=not self.query.present).address(self._path)

    @property
    def fields(self) -> Pairs:
        """Hidden fields of a node's form, besides `open`."""
        return (*path_fields(self._path), *self.query.following.pairs())

    @property
    def algorithms(self) -> tuple[tuple[str, str, bool], ...]:
        """The textbook searches of the position: title, address, chosen."""
        query: TreeQuery | UctQuery = self.query
        tree = query.restarted if isinstance(query, TreeQuery) else TreeQuery(**self._same_place)
        uct = UctQuery(**self._same_place)
        searches = tuple(
            (TITLES[name], replace(tree, algorithm=name).address(self._path), name is self.chosen)
            for name in reversed(Algorithm)
        )
        return (*searches, ("UCT", uct.address(self._path), self.chosen is None))

    @property
    def _same_place(self) -> dict[str, Any]:
        return {"ply": self.query.ply, "present": self.query.present}

    @property
    def failed(self) -> str:
        """Why there is no tree."""
        if self.view.state.outcome() is not None:
            return GAME_OVER
        return "" if self.pending or self.search is not None else self.why_not

    @property
    def crumbs(self) -> tuple[Crumb, ...]:
        return () if self.search is None else self.search.crumbs

    @property
    def rows(self) -> tuple[Any, ...]:
        return () if self.search is None else self.search.rows

    @property
    def ask_url(self) -> str:
        """Asks a class about the position."""
        view = self.view
        moves = map(str, view.match.moves[: view.ply])
        return ask_class_url(view.record.game, view.record.start, moves)

    @property
    def match_url(self) -> str:
        """The match at this ply."""
        return MatchQuery(ply=self.view.ply, present=self.query.present).url(self._path)

    @property
    def keys_url(self) -> str:
        """Dialog: the keyboard shortcuts."""
        return keys_url(MatchQuery(ply=self.view.ply).url(self._path))

    @property
    def back(self) -> str:
        place = self.view.record.place
        return f"Back to the {'match' if place is None else place.name}"

    @property
    def position(self) -> Board:
        view = self.view
        move = view.match.moves[view.ply - 1] if view.ply else None
        return picture_for(view.match.game, view.state, move)

    @property
    def status(self) -> str:
        """x to move after 4 moves."""
        mover = self.view.mover
        who = "" if mover is None else f"{mover.title}, {mover.mark}, to move"
        if mover is not None and mover.kind is PlayerKind.YOU:
            who = f"You are {mover.mark}, and to move"
        return f"{who}, after {counted(self.view.ply, 'move', 'moves')}".removeprefix(", ")
