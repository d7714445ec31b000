"""The rules of 5×5 Quixo as arrays for the endgame solver: pushes, turns, reversed moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.perfect.endgame_kernel import Rules
from agents.quixo.bitboard import slides_of
from agents.quixo.endgames import (
    BOARD,
    PLACES,
    SIZE,
    TURNS,
    Blanks,
    folding,
    moved,
    place_of,
    turning,
)

ALL_PLACES = tuple(blanks for places in PLACES for blanks in places)


@cache
def rules() -> Rules:
    """The rules for the kernels (cached)."""
    staying = [
        [number for number, turn in enumerate(TURNS) if moved(blanks, turn) == blanks]
        for blanks in ALL_PLACES
    ]
    return Rules(
        slides=slides_of(SIZE),
        pushes=_padded([_pushes_of(blanks) for blanks in ALL_PLACES]),
        fold=folding(),
        places=np.array(
            [(mask_of(blanks), place_of(blanks)[0], *below(blanks)) for blanks in ALL_PLACES],
            np.int64,
        ),
        turns=turning(),
        images=_padded(staying),
        arrivals=_padded([arrivals_of(blanks) for blanks in ALL_PLACES]),
    )


def _pushes_of(blanks: Blanks) -> list[tuple[int, ...]]:
    """The pushes that take a blank cube."""
    return [tuple(slide) for slide in slides_of(SIZE).tolist() if slide[0] & mask_of(blanks)]


def arrivals_of(place: Blanks) -> list[tuple[int, ...]]:
    """The reversed pushes of own cubes that lead to boards with these canonical blanks.

    After a turn of the board, each leads back to numbered boards, whose blanks are canonical.
    Each move of those is reversed exactly once.
    """
    found = []
    for blanks, turn in _turned_to(place):
        back = next(at for at, other in enumerate(TURNS) if _undoes(other, TURNS[turn]))
        blank = mask_of(blanks)
        for slide in slides_of(SIZE).tolist():
            _, stay, sliding, up, down, entry = slide
            before = cells_of((blank & stay) | (blank << down >> up) & sliding)
            if not blank & entry and before in ALL_PLACES:
                first, _ = place_of(before)
                found.append((back, *slide, first, *below(before)))
    return sorted(found)


def _turned_to(place: Blanks) -> list[tuple[Blanks, int]]:
    """(blanks, turn) of all blanks that are turned to this canonical place."""
    images = sorted({moved(place, turn) for turn in TURNS})
    return [(blanks, place_of(blanks)[1]) for blanks in images]


def images_of(place: Blanks) -> int:
    """The number of placements symmetric to this one."""
    return len(_turned_to(place))


def mask_of(blanks: Blanks) -> int:
    return sum(1 << cell for cell in blanks)


def cells_of(mask: int) -> Blanks:
    return tuple(cell for cell in range(mask.bit_length()) if mask >> cell & 1)


def below(blanks: Blanks) -> tuple[int, int]:
    """The masks of the cells below the first and the second blank; all cells if missing."""
    one, two = (*((1 << cell) - 1 for cell in blanks), BOARD, BOARD)[:2]
    return one, two


def _undoes(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(one[to] == cell for cell, to in enumerate(other))


def _padded(rows: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    """Rows of unequal length as one array, padded with -1."""
    longest = max(rows, key=len)
    padded = np.full((len(rows), len(longest) + 1, *np.shape(longest[0])), -1, np.int64)
    for number, row in enumerate(rows):
        for at, entry in enumerate(row):
            padded[number, at] = entry
    return padded
