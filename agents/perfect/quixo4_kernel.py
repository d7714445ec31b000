"""Every board of 4×4 Quixo solved backwards from its ends: 3^16 of them, the mover normalised.

A board is two 16-bit masks, of the side to move and of the other; its number is written in
base 3, cell a1 last, 0 blank, 1 the mover's, 2 the other's. A code says how it ends with best
play: 0 drawn, 2p + 1 won and 2p + 2 lost by the mover in p plies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import has_line, ones

SIZE = 4
CELLS = SIZE * SIZE
BOARDS = 3**CELLS
HALF = 3 ** (CELLS // 2)  # the boards of the lower and of the upper eight cells
DRAWN = 0
WON = 1  # plus two for every ply to the end
LOST = 2
DECIDED = 255  # in place of a count of escapes
CORNERS = 0b1001_0000_0000_1001
EDGES = 0b0110_1001_1001_0110


@kernel
def weights() -> NDArray[np.int32]:
    """[mask] -> the number of the board with the mover's cubes there, in base 3."""
    weight = np.zeros(1 << CELLS, np.int32)
    for mask in range(1, 1 << CELLS):
        weight[mask] = 3 * weight[mask >> 1] + (mask & 1)
    return weight


@kernel
def halves() -> NDArray[np.int32]:
    """[half] -> the masks of eight cells, the mover's and from bit 8 on the other's."""
    masks = np.zeros(HALF, np.int32)
    for half in range(HALF):
        left = half
        for cell in range(CELLS // 2):
            digit = left % 3
            left //= 3
            if digit == 1:
                masks[half] |= 1 << cell
            elif digit == 2:
                masks[half] |= 256 << cell
    return masks


@kernel
def masks_of(board: int, half: NDArray[np.int32]) -> tuple[int, int]:
    """The masks of a board's number: the mover's cubes and the other's."""
    low, high = half[board % HALF], half[board // HALF]
    return (low & 255) | (high & 255) << 8, low >> 8 | high >> 8 << 8


@kernel
def number_ends(
    code: NDArray[np.uint8],
    escapes: NDArray[np.uint8],
    half: NDArray[np.int32],
    lines: NDArray[np.int64],
) -> None:
    """Mark the boards that are over, and count the moves of the rest."""
    for board in range(BOARDS):
        own, other = masks_of(board, half)
        escapes[board] = DECIDED
        if has_line(own, lines):  # completed by the other's own move, so the mover has won
            code[board] = WON
        elif has_line(other, lines):
            code[board] = LOST
        else:
            code[board] = DRAWN
            escapes[board] = 2 * ones(CORNERS & ~other) + 3 * ones(EDGES & ~other)


@kernel
def step_back(
    plies: int,
    code: NDArray[np.uint8],
    escapes: NDArray[np.uint8],
    slides: NDArray[np.int64],
    weight: NDArray[np.int32],
    half: NDArray[np.int32],
) -> int:
    """From the boards decided in `plies` to those before them; how many those decided.

    A board is won once one move leads to a lost one, and lost once no move is left that does not
    lead to a won one. Each move that leads to a board is undone: its cube comes back out, the
    others slide back, and where it stood it was blank or the mover's.
    """
    decided = 0
    won_now, lost_now = 2 * plies + WON, 2 * plies + LOST
    for board in range(BOARDS):
        found = code[board]
        if found not in (won_now, lost_now):
            continue
        other, own = masks_of(board, half)  # `own` from here on: of who made the move
        for slide in slides:
            source, stay, sliding, up, down, entry = slide
            if own & entry == 0:
                continue
            own_before = (own & stay) | ((own ^ entry) << down >> up) & sliding
            other_before = (other & stay) | (other << down >> up) & sliding
            before = weight[own_before] + 2 * weight[other_before]
            for earlier in (before, before + weight[source]):
                left = escapes[earlier]
                if left == DECIDED:
                    continue
                if found == won_now and left > 1:
                    escapes[earlier] = left - 1
                    continue
                escapes[earlier] = DECIDED
                code[earlier] = lost_now + 2 if found == won_now else won_now + 2
                decided += 1
    return decided
