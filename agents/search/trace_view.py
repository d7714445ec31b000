"""Reading a recorded search: the moves tried in a position, their windows and cuts, at any moment
of the search, and the words for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from agents.formats import counted, signed
from agents.search.alphabeta import DECIDED, WIN
from agents.search.trace import MAX_POSITIONS, Algorithm, Moves, Recording
from engine.core import Seat, State

TITLES = {Algorithm.MINIMAX: "Minimax", Algorithm.ALPHABETA: "Alpha-beta"}


@dataclass(frozen=True, slots=True)
class Window:
    """The bounds of alpha-beta: alpha is what the first seat already has, beta the second."""

    alpha: float = -inf
    beta: float = inf

    def after(self, value: float, mover: Seat) -> Window:
        """The window for the next move, after a move of this mover with that value."""
        if mover is Seat.FIRST:
            return Window(max(self.alpha, value), self.beta)
        return Window(self.alpha, min(self.beta, value))


@dataclass(frozen=True, slots=True)
class Spot:
    """A node of the recording with its position."""

    node: int
    state: State[Any]
    path: tuple[int, ...] = ()  # the indices of the moves from the root, in the order tried
    window: Window = Window()  # with which it was searched


@dataclass(frozen=True, slots=True)
class Tried:
    """One move in a position of the tree, as it was at some moment of the search.

    Without a `spot` it was not searched, or not yet; without a value it is in progress.
    """

    move: Any
    state: State[Any]  # after the move
    turn: int
    spot: Spot | None = None
    value: float | None = None
    certain: bool = False
    bound: str = ""  # ≤ or ≥ where the value is only an upper or lower bound
    looked_at: int = 0  # positions searched, including this one


@dataclass(frozen=True, slots=True)
class Cut:
    """Why the rest of a position's moves was pruned: an answer, and the opponent's alternative."""

    answer: Tried  # the move that caused the cut
    mover: Seat  # of that move
    better: Tried  # the alternative that the opponent has
    instead_of: Any  # the opponent's move that leads here
    above: int  # plies from the opponent's choice down to here
    left_out: int  # moves pruned


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A recording and its root, as they were after `upto` positions."""

    recording: Recording
    root: State[Any]
    moves: Moves
    upto: int
    prunes: bool  # without it there are no windows
    cache: dict[int, tuple[Tried, ...]] = field(default_factory=dict, compare=False, repr=False)

    def spots(self, path: Sequence[int]) -> list[Spot]:
        """The root and the positions along a path, as far as they were searched by then."""
        spots = [Spot(0, self.root)]
        for turn in path:
            found = [tried.spot for tried in self.tried(spots[-1]) if tried.turn == turn]
            if not found or found[0] is None:
                break
            spots.append(found[0])
        return spots

    def tried(self, spot: Spot) -> tuple[Tried, ...]:
        """Every move of a position in the order of the search, searched or not."""
        if spot.node not in self.cache:
            self.cache[spot.node] = tuple(self._tried(spot))
        return self.cache[spot.node]

    def _tried(self, spot: Spot) -> Iterator[Tried]:
        window, node, end = spot.window, spot.node + 1, self.recording.end
        for turn, move in enumerate(self._moves(spot)):
            state = spot.state.play(move)
            if node >= end[spot.node] or node > self.upto:
                yield Tried(move, state, turn)
                continue
            below = Spot(node, state, (*spot.path, turn), window)
            value, count = self._value(below), min(end[node], self.upto + 1) - node
            certain = bool(self.recording.certain[node])
            yield Tried(move, state, turn, below, value, certain, self._bound(below), count)
            if value is not None and self.prunes:
                window = window.after(value, spot.state.to_move)
            node = end[node]

    def _moves(self, spot: Spot) -> tuple[Any, ...]:
        """The moves of a position; none at a leaf."""
        return self.moves(spot.state) if self.recording.end[spot.node] > spot.node + 1 else ()

    def is_done(self, spot: Spot) -> bool:
        """Whether the search had finished it by then."""
        return self.recording.end[spot.node] <= self.upto + 1

    def so_far(self, spot: Spot) -> float | None:
        """The value of a position by the moves finished by then."""
        values = [tried.value for tried in self.tried(spot) if tried.value is not None]
        return (max if spot.state.to_move is Seat.FIRST else min)(values, default=None)

    def path_to(self, node: int) -> tuple[int, ...]:
        """The indices of the moves that lead to a node."""
        path: list[int] = []
        at = 0
        while at < node:
            at += 1
            while self.recording.end[at] <= node:
                at = self.recording.end[at]
            path.append(self.recording.turn[at])
        return tuple(path)

    def moves_to(self, node: int) -> tuple[Any, ...]:
        """The moves that lead to a node."""
        path, state, moves = self.path_to(node), self.root, []
        for turn in path:
            moves.append(self.moves(state)[turn])
            state = state.play(moves[-1])
        return tuple(moves)

    def first_way(self, spot: Spot) -> tuple[Any, ...]:
        """The moves by which the same position was met before; none where it was new."""
        first = self.recording.first[spot.node]
        return () if first == spot.node else self.moves_to(first)

    def next_cut(self) -> int | None:
        """The number of positions after which the next cut happens; None after the last."""
        cuts, end = self.recording.cuts, self.recording.end
        at = bisect_right(cuts, self.upto, key=lambda node: end[node] - 1)
        return end[cuts[at]] - 1 if at < len(cuts) else None

    def cut(self, spots: Sequence[Spot]) -> Cut | None:
        """The cut at the last of these positions, if there was one by then."""
        here = spots[-1]
        tried = self.tried(here)
        seen = [one for one in tried if one.spot is not None]
        if not self.is_done(here) or not seen or len(seen) == len(tried):
            return None
        mover: Seat = here.state.to_move
        has = here.window.beta if mover is Seat.FIRST else here.window.alpha
        for above, (spot, below) in enumerate(_pairs_upwards(spots), start=1):
            if spot.state.to_move is mover:
                continue
            for one in self.tried(spot)[: below.path[-1]]:
                if one.value == has:
                    instead_of = self.tried(spot)[below.path[-1]].move
                    left_out = len(tried) - len(seen)
                    return Cut(seen[-1], mover, one, instead_of, above, left_out)
        return None

    def _value(self, spot: Spot) -> float | None:
        return self.recording.value[spot.node] if self.is_done(spot) else None

    def _bound(self, spot: Spot) -> str:
        """≤ or ≥ for a value outside its window, which is only a bound unless it is a leaf's."""
        value = self._value(spot)
        if value is None or self.recording.end[spot.node] == spot.node + 1:
            return ""
        return "≤" * (value <= spot.window.alpha) or "≥" * (value >= spot.window.beta)


def _pairs_upwards(spots: Sequence[Spot]) -> Iterator[tuple[Spot, Spot]]:
    """Each position with the one below it, from the last to the first."""
    return ((spots[at - 1], spots[at]) for at in range(len(spots) - 1, 0, -1))


def meaning(value: float, *, certain: bool) -> tuple[str, str]:
    """(glyph, name) for the first seat: ▲ it wins, = a draw, ▼ it loses, ~ undecided.

    A value that depends on the horizon is undecided even where it is 0.
    """
    if abs(value) > DECIDED:
        return ("▲", "win") if value > 0 else ("▼", "loss")
    return ("=", "draw") if certain else ("~", "open")


def value_text(value: float, *, certain: bool) -> str:
    """A value as text: `x wins in 3`, `draw`, `+0.38`."""
    if abs(value) > DECIDED:
        return f"{_winner(value).mark} wins in {_plies(value)}"
    return "draw" if certain else signed(value)


def bound_text(value: float) -> str:
    """A bound of a window as text: `x in 3`, `−∞`, `0`."""
    if abs(value) == inf:
        return "+∞" if value > 0 else "−∞"
    if abs(value) > DECIDED:
        return f"{_winner(value).mark} in {_plies(value)}"
    return signed(value) if value else "0"


def window_text(window: Window) -> str:
    """A window as text: `α −∞ β x in 3`."""
    return f"α {bound_text(window.alpha)} β {bound_text(window.beta)}"


def narrowing(before: Window, after: Window) -> str:
    """The change of a window as text: `α −∞ → x in 3, β +∞`."""
    alpha, beta = (
        bound_text(old) if old == new else f"{bound_text(old)} → {bound_text(new)}"
        for old, new in ((before.alpha, after.alpha), (before.beta, after.beta))
    )
    return f"α {alpha}, β {beta}"


def cut_text(cut: Cut) -> str:
    """A sentence that explains a cut by its two values."""
    assert cut.answer.value is not None
    assert cut.better.value is not None
    mine, theirs = cut.mover.mark, cut.mover.other.mark
    reached = _amount(cut.answer.value, certain=cut.answer.certain)
    has = _amount(cut.better.value, certain=cut.better.certain)
    where = "" if cut.above == 1 else f", {cut.above} plies above,"
    rest = counted(cut.left_out, "other move", "other moves")
    return (
        f"With {cut.answer.move} {mine} has {reached} here, or better; "
        f"instead of {cut.instead_of}{where} {theirs} already has {cut.better.move}, worth {has}. "
        f"That is no worse for {theirs}, so {theirs} will not come this way: {rest} "
        f"and everything below were never looked at."
    )


def transpositions_text(recording: Recording) -> str:
    """`241 positions, 180 of them different: 61 had been met before, by other moves.`"""
    positions, distinct = len(recording.first) - 1, recording.distinct
    if positions == distinct:
        return "No position was met twice."
    again = positions - distinct
    been = "one had" if again == 1 else f"{again:,} had"
    return f"Only {distinct:,} of them differ: {been} been met before, by another order of moves."


def count_text(algorithm: Algorithm, count: int | None) -> str:
    """The count of positions as text: `Minimax looks at 1,053`."""
    looked = f"more than {MAX_POSITIONS:,}" if count is None else f"{count:,}"
    return f"{TITLES[algorithm]} looks at {looked}"


def _amount(value: float, *, certain: bool) -> str:
    """A value within a sentence: `a win for x in 3`."""
    if abs(value) > DECIDED:
        return f"a win for {_winner(value).mark} in {_plies(value)}"
    return "a draw" if certain else f"{signed(value)} by what is seen at the horizon"


def _winner(value: float) -> Seat:
    return Seat.FIRST if value > 0 else Seat.SECOND


def _plies(value: float) -> int:
    return WIN - int(abs(value))
