"""A recorded search unfolded: the answers to one position of it, their windows and its cuts, at
any moment of the search."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from agents.formats import counted, signed
from agents.search.alphabeta import CERTAIN, WIN
from agents.search.trace import MOST, Algorithm, Moves, Recording
from engine.core import Seat, State


@dataclass(frozen=True, slots=True)
class Window:
    """What still matters: alpha the first seat already has, beta the second."""

    alpha: float = -inf
    beta: float = inf

    def after(self, value: float, mover: Seat) -> Window:
        """The window for the next move, once one move of this mover has come to that value."""
        if mover is Seat.FIRST:
            return Window(max(self.alpha, value), self.beta)
        return Window(self.alpha, min(self.beta, value))


@dataclass(frozen=True, slots=True)
class Spot:
    """A position that was looked at, and how play came to it from the root."""

    node: int
    state: State[Any]
    path: tuple[int, ...] = ()  # which of the moves tried, from the root
    window: Window = Window()  # with which it was looked at


@dataclass(frozen=True, slots=True)
class Tried:
    """One move in a position of the tree, as far as the search has come by then.

    Without a `spot` it was not looked at, or not yet; without a value it is still under way.
    """

    move: Any
    state: State[Any]  # after the move
    turn: int
    spot: Spot | None = None
    value: float | None = None
    certain: bool = False
    bound: str = ""  # ≤ or ≥ where the value is only known to be at most, at least that
    looked_at: int = 0  # positions, it and those below it


@dataclass(frozen=True, slots=True)
class Cut:
    """Why the rest of a position's moves was left out: one answer, and what its avoider has."""

    answer: Tried  # after which nothing else mattered
    mover: Seat  # whose answer it is
    better: Tried  # what the other side has instead
    instead_of: Any  # the move with which the other side would come this way
    above: int  # how many plies above the cut position that choice stands
    left_out: int  # moves


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A recording with the position it began in, as it stood after `upto` positions."""

    recording: Recording
    root: State[Any]
    moves: Moves
    upto: int
    prunes: bool  # without it there are no windows
    known: dict[int, tuple[Tried, ...]] = field(default_factory=dict, compare=False, repr=False)

    def spots(self, path: Sequence[int]) -> list[Spot]:
        """The root and the positions along a path, as far as it leads by then."""
        spots = [Spot(0, self.root)]
        for turn in path:
            found = [tried.spot for tried in self.tried(spots[-1]) if tried.turn == turn]
            if not found or found[0] is None:
                break
            spots.append(found[0])
        return spots

    def tried(self, spot: Spot) -> tuple[Tried, ...]:
        """Every move of a position in the order of the search, looked at or not."""
        if spot.node not in self.known:
            self.known[spot.node] = tuple(self._tried(spot))
        return self.known[spot.node]

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
        """None where the search ended, at its depth or by a repetition: nothing was tried."""
        return self.moves(spot.state) if self.recording.end[spot.node] > spot.node + 1 else ()

    def is_done(self, spot: Spot) -> bool:
        """Whether the search was through with it by then."""
        return self.recording.end[spot.node] <= self.upto + 1

    def so_far(self, spot: Spot) -> float | None:
        """What a position is worth by the answers that are worked out by then."""
        values = [tried.value for tried in self.tried(spot) if tried.value is not None]
        return (max if spot.state.to_move is Seat.FIRST else min)(values, default=None)

    def path_to(self, node: int) -> tuple[int, ...]:
        """Which moves lead to the node with that number."""
        path: list[int] = []
        at = 0
        while at < node:
            at += 1
            while self.recording.end[at] <= node:
                at = self.recording.end[at]
            path.append(self.recording.turn[at])
        return tuple(path)

    def next_cut(self) -> int | None:
        """After how many positions the next cut happens; None where there is none any more."""
        cuts, end = self.recording.cuts, self.recording.end
        at = bisect_right(cuts, self.upto, key=lambda node: end[node] - 1)
        return end[cuts[at]] - 1 if at < len(cuts) else None

    def cut(self, spots: Sequence[Spot]) -> Cut | None:
        """Why moves were left out at the last of these positions, if they were by then."""
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
        """A value outside its window is only a bound, unless nothing was looked at below it."""
        value = self._value(spot)
        if value is None or self.recording.end[spot.node] == spot.node + 1:
            return ""
        return "≤" * (value <= spot.window.alpha) or "≥" * (value >= spot.window.beta)


def _pairs_upwards(spots: Sequence[Spot]) -> Iterator[tuple[Spot, Spot]]:
    """Each position with the one below it, from the last to the first."""
    return ((spots[at - 1], spots[at]) for at in range(len(spots) - 1, 0, -1))


TITLES = {Algorithm.MINIMAX: "Minimax", Algorithm.ALPHABETA: "Alpha-beta"}


def meaning(value: float, *, certain: bool) -> tuple[str, str]:
    """The glyph and its name, for the first seat: ▲ it wins, = a draw, ▼ it loses, ~ nobody knows.

    A bound at the horizon stays unknown even where it is 0.
    """
    if abs(value) > CERTAIN:
        return ("▲", "win") if value > 0 else ("▼", "loss")
    return ("=", "draw") if certain else ("~", "open")


def in_words(value: float, *, certain: bool) -> str:
    """`x wins in 3`, `draw`, `+0.38`."""
    if abs(value) > CERTAIN:
        return f"{_winner(value).mark} wins in {_plies(value)}"
    return "draw" if certain else signed(value)


def in_short(value: float) -> str:
    """The same for a window: `x in 3`, `−∞`, `0`."""
    if abs(value) == inf:
        return "+∞" if value > 0 else "−∞"
    if abs(value) > CERTAIN:
        return f"{_winner(value).mark} in {_plies(value)}"
    return signed(value) if value else "0"


def window_words(window: Window) -> str:
    """`α −∞ β x in 3`."""
    return f"α {in_short(window.alpha)} β {in_short(window.beta)}"


def narrowing(before: Window, after: Window) -> str:
    """How a window closed while the moves of a position were tried: `α −∞ → x in 3, β +∞`."""
    alpha, beta = (
        in_short(old) if old == new else f"{in_short(old)} → {in_short(new)}"
        for old, new in ((before.alpha, after.alpha), (before.beta, after.beta))
    )
    return f"α {alpha}, β {beta}"


def cut_words(cut: Cut) -> str:
    """Why the rest did not matter, with the two values that make it so."""
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


def count_words(algorithm: Algorithm, count: int | None) -> str:
    """`Minimax looks at 1,053`."""
    looked = f"more than {MOST:,}" if count is None else f"{count:,}"
    return f"{TITLES[algorithm]} looks at {looked}"


def _amount(value: float, *, certain: bool) -> str:
    """In the middle of a sentence, as what someone has."""
    if abs(value) > CERTAIN:
        return f"a win for {_winner(value).mark} in {_plies(value)}"
    return "a draw" if certain else f"{signed(value)} by what is seen at the horizon"


def _winner(value: float) -> Seat:
    return Seat.FIRST if value > 0 else Seat.SECOND


def _plies(value: float) -> int:
    return WIN - int(abs(value))
