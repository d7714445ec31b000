"""5×5 Quixo with no blank cube left, or one: how every board ends, as a table kernels can read.

A board's number goes by the mask of the mover's cubes. Boards without a blank come first, 2^25 of
them. Those with one follow, 2^24 for each of six cells: a blank elsewhere is turned or mirrored
there. A code says how a board ends with best play: 0 drawn, 1 + d won and 129 + d lost by the side
to move, d plies away. A mover may have a line already, so the parity of d does not tell who wins.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arrays.masks import ones
from agents.compute.kernels import kernel
from engine.square import square

SIZE = 5
CELLS = SIZE * SIZE
BOARD = (1 << CELLS) - 1
NOWHERE = CELLS  # where the blank is on a board that has none
SPOTS = (0, 1, 2, 6, 7, 12)  # a1, b1, c1, b2, c2, c3: every cell is turned to one of these
FULL_BOARDS = 1 << CELLS
BOARDS_A_SPOT = 1 << CELLS - 1
SIZES = (FULL_BOARDS, FULL_BOARDS + len(SPOTS) * BOARDS_A_SPOT)  # [most blanks] -> boards
MOST_BLANKS = len(SIZES) - 1
DRAWN = 0
WON = 1  # plus the plies to the end
LOST = 129
PARTS = ((0, 9), (9, 8), (17, 8))  # of a mask: from which bit, how many


class Endgames(NamedTuple):
    """The boards with at most so many blanks, solved; with -1, none."""

    codes: NDArray[np.uint8]  # [board]
    fold: NDArray[np.int32]  # [cell of the blank, part, bits] -> to add up to a board's number
    blanks: int


@kernel
def number_of(own: int, other: int, fold: NDArray[np.int32]) -> int:
    """The number of a board with at most one blank; of all its images, mostly one."""
    blank = BOARD & ~(own | other)
    at = ones((blank - 1) & BOARD)  # the bits below it; without a blank, all of them
    return int(fold[at, 0, own & 511] + fold[at, 1, (own >> 9) & 255] + fold[at, 2, own >> 17])


@kernel
def code_of(own: int, other: int, endgames: Endgames) -> int:
    """How a board ends that has no more blanks than `endgames.blanks`."""
    return int(endgames.codes[number_of(own, other, endgames.fold)])


@cache
def folding() -> NDArray[np.int32]:
    """[cell of the blank, part, bits] -> what these bits add to the number."""
    fold = np.zeros((CELLS + 1, len(PARTS), 512), np.int32)
    for blank in range(CELLS + 1):
        first, turn = place_of(blank)
        for part, (shift, width) in enumerate(PARTS):
            bits = np.arange(1 << width, dtype=np.int32)
            for cell in range(width):
                if (to := turn[shift + cell]) != turn[blank]:
                    place = to - (to > turn[blank])  # the blank's own bit is left out
                    fold[blank, part, : 1 << width] += (bits >> cell & 1) << place
        fold[blank, 0] += first
    return fold


@cache
def place_of(blank: int) -> tuple[int, tuple[int, ...]]:
    """(the first of the boards with the blank there, the turn that takes it to its spot)."""
    unmoved = (*range(CELLS), NOWHERE)
    if blank == NOWHERE:
        return 0, unmoved
    turns = [(*turn, NOWHERE) for turn in square(SIZE).turns]
    turn = min(turns, key=lambda turn: turn[blank])  # the first of them, so a spot stays in place
    return FULL_BOARDS + SPOTS.index(turn[blank]) * BOARDS_A_SPOT, turn


@cache
def no_endgames() -> Endgames:
    """Knowing nothing: a search then never looks anything up."""
    codes = np.zeros(1, np.uint8)
    codes.setflags(write=False)  # as what is mapped: kernels are compiled once for either
    return Endgames(codes, np.zeros((1, 1, 1), np.int32), -1)
