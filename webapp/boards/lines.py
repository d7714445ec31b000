"""Winning lines on a square board: which are full, where they are drawn, and in words."""

from __future__ import annotations

from dataclasses import dataclass

from engine.square import Line, Square, bits
from webapp.boards.grid import UNIT, Shape, centre

NUMBERS = {3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line of the overlay, from centre to centre of two cells and a little beyond."""

    x1: float
    y1: float
    x2: float
    y2: float
    mark: str


def shape_of(board: Square) -> Shape:
    """A square board as a grid."""
    return Shape(board.size, board.size)


def full_lines(board: Square, mask: int) -> tuple[Line, ...]:
    """Every line that lies wholly within the mask."""
    return tuple(line for line in board.lines if mask & line.mask == line.mask)


def stroke(board: Square, line: Line, mark: str) -> Stroke:
    """The line through a row, column or diagonal, reaching a third of a cell beyond."""
    ends = list(bits(line.mask))
    (x1, y1), (x2, y2) = (centre(shape_of(board), ends[at]) for at in (0, -1))
    beyond = UNIT * 0.34
    across, down = _sign(x2 - x1) * beyond, _sign(y2 - y1) * beyond
    return Stroke(x1 - across, y1 - down, x2 + across, y2 + down, mark)


def in_words(board: Square, line: Line) -> str:
    """`five in row 3`, `three on the rising diagonal`."""
    preposition = "on" if "diagonal" in line.name else "in"
    return f"{NUMBERS[board.size]} {preposition} {line.name}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
