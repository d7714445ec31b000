"""Boards of 5×5 Quixo with few blanks, and what a mover's cubes may be."""

from random import Random

import numpy as np
from numpy.typing import NDArray

from agents.quixo.endgames import CELLS, Blanks
from engine import load_game
from engine.quixo import QuixoState

GAME = load_game("quixo")


def any_board(blanks: int, rng: Random) -> QuixoState:
    """Any board with so many blanks, over or not, whoever moves."""
    marks = ["."] * blanks + [rng.choice("xo") for _ in range(CELLS - blanks)]
    rng.shuffle(marks)
    rows = "/".join("".join(marks[at : at + 5]) for at in range(0, CELLS, 5))
    return GAME.parse_state(f"{rows} {rng.choice('xo')}")  # type: ignore[no-any-return]


def open_board(blanks: int, rng: Random) -> QuixoState:
    return next(
        board for board in iter(lambda: any_board(blanks, rng), None) if board.outcome() is None
    )


def masks_without(place: Blanks, every: int = 1) -> NDArray[np.int64]:
    """What the mover's cubes may be on the cells that are not blank."""
    masks = np.arange(0, 1 << CELLS - len(place), every)
    for cell in place:
        below = (1 << cell) - 1
        masks = (masks & below) | (masks & ~below) << 1
    return masks
