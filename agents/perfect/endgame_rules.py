"""5×5 Quixo as the solver of its endgames reads it: pushes, turns, and moves to be undone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arrays.endgames import (
    BOARD,
    CELLS,
    NOWHERE,
    PARTS,
    SIZE,
    SPOTS,
    folding,
    place_of,
)
from agents.arrays.quixo import slides_of
from agents.perfect.endgame_kernel import Rules
from engine.square import square


@cache
def rules() -> Rules:
    """Pushes, lines and turns as the kernels read them."""
    turns = square(SIZE).turns
    spread = np.zeros((len(turns), len(PARTS), 512), np.int32)
    for number, turn in enumerate(turns):
        for part, (shift, width) in enumerate(PARTS):
            for bits in range(1 << width):
                cells = [shift + cell for cell in range(width) if bits >> cell & 1]
                spread[number, part, bits] = sum(1 << turn[cell] for cell in cells)
    staying = [
        [number for number, turn in enumerate(turns) if (*turn, NOWHERE)[cell] == cell]
        for cell in range(CELLS + 1)
    ]
    return Rules(
        slides=slides_of(SIZE),
        fold=folding(),
        spots=np.array(SPOTS, np.int64),
        turns=spread,
        images=_padded(staying),
        arrivals=_padded([arrivals_of(NOWHERE), *map(arrivals_of, SPOTS)]),
    )


def arrivals_of(spot: int) -> list[tuple[int, ...]]:
    """How a board with its blank on this spot may have come about by a push of one's own cube.

    Once the board is turned, the push may have led there from one of the boards that have a
    number, whose blanks are all on spots. Each move of theirs is met exactly once.
    """
    slides = [tuple(slide) for slide in slides_of(SIZE).tolist()]
    if spot == NOWHERE:
        return [(0, *slide, 0, BOARD) for slide in slides]
    turns = square(SIZE).turns
    found = []
    for cell in range(CELLS):
        _, turn = place_of(cell)
        if turn[cell] != spot:
            continue
        back = next(at for at, other in enumerate(turns) if _undoes(other, turn))
        for slide in slides:
            _, stay, sliding, up, down, entry = slide
            blank = 1 << cell
            before = (blank & stay) | (blank << down >> up) & sliding
            if blank != entry and before.bit_length() - 1 in SPOTS:
                first, _ = place_of(before.bit_length() - 1)
                found.append((back, *slide, first, before - 1))
    return sorted(found)


def _undoes(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(one[other[cell]] == cell for cell in range(CELLS))


def _padded(rows: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    """Rows of unequal length as one array, -1 where a row has ended."""
    longest = max(map(len, rows)) + 1
    padded = np.full((len(rows), longest, *np.shape(rows[0][0])), -1, np.int64)
    for at, row in enumerate(rows):
        padded[at, : len(row)] = row
    return padded
