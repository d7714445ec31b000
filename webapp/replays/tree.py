"""A recorded search as rows of small boards, each row the replies to the board framed above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.formats import counted
from agents.search.trace import Algorithm, Plan, Recording, moves_in
from agents.search.trace_view import (
    Spot,
    Tried,
    Unfolded,
    Window,
    cut_text,
    meaning,
    narrowing,
    value_text,
    window_text,
)
from engine.core import Game, Seat
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.replays.query import TreeQuery
from webapp.replays.search_walk import Crumb, SearchWalk
from webapp.web.forms import Choice

MAX_ROW_BOARDS = 12
MAX_ROW_SHAPES = 400  # SVG shapes in the boards of a row
NOT_YET = ("later", "not yet")
MAX_WAY_MOVES = 4  # named of the way to a position met before
MAX_PRESENTED_ROWS, MAX_PRESENTED_BOARDS = 2, 5  # that fit on a projector
MAX_ROWS = 7  # the breadcrumbs show the rest of a long path


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One board of a row: the position after a move and what the search found there."""

    path: str  # indices of children from the root: 0.4.2
    move: str
    board: Board
    state: str  # seen, now (under way), later, never
    glyph: str = ""
    meaning: str = ""  # win, draw, loss or open, for the first seat
    value: str = ""  # ≤ x wins in 3
    count: str = ""  # 26 looked at
    window: str = ""  # α −∞ β x in 3
    again: str = ""  # b2 a1: the moves by which the same position was met before
    framed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether one can look below it."""
        return self.state in ("seen", "now")

    @property
    def look(self) -> str:
        return self.state


@dataclass(frozen=True, slots=True)
class TreeRow:
    """The replies to the board framed in the row above."""

    title: str  # x to move
    wants: str  # wants the highest
    window: str  # α −∞ → x in 3, β +∞
    nodes: tuple[TreeNode, ...]
    more: str = ""  # and 31 more
    others: tuple[Choice, ...] = ()  # field `open`: those not drawn
    cut: str = ""  # With a2 o holds x to a draw here …
    note: str = ""  # why there are no children


@dataclass(frozen=True)  # no slots: cached properties
class OpenTree(SearchWalk):
    """A recorded search at the step and path of a query."""

    recording: Recording
    game: Game[Any, Any]
    root: Any
    plan: Plan
    query: TreeQuery
    path: str  # of the match

    @cached_property
    def last(self) -> int:
        """The number of the last node."""
        return len(self.recording.end) - 1

    @cached_property
    def tree(self) -> Unfolded:
        moves = moves_in(self.plan.order, self.game)
        prunes = self.plan.algorithm is Algorithm.ALPHABETA
        return Unfolded(self.recording, self.root, moves, self.moment, prunes)

    @cached_property
    def spots(self) -> list[Spot]:
        """The nodes of the open path: the query's, else to the current node, else the root."""
        if self.query.open is not None:
            return self.tree.spots(self.query.open)
        return self.tree.spots(
            self.tree.path_to(self.moment) if self.query.upto is not None else ()
        )

    @property
    def status(self) -> str:
        """120 of 1,053."""
        return f"{self.moment:,} of {self.last:,}"

    @property
    def announcement(self) -> str:
        return f"{self.moment} of {self.last} looked at."

    @property
    def leap(self) -> str | None:
        """The address of the moment at which the search cuts next."""
        return self.step_url(self.tree.next_cut())

    @cached_property
    def crumbs(self) -> tuple[Crumb, ...]:
        """Breadcrumbs of the open path."""
        return tuple(
            Crumb(
                self._move(above, below),
                self._opened(below.path),
                window_text(below.window) if self.tree.prunes else "",
            )
            for above, below in zip(self.spots, self.spots[1:], strict=False)
        )

    @cached_property
    def rows(self) -> tuple[TreeRow, ...]:
        """The last few rows: replies to the root, then to each node of the open path."""
        opened = [spot for spot in self.spots if self.tree.tried(spot)]
        first = max(0, len(opened) - (MAX_PRESENTED_ROWS if self.query.present else MAX_ROWS))
        rows = [self._row(at) for at in range(first, len(opened))]
        if self.query.present and rows and rows[-1].cut:  # one sentence is as much as fits
            rows = [*(replace(row, cut="") for row in rows[:-1]), rows[-1]]
        return tuple(rows)

    def _ending(self) -> str:
        """Why the last node of the path has no children."""
        spot = self.spots[-1]
        if spot.node == 0 or self.tree.tried(spot):
            return ""
        words = value_text(self.recording.value[spot.node], certain=self._certain(spot))
        if spot.state.outcome() is not None:
            return f"The game is over there: {words}."
        if self._certain(spot):
            return "There the match is drawn by repetition."
        return f"There the search ends, at its depth: {words} is what the position counts as it is."

    @property
    def answer(self) -> str:
        """The result of the search, once it is complete."""
        if self.moment < self.last:
            return ""
        value, root = self.recording.value[0], Spot(0, self.root)
        best = next(
            tried for tried in self.tree.tried(root) if tried.value == value and not tried.bound
        )
        words = value_text(value, certain=bool(self.recording.certain[0]))
        return f"Its answer: {best.move}, worth {words}."

    def _row(self, at: int) -> TreeRow:
        spot = self.spots[at]
        tried = self.tree.tried(spot)
        framed = self.spots[at + 1].path[-1] if at + 1 < len(self.spots) else None
        drawn = self._drawn(tried, framed)
        turns = {one.turn for one in drawn}
        others = [one for one in tried if one.turn not in turns]
        mark = spot.state.to_move.mark
        cut = self.tree.cut(self.spots[: at + 1])
        return TreeRow(
            title=f"{mark} {'to move' if at == 0 else 'answers' if at % 2 else 'goes on'}",
            wants="wants the highest" if spot.state.to_move is Seat.FIRST else "wants the lowest",
            window=self._narrowing(spot, tried) if self.tree.prunes else "",
            nodes=tuple(self._node(spot, one, framed=one.turn == framed) for one in drawn),
            more=f"and {counted(len(others), 'more', 'more')}" if others else "",
            others=tuple(self._choice(one) for one in others if one.spot is not None),
            cut="" if cut is None else cut_text(cut),
            note=self._ending() if at == len(self.spots) - 2 else "",
        )

    def _drawn(self, tried: Sequence[Tried], framed: int | None) -> Sequence[Tried]:
        """The children that fit in a row, the framed one among them."""
        shapes = max(1, picture_for(self.game, self.root).parts)
        most = min(MAX_ROW_BOARDS, max(3, MAX_ROW_SHAPES // shapes))
        most = min(most, MAX_PRESENTED_BOARDS) if self.query.present else most
        first = 0 if framed is None or framed < most else framed - most + 1
        return tried[first : first + most]

    def _node(self, parent: Spot, tried: Tried, *, framed: bool) -> TreeNode:
        path = ".".join(map(str, (*parent.path, tried.turn)))
        board = picture_for(self.game, tried.state, tried.move)
        if tried.spot is None:
            state, words = ("never", "not looked at") if self.tree.is_done(parent) else NOT_YET
            return TreeNode(path, str(tried.move), board, state, value=words)
        value = tried.value if tried.value is not None else self.tree.so_far(tried.spot)
        glyph, means, words = "", "", "under way"
        if value is not None:
            certain = tried.certain and tried.value is not None
            glyph, means = meaning(value, certain=certain)
            text = value_text(value, certain=certain)
            words = f"{tried.bound} {text}".strip() if tried.value is not None else f"{text} so far"
        return TreeNode(
            path=path,
            move=str(tried.move),
            board=board,
            state="seen" if tried.value is not None else "now",
            glyph=glyph,
            meaning=means,
            value=words,
            count=f"{tried.looked_at:,} looked at",
            window=window_text(tried.spot.window) if self.tree.prunes else "",
            again=self._again(tried.spot),
            framed=framed,
        )

    def _again(self, spot: Spot) -> str:
        way = list(map(str, self.tree.first_way(spot)))
        if self.recording.first[spot.node] == 0 != spot.node:
            return "the start"
        return " ".join(["…", *way[-MAX_WAY_MOVES:]] if len(way) > MAX_WAY_MOVES else way)

    def _choice(self, tried: Tried) -> Choice:
        assert tried.spot is not None
        words = ""
        if tried.value is not None:
            words = f": {tried.bound} {value_text(tried.value, certain=tried.certain)}"
        path = ".".join(map(str, tried.spot.path))
        return Choice(path, f"{tried.move}{words}", chosen=False)

    def _narrowing(self, spot: Spot, tried: Sequence[Tried]) -> str:
        window: Window = spot.window
        for one in tried:
            if one.value is not None:
                window = window.after(one.value, spot.state.to_move)
        return narrowing(spot.window, window)

    def _move(self, above: Spot, below: Spot) -> str:
        return str(self.tree.tried(above)[below.path[-1]].move)

    def _opened(self, path: tuple[int, ...]) -> str:
        return replace(self.query, open=path).address(self.path)

    def _certain(self, spot: Spot) -> bool:
        return bool(self.recording.certain[spot.node])
