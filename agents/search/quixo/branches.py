"""The branches of a Quixo position: its legal moves grouped by the position they lead to.

In a position of the endgame tables every branch is looked up, and nothing searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.quixo.bitboard import CELLS, blanks_of, masks_of
from agents.quixo.endgame_tables import Endgames, verdict
from agents.search.quixo.kernel import DECIDED, WIN
from engine.core import Game, Symmetry, Verdict
from engine.quixo import REPETITION, Push, QuixoState


@dataclass(slots=True, eq=False)
class Branch:
    """Equivalent moves, the position they lead to, and what the search has found of it."""

    turns: dict[Push, Symmetry[QuixoState, Push]]  # [move] -> the symmetry from the first to it
    child: QuixoState  # after the first of the moves
    run: int  # reversible plies up to there, which took no blank cube
    value: int = 0  # for the side to move at the root; unless exact, an upper bound
    settled: bool = False  # needs no search: it ends the match, or repeats
    proven: bool = False  # the settled value is the match's
    exact: bool = False
    depth: int = 0  # to which it was searched
    estimate: int | None = None  # from a shallower search, where the value is only a bound
    complete: int = 0  # plies within which no quicker end was overlooked
    looked_up: bool = False  # in the endgame tables

    @property
    def move(self) -> Push:
        return next(iter(self.turns))

    @property
    def masks(self) -> tuple[int, int]:
        """(cubes of the side to move after it, cubes of the other)."""
        return masks_of(self.child)

    @property
    def expected(self) -> int:
        """The best estimate of its value."""
        return self.value if self.estimate is None else min(self.value, self.estimate)

    @property
    def wins(self) -> bool:
        """Whether its value is a proven win, not a bound as high as one."""
        return self.exact and self.value > DECIDED

    def note(self, found: int, floor: int, depth: int) -> None:
        """Record what a search to this depth found, which up to the floor is an upper bound.

        A bound as high as a win says nothing, so the value before becomes the estimate.
        """
        self.depth = depth
        if found > floor:
            self.value, self.exact, self.estimate, self.complete = found, True, None, depth
        elif self.wins:
            if floor == self.value:
                self.complete = depth
        else:
            before = self.value if self.estimate is None else self.estimate
            self.estimate = before if found > DECIDED else None
            self.value, self.exact, self.complete = found, False, 0

    @property
    def certain(self) -> bool:
        """Whether that is proven: a forced win or loss, or an immediate draw."""
        return self.proven or abs(self.expected) > DECIDED

    @property
    def most_plies(self) -> int | None:
        """The plies within which the proven end comes; a quicker one may be possible."""
        if abs(self.expected) > DECIDED:
            return WIN - abs(self.expected)
        return 1 if self.proven and not self.looked_up else None

    @property
    def plies(self) -> int | None:
        """The plies to the proven end; None where a quicker one may be possible."""
        most = self.most_plies
        if most is None or self.settled:
            return most
        return most if self.complete >= most - 2 else None  # the same side's ends are 2 apart


def branches_of(
    game: Game[QuixoState, Push],
    state: QuixoState,
    past: Sequence[QuixoState],
    ply: int,
    draw: int,
) -> list[Branch]:
    """The legal moves grouped by the position they lead to: 3 branches of 44 moves at the start.

    `past` holds the states that may be repeated, `ply` the plies played, `draw` the value of a
    draw to the side to move. On a symmetric board, symmetric moves are one branch, but only those
    that take a blank cube: after others a position may repeat whose image never occurred.
    """
    found: dict[Any, Branch] = {}
    identity = game.symmetries[0]
    alike = _turns_alike(state)
    for move in state.legal_moves():
        child = state.play(move)
        took_blank = marked_cubes(child) != marked_cubes(state)
        kind = _folded(child, alike) if took_blank else child
        branch = found.get(kind)
        if branch is None:
            branch = Branch({move: identity}, child, 0 if took_blank else len(past) + 1)
            _settle(branch, past, game.ply_limit == ply + 1, draw)
            found[kind] = branch
        else:
            turns = (turn for turn in game.symmetries if turn.state(branch.child) == child)
            branch.turns[move] = next(turns)
    return list(found.values())


def _settle(branch: Branch, past: Sequence[QuixoState], last_ply: bool, draw: int) -> None:
    """Set the value of a branch that needs no search: it ends the match, or repeats a position."""
    outcome = branch.child.outcome()
    repeated = past.count(branch.child)
    if outcome is not None:
        branch.value = -outcome.score(branch.child.to_move) * (WIN - 1)
        branch.proven = True
    elif repeated or last_ply:
        branch.value = draw
        branch.proven = last_ply or repeated + 1 == REPETITION
    else:
        return
    branch.settled = branch.exact = True


def _turns_alike(state: QuixoState) -> list[tuple[int, ...]]:
    """The symmetries that map the board to itself."""
    square = state.table.square
    return [
        turn
        for turn in square.turns
        if square.turned(state.x, turn) == state.x and square.turned(state.o, turn) == state.o
    ]


def _folded(state: QuixoState, turns: Sequence[tuple[int, ...]]) -> tuple[int, int]:
    """A canonical form: equal for all images of a position under these symmetries."""
    square = state.table.square
    return min((square.turned(state.x, turn), square.turned(state.o, turn)) for turn in turns)


def key_of(state: QuixoState) -> int:
    """The kernel's key of a position."""
    own, other = masks_of(state)
    return own | other << CELLS


def marked_cubes(state: QuixoState) -> int:
    """The number of cubes that are not blank, which never falls."""
    return (state.x | state.o).bit_count()


def holds(endgames: Endgames, state: QuixoState) -> bool:
    """Whether the tables have this position."""
    return state.table.size**2 == CELLS and blanks_of(state) <= endgames.blanks


def look_up(
    branches: Sequence[Branch],
    past: Sequence[QuixoState],
    plies: int,
    draw: int,
    endgames: Endgames,
) -> Branch:
    """Settle every branch of a position in the tables; returns the best one.

    Of wins the quickest, of losses the slowest, of draws the one with the largest share of losing
    replies. The tables ignore the match: a third repetition is a draw for the side that can force
    it, and so is an end after the last of its `plies`.
    """
    for branch in branches:
        if branch.settled and branch.proven:
            continue
        found = verdict(branch.child, endgames).seen_by_mover()
        late = found.plies is not None and found.plies > plies
        escapes = found.value > 0 and _may_repeat(branch.child, past)
        branch.value = draw if late or escapes else _score(found, draw)
        branch.settled = branch.exact = branch.proven = branch.looked_up = True
    return max(branches, key=lambda branch: (branch.value, _traps(branch, draw, endgames)))


def _score(found: Verdict, draw: int) -> int:
    """The kernel's value of a verdict."""
    return draw if found.plies is None else found.value * (WIN - found.plies)


def _may_repeat(state: QuixoState, past: Sequence[QuixoState]) -> bool:
    """Whether the side to move can draw by repetition at once."""
    drawn = {seen for seen in past if past.count(seen) + 1 >= REPETITION}
    return bool(drawn) and any(state.play(move) in drawn for move in state.legal_moves())


def _traps(branch: Branch, draw: int, endgames: Endgames) -> float:
    """The share of replies that lose, for a branch that is a draw."""
    if branch.value != draw or not branch.looked_up:
        return 0.0
    replies = [branch.child.play(move) for move in branch.child.legal_moves()]
    return sum(verdict(reply, endgames).value > 0 for reply in replies) / len(replies)


def best_reply(state: QuixoState, endgames: Endgames) -> Push | None:
    """The best move by the tables alone; None where the game is over."""

    def merit(move: Push) -> int:
        return _score(verdict(state.play(move), endgames).seen_by_mover(), draw=0)

    return max(state.legal_moves(), key=merit, default=None)
