"""The different things one can do in a Quixo position: moves that come to the same are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.quixo.bitboard import masks_of
from agents.search.quixo.kernel import CELLS, SURE, WIN
from engine.core import Game, Symmetry
from engine.quixo import REPETITION, Push, QuixoState


@dataclass(slots=True, eq=False)
class Branch:
    """Moves that come to the same, where they lead, and what is known of them so far."""

    turns: dict[Push, Symmetry[QuixoState, Push]]  # of each move: what takes the first one to it
    child: QuixoState  # after the first of the moves
    run: int  # plies up to there that took no blank cube
    value: int = 0  # for the side to move at the root; unless exact, the most it can be
    settled: bool = False  # nothing to search: it ends the match, or repeats
    proven: bool = False  # the settled value is the match's
    exact: bool = False
    depth: int = 0  # to which it was searched
    estimate: int | None = None  # from a shallower search, where the value is no more than a bound
    known: bool = False  # looked up in the endgames

    @property
    def move(self) -> Push:
        return next(iter(self.turns))

    @property
    def masks(self) -> tuple[int, int]:
        """Of the side to move after it, and of the other."""
        return masks_of(self.child)

    @property
    def promise(self) -> int:
        """What it is worth as far as anyone can tell."""
        return self.value if self.estimate is None else min(self.value, self.estimate)

    @property
    def certain(self) -> bool:
        """Whether that is proven: an end in sight, or a draw there and then."""
        return self.proven or abs(self.promise) > SURE

    @property
    def plies(self) -> int | None:
        """To the end that is proven."""
        if abs(self.promise) > SURE:
            return WIN - abs(self.promise)
        return 1 if self.proven and not self.known else None


def branches_of(
    game: Game[QuixoState, Push],
    state: QuixoState,
    past: Sequence[QuixoState],
    ply: int,
    draw: int,
) -> list[Branch]:
    """The legal moves gathered by what they lead to: 3 branches of 44 moves at the start.

    `past` holds the states that may come back, `ply` how many plies were played, `draw` what a
    draw is worth to the side to move.
    Where the board looks the same turned or mirrored, so do moves; but only such as take a blank
    cube, for after others a position may come back of which the image never stood.
    """
    found: dict[Any, Branch] = {}
    identity = game.symmetries[0]
    alike = _turns_alike(state)
    for move in state.legal_moves():
        child = state.play(move)
        took_blank = taken(child) != taken(state)
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
    """The value of a branch that needs no search: its end, or what the match makes of it."""
    outcome = branch.child.outcome()
    stood = past.count(branch.child)
    if outcome is not None:
        branch.value = -outcome.score(branch.child.to_move) * (WIN - 1)
        branch.proven = True
    elif stood or last_ply:
        branch.value = draw
        branch.proven = last_ply or stood + 1 == REPETITION
    else:
        return
    branch.settled = branch.exact = True


def _turns_alike(state: QuixoState) -> list[tuple[int, ...]]:
    """The turns that leave the board as it is."""
    square = state.table.square
    return [
        turn
        for turn in square.turns
        if square.turned(state.x, turn) == state.x and square.turned(state.o, turn) == state.o
    ]


def _folded(state: QuixoState, turns: Sequence[tuple[int, ...]]) -> tuple[int, int]:
    """The same for all images of a position under these turns."""
    square = state.table.square
    return min((square.turned(state.x, turn), square.turned(state.o, turn)) for turn in turns)


def key_of(state: QuixoState) -> int:
    """The position as the kernel numbers it."""
    own, other = masks_of(state)
    return own | other << CELLS


def taken(state: QuixoState) -> int:
    """How many cubes are no longer blank. It never falls."""
    return (state.x | state.o).bit_count()
