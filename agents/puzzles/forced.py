"""Forced ends of Quixo within a few plies, by looking at every line of play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import has_line, masks_of, masks_of_lines, pushed, slides_of
from engine.core import Verdict
from engine.quixo import Push, QuixoState


def forced_verdicts(state: QuixoState, plies: int) -> dict[Push, Verdict | None]:
    """The verdict on every move for its player; None where play can go on for so many plies."""
    size = state.table.size
    slides, lines = slides_of(size), masks_of_lines(size)
    found: dict[tuple[int, int], Verdict | None] = {}
    verdicts: dict[Push, Verdict | None] = {}
    for move in state.legal_moves():
        after = state.play(move)
        masks = masks_of(after)
        if masks not in found:
            if (outcome := after.outcome()) is not None:
                found[masks] = Verdict(outcome.score(state.to_move), 1)
            else:
                found[masks] = _verdict(*masks, plies - 1, slides, lines)
        verdicts[move] = found[masks]
    return verdicts


def _verdict(
    own: int, other: int, plies: int, slides: NDArray[np.int64], lines: NDArray[np.int64]
) -> Verdict | None:
    """The verdict on an unfinished position for the player whose move led to it."""
    for within in range(1, plies + 1):
        for wins in (True, False):
            if is_forced(own, other, within, wins, slides, lines):
                return Verdict(1 if wins else -1, within).seen_by_mover()
    return None


@kernel
def is_forced(
    own: int,
    other: int,
    plies: int,
    wins: bool,
    slides: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> bool:
    """Whether the side to move wins (or else loses), whatever the other does, within the plies."""
    for at in range(len(slides)):
        slide = slides[at]
        if other & slide[0]:
            continue
        left, after = pushed(own, other, slide)
        if has_line(left, lines):
            settled, good = True, False
        elif has_line(after, lines):
            settled, good = True, True
        else:
            settled, good = False, False
        if not settled and plies > 1 and is_forced(left, after, plies - 1, not wins, slides, lines):
            settled, good = True, wins
        if wins and settled and good:
            return True
        if not wins and not (settled and not good):
            return False
    return not wins
