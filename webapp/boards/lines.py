"""Lines of a square board: which are full, their strokes in the overlay, and their names."""

from __future__ import annotations

from dataclasses import dataclass

from engine.square import Line, Square, bits
from webapp.boards.grid import UNIT, Shape, centre

NUMBERS = {3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line of the overlay through a row, column or diagonal."""

    x1: float
    y1: float
    x2: float
    y2: float
    mark: str


def square_shape(board: Square) -> Shape:
    """The grid of a square board."""
    return Shape(board.size, board.size)


def full_lines(board: Square, mask: int) -> tuple[Line, ...]:
    """Every line whose cells are all in the mask."""
    return tuple(line for line in board.lines if mask & line.mask == line.mask)


def stroke(board: Square, line: Line, mark: str) -> Stroke:
    """The stroke through a line, a third of a cell longer at both ends."""
    ends = list(bits(line.mask))
    (x1, y1), (x2, y2) = (centre(square_shape(board), ends[at]) for at in (0, -1))
    beyond = UNIT * 0.34
    across, down = _sign(x2 - x1) * beyond, _sign(y2 - y1) * beyond
    return Stroke(x1 - across, y1 - down, x2 + across, y2 + down, mark)


def line_text(board: Square, line: Line) -> str:
    """`five in row 3`, `three on the rising diagonal`."""
    preposition = "on" if "diagonal" in line.name else "in"
    return f"{NUMBERS[board.size]} {preposition} {line.name}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
