"""Quixo as arrays: pushes and lines as masks, the way every kernel of it reads the rules."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.core import Seat
from engine.quixo import QuixoState, table_of


def masks_of(state: QuixoState) -> tuple[int, int]:
    """The cubes of the side to move, and of the other."""
    return (state.x, state.o) if state.to_move is Seat.FIRST else (state.o, state.x)


def blanks_of(state: QuixoState) -> int:
    """How many cubes show no mark yet."""
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
    """The kind of each line: how far a row or column is from the rim; diagonals come last."""
    middle = (size + 1) // 2
    from_rim = [min(at, size - 1 - at) for at in range(size)]
    return (*from_rim, *from_rim, middle, middle)
