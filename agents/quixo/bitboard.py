"""Quixo on bit boards, for kernels: positions, pushes, lines and repetitions as numbers.

A position is two masks, the cubes of the side to move (`own`) and of the other; after a push they
change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, kernel
from engine.core import Seat
from engine.quixo import QuixoState, table_of

CELLS = 25  # of the largest board
MAX_MOVES = 44  # of a position


def masks_of(state: QuixoState) -> tuple[int, int]:
    """(own, other) masks of the side to move."""
    return (state.x, state.o) if state.to_move is Seat.FIRST else (state.o, state.x)


def blanks_of(state: QuixoState) -> int:
    """The number of blank cubes."""
    return state.table.size**2 - (state.x | state.o).bit_count()


@cache
def slides_of(size: int) -> NDArray[np.int64]:
    """[move] -> source, stay, sliding, up, down, entry, in the order of `Game.all_moves`."""
    return np.array(
        [
            (slide.source, slide.stay, slide.sliding, slide.up, slide.down, slide.entry)
            for slide in table_of(size).slides.values()
        ],
        np.int64,
    )


@cache
def masks_of_lines(size: int) -> NDArray[np.int64]:
    """[line] -> mask, rows first, then columns and the two diagonals."""
    return np.array(table_of(size).lines, np.int64)


@cache
def kinds_of_lines(size: int) -> tuple[int, ...]:
    """The kind of each line: a row's or column's distance from the rim; diagonals are last."""
    middle = (size + 1) // 2
    from_rim = [min(at, size - 1 - at) for at in range(size)]
    return (*from_rim, *from_rim, middle, middle)


@kernel
def ones(mask: int) -> int:
    """The number of set bits; LLVM compiles this idiom to one instruction."""
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56


@inlined
def slid(mask: int, slide: Sequence[int]) -> int:
    """The mask after a push, without the pushed cube; `slide` is a row of `slides_of`."""
    return (mask & slide[1]) | (mask & slide[2]) << slide[3] >> slide[4]


@inlined
def has_line(mask: int, lines: NDArray[np.int64]) -> bool:
    """Whether the mask contains a line."""
    for line in lines:  # noqa: SIM110 - numba compiles no generator
        if mask & line == line:
            return True
    return False


@inlined
def pushed(own: int, other: int, slide: Sequence[int]) -> tuple[int, int]:
    """(own, other) after a push, for the side that moves then; `slide` is a row of `slides_of`."""
    return slid(other, slide), slid(own, slide) | slide[5]


@kernel
def find(own: int, other: int, boards: NDArray[np.int64], count: int) -> int:
    """The index of a position among the first so many boards [number, own and other …], or -1."""
    for at in range(count):
        if boards[at, 0] == own and boards[at, 1] == other:
            return at
    return -1


@kernel
def key_of(own: int, other: int) -> int:
    """The key of a position: both masks in one number."""
    return own | other << CELLS


@kernel
def is_repetition(key: int, at: int, run: int, path: NDArray[np.int64]) -> bool:
    """Whether the position occurred earlier with the same side to move.

    `path` has the keys by ply, `run` counts the reversible plies up to this one, which took no
    blank cube.
    """
    for back in range(2, run + 1, 2):  # noqa: SIM110 - numba compiles no generator
        if path[at - back] == key:
            return True
    return False
