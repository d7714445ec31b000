"""A position that the endgames hold: every move looked up, and nothing searched."""

from __future__ import annotations

from collections.abc import Sequence

from agents.quixo.bitboard import blanks_of, masks_of
from agents.quixo.endgames import DRAWN, LOST, Endgames, code_of, plies_of
from agents.search.quixo.branches import Branch
from agents.search.quixo.kernel import CELLS, WIN
from engine.quixo import REPETITION, Push, QuixoState


def holds(endgames: Endgames, state: QuixoState) -> bool:
    """Whether this position can be looked up."""
    return state.table.size**2 == CELLS and blanks_of(state) <= endgames.blanks


def look_up(
    branches: Sequence[Branch],
    past: Sequence[QuixoState],
    plies: int,
    draw: int,
    endgames: Endgames,
) -> Branch:
    """Settle every branch of a position that is held, and choose.

    The quickest win comes first and the slowest loss last; of draws, the one with most ways to go
    wrong. The endgames know nothing of the match: a board that stands for the third time is a
    draw, to whoever lets it, and so is an end that comes after the last of its `plies`.
    """
    for branch in branches:
        if branch.settled and branch.proven:
            continue
        value, distance = _verdict(branch.child, endgames)
        late = distance + 1 > plies
        escapes = value < 0 and _may_repeat(branch.child, past)
        branch.value = draw if not value or late or escapes else -value * (WIN - distance - 1)
        branch.settled = branch.exact = branch.proven = branch.known = True
    return max(branches, key=lambda branch: (branch.value, _traps(branch, draw, endgames)))


def _verdict(state: QuixoState, endgames: Endgames) -> tuple[int, int]:
    """(the value for the side to move, the plies to the end; of a draw, 0)."""
    code = int(code_of(*masks_of(state), endgames))
    if code == DRAWN:
        return 0, 0
    return -1 if code >= LOST else 1, int(plies_of(code))


def _may_repeat(state: QuixoState, past: Sequence[QuixoState]) -> bool:
    """Whether whoever moves here can make a board stand for the last time that is allowed."""
    again = {stood for stood in past if past.count(stood) + 1 >= REPETITION}
    return bool(again) and any(state.play(move) in again for move in state.legal_moves())


def _traps(branch: Branch, draw: int, endgames: Endgames) -> float:
    """The share of replies that lose, where that is all there is to hope for."""
    if branch.value != draw or not branch.known:
        return 0.0
    replies = [branch.child.play(move) for move in branch.child.legal_moves()]
    return sum(_verdict(reply, endgames)[0] > 0 for reply in replies) / len(replies)


def best_reply(state: QuixoState, endgames: Endgames) -> Push | None:
    """What best play would be by the table alone; None where the game is over."""

    def merit(move: Push) -> int:
        value, distance = _verdict(state.play(move), endgames)
        return -value * (WIN - distance)

    return max(state.legal_moves(), key=merit, default=None)
