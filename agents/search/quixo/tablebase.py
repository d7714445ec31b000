"""Positions in the endgame tables: every move is looked up, and nothing searched."""

from __future__ import annotations

from collections.abc import Sequence

from agents.quixo.bitboard import CELLS, blanks_of, masks_of
from agents.quixo.endgames import DRAWN, LOST, Endgames, code_of, plies_of
from agents.search.quixo.branches import Branch
from agents.search.quixo.kernel import WIN
from engine.quixo import REPETITION, Push, QuixoState


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
        value, distance = _verdict(branch.child, endgames)
        late = distance + 1 > plies
        escapes = value < 0 and _may_repeat(branch.child, past)
        branch.value = draw if not value or late or escapes else -value * (WIN - distance - 1)
        branch.settled = branch.exact = branch.proven = branch.looked_up = True
    return max(branches, key=lambda branch: (branch.value, _traps(branch, draw, endgames)))


def _verdict(state: QuixoState, endgames: Endgames) -> tuple[int, int]:
    """(value for the side to move, plies to the end; 0 for a draw)."""
    code = int(code_of(*masks_of(state), endgames))
    if code == DRAWN:
        return 0, 0
    return -1 if code >= LOST else 1, int(plies_of(code))


def _may_repeat(state: QuixoState, past: Sequence[QuixoState]) -> bool:
    """Whether the side to move can draw by repetition at once."""
    drawn = {seen for seen in past if past.count(seen) + 1 >= REPETITION}
    return bool(drawn) and any(state.play(move) in drawn for move in state.legal_moves())


def _traps(branch: Branch, draw: int, endgames: Endgames) -> float:
    """The share of replies that lose, for a branch that is a draw."""
    if branch.value != draw or not branch.looked_up:
        return 0.0
    replies = [branch.child.play(move) for move in branch.child.legal_moves()]
    return sum(_verdict(reply, endgames)[0] > 0 for reply in replies) / len(replies)


def best_reply(state: QuixoState, endgames: Endgames) -> Push | None:
    """The best move by the tables alone; None where the game is over."""

    def merit(move: Push) -> int:
        value, distance = _verdict(state.play(move), endgames)
        return -value * (WIN - distance)

    return max(state.legal_moves(), key=merit, default=None)
