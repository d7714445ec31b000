"""Positions as one drawing, for a game's card: nothing to press, nothing to read aloud."""

from __future__ import annotations

from dataclasses import dataclass

from engine.nim import NimState
from engine.quixo import QuixoState
from engine.square import Square
from engine.tictactoe import BOARD, TicTacToeState
from webapp.boards.square_board import UNIT, centre, mark_at

STICK_WIDTH = 24
STICK_HEIGHT = 36


@dataclass(frozen=True, slots=True)
class NimPicture:
    """Where each match stands in the drawing."""

    sticks: tuple[tuple[int, int], ...]
    width: int
    height: int
    template: str = "boards/nim_picture.html"
    prompt: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class SquarePicture:
    """Where each cube lies in the drawing, and its mark."""

    cubes: tuple[tuple[int, int, str], ...]
    width: int
    template: str = "boards/square_picture.html"
    prompt: str | None = None
    why: str | None = None


def nim_picture(state: NimState) -> NimPicture:
    """The heaps as rows of matches, each row in the middle."""
    width = max(state.heaps) * STICK_WIDTH
    sticks = [
        ((width - count * STICK_WIDTH) // 2 + place * STICK_WIDTH, row * STICK_HEIGHT)
        for row, count in enumerate(state.heaps)
        for place in range(count)
    ]
    return NimPicture(tuple(sticks), width, len(state.heaps) * STICK_HEIGHT)


def tictactoe_picture(state: TicTacToeState) -> SquarePicture:
    return _square_picture(BOARD, state.x, state.o)


def quixo_picture(state: QuixoState) -> SquarePicture:
    return _square_picture(state.table.square, state.x, state.o)


def _square_picture(board: Square, x: int, o: int) -> SquarePicture:
    cubes = []
    for bit in range(board.size**2):
        across, down = centre(board, bit)
        cubes.append((across - UNIT // 2, down - UNIT // 2, mark_at(bit, x, o)))
    return SquarePicture(tuple(cubes), board.size * UNIT)
