"""A recording as rows of small boards: each holds the answers to the position framed above it."""

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
    cut_words,
    in_words,
    meaning,
    narrowing,
    window_words,
)
from engine.core import Game, Seat
from webapp.boards import picture_for
from webapp.boards.picture import Picture
from webapp.replays.query import place_fields
from webapp.replays.trees.query import TreeLook
from webapp.replays.trees.views import Crumb, TreeNode, TreeRow, Walk
from webapp.web.forms import Choice

MOST_DRAWN = 12  # boards in a row
MOST_PARTS = 400  # of which these boards are made: large ones are fewer
LATER = ("later", "not yet")
ROWS_PRESENTED = 2  # as many as a projector shows at once
MOST_ROWS = 7  # the rest of a long path is left to its crumbs


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Unfolding:
    """A recording as someone looks at it."""

    recording: Recording
    game: Game[Any, Any]
    root: Any
    plan: Plan
    look: TreeLook
    path: str  # of the match

    @cached_property
    def last(self) -> int:
        """The number of the last position looked at."""
        return len(self.recording.end) - 1

    @cached_property
    def position(self) -> Picture:
        """The root, drawn."""
        return picture_for(self.game, self.root)

    @cached_property
    def upto(self) -> int:
        return self.last if self.look.upto is None else min(self.look.upto, self.last)

    @cached_property
    def tree(self) -> Unfolded:
        moves = moves_in(self.plan.order, self.game)
        prunes = self.plan.algorithm is Algorithm.ALPHABETA
        return Unfolded(self.recording, self.root, moves, self.upto, prunes)

    @cached_property
    def spots(self) -> list[Spot]:
        """The open path: as the address says, else to where the search is or to its answer."""
        if self.look.open is not None:
            return self.tree.spots(self.look.open)
        return self.tree.spots(self.tree.path_to(self.upto) if self.look.upto is not None else ())

    def walk(self) -> Walk:
        """Step by step, each an address of its own; whoever steps follows the search."""
        following = self.look.following

        def at(upto: int | None) -> str | None:
            if upto is None or not 0 <= upto <= self.last or upto == self.upto:
                return None
            return replace(following, upto=upto).address(self.path)

        return Walk(
            upto=self.upto,
            last=self.last,
            first=at(0),
            previous=at(self.upto - 1),
            next=at(self.upto + 1),
            next_cut=at(self.tree.next_cut()),
            end=at(self.last),
            fields=(*place_fields(self.path), *self.look.anew.fields),
        )

    def crumbs(self) -> tuple[Crumb, ...]:
        """The moves of the open path."""
        return tuple(
            Crumb(self._move(above, below), self._opened(below.path))
            for above, below in zip(self.spots, self.spots[1:], strict=False)
        )

    def rows(self) -> tuple[TreeRow, ...]:
        """The answers to the root, then to each position of the open path; the last few."""
        opened = [spot for spot in self.spots if self.tree.tried(spot)]
        first = max(0, len(opened) - (ROWS_PRESENTED if self.look.present else MOST_ROWS))
        return tuple(self._row(at) for at in range(first, len(opened)))

    def ending(self) -> str:
        """Why nothing stands below the last position of the path."""
        spot = self.spots[-1]
        if spot.node == 0 or self.tree.tried(spot):
            return ""
        words = in_words(self.recording.value[spot.node], certain=self._certain(spot))
        if spot.state.outcome() is not None:
            return f"The game is over there: {words}."
        if self._certain(spot):
            return "There the match is drawn by repetition."
        return f"There the search ends, at its depth: {words} is what the position counts as it is."

    def answer(self) -> str:
        """What the search comes to, once it is over."""
        if self.upto < self.last:
            return ""
        value, root = self.recording.value[0], Spot(0, self.root)
        best = next(
            tried for tried in self.tree.tried(root) if tried.value == value and not tried.bound
        )
        words = in_words(value, certain=bool(self.recording.certain[0]))
        return f"Its answer: {best.move}, worth {words}."

    def _row(self, at: int) -> TreeRow:
        spot = self.spots[at]
        tried = self.tree.tried(spot)
        framed = self.spots[at + 1].path[-1] if at + 1 < len(self.spots) else None
        shown = self._shown(tried, framed)
        drawn = {one.turn for one in shown}
        others = [one for one in tried if one.turn not in drawn]
        mark = spot.state.to_move.mark
        cut = self.tree.cut(self.spots[: at + 1])
        return TreeRow(
            title=f"{mark} {'to move' if at == 0 else 'answers' if at % 2 else 'goes on'}",
            wants="wants the highest" if spot.state.to_move is Seat.FIRST else "wants the lowest",
            window=self._narrowing(spot, tried) if self.tree.prunes else "",
            nodes=tuple(self._node(spot, one, framed=one.turn == framed) for one in shown),
            more=f"and {counted(len(others), 'more', 'more')}" if others else "",
            others=tuple(self._choice(one) for one in others if one.spot is not None),
            cut="" if cut is None else cut_words(cut),
            note=self.ending() if at == len(self.spots) - 2 else "",
        )

    def _shown(self, tried: Sequence[Tried], framed: int | None) -> Sequence[Tried]:
        """As many as a row holds, the framed one among them."""
        most = min(MOST_DRAWN, max(3, MOST_PARTS // max(1, self.position.parts)))
        first = 0 if framed is None or framed < most else framed - most + 1
        return tried[first : first + most]

    def _node(self, parent: Spot, tried: Tried, *, framed: bool) -> TreeNode:
        path = ".".join(map(str, (*parent.path, tried.turn)))
        board = picture_for(self.game, tried.state, tried.move)
        if tried.spot is None:
            state, words = ("never", "not looked at") if self.tree.is_done(parent) else LATER
            return TreeNode(path, str(tried.move), board, state, value=words)
        value = tried.value if tried.value is not None else self.tree.so_far(tried.spot)
        glyph, means, words = "", "", "under way"
        if value is not None:
            certain = tried.certain and tried.value is not None
            glyph, means = meaning(value, certain=certain)
            said = in_words(value, certain=certain)
            words = f"{tried.bound} {said}".strip() if tried.value is not None else f"{said} so far"
        return TreeNode(
            path=path,
            move=str(tried.move),
            board=board,
            state="seen" if tried.value is not None else "now",
            glyph=glyph,
            meaning=means,
            value=words,
            count=f"{tried.looked_at:,} looked at",
            window=window_words(tried.spot.window) if self.tree.prunes else "",
            framed=framed,
        )

    def _choice(self, tried: Tried) -> Choice:
        assert tried.spot is not None
        words = ""
        if tried.value is not None:
            words = f": {tried.bound} {in_words(tried.value, certain=tried.certain)}"
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
        return replace(self.look, open=path).address(self.path)

    def _certain(self, spot: Spot) -> bool:
        return bool(self.recording.certain[spot.node])
