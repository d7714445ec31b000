"""Positions as one drawing, for a game's card: nothing to press, nothing to read aloud."""

from __future__ import annotations

from dataclasses import dataclass

from engine.nim import NimState
from engine.quixo import QuixoState
from engine.square import Square
from engine.tictactoe import BOARD, TicTacToeState
from webapp.boards.grid import UNIT, GridBoard, centre, mark_at
from webapp.boards.lines import shape_of

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
class GridPicture:
    """Where each cube lies in the drawing, and its mark."""

    cubes: tuple[tuple[int, int, str], ...]
    width: int
    height: int
    template: str = "boards/grid_picture.html"
    prompt: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class PlainPicture:
    """A position as lines of text."""

    text: str
    template: str = "boards/plain_picture.html"
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


def tictactoe_picture(state: TicTacToeState) -> GridPicture:
    return _square_picture(BOARD, state.x, state.o)


def quixo_picture(state: QuixoState) -> GridPicture:
    return _square_picture(state.table.square, state.x, state.o)


TICTACTOE_CELLS = {name: centre(shape_of(BOARD), bit) for bit, name in enumerate(BOARD.cells)}


def _square_picture(board: Square, x: int, o: int) -> GridPicture:
    shape = shape_of(board)
    cubes = []
    for bit in range(board.size**2):
        across, down = centre(shape, bit)
        cubes.append((across - UNIT // 2, down - UNIT // 2, mark_at(bit, x, o)))
    return GridPicture(tuple(cubes), board.size * UNIT, board.size * UNIT)


def board_picture(board: GridBoard) -> GridPicture:
    """Any board of cells; where a cell is gone, nothing is drawn."""
    cubes = [
        (column * UNIT, row * UNIT, cell.mark)
        for row, cells in enumerate(board.rows)
        for column, cell in enumerate(cells.cells)
        if "gone" not in cell.classes.split()
    ]
    return GridPicture(tuple(cubes), board.wide * UNIT, board.high * UNIT)
