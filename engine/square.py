"""A square board of marks as two bit masks: its cells, lines, symmetries and text.

Bit 0 is a1; columns run to the right, rows upwards: on 3×3, bit 5 is c2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase
from typing import Any

from engine.core import Seat
from engine.errors import InvalidMoveError, InvalidStateError, quoted

Weights = Sequence[float]  # [marks on a line, 0 to the size of the board]
Evaluation = Callable[[Any], float]  # for the side to move, strictly between -1 and 1


@dataclass(frozen=True, slots=True)
class Line:
    """A row, column or main diagonal, as a mask and by name."""

    name: str
    mask: int


@dataclass(frozen=True, slots=True)
class Square:
    """An n×n board; `cells[bit]` is the cell's name."""

    size: int
    cells: tuple[str, ...]
    lines: tuple[Line, ...]
    turns: tuple[tuple[int, ...], ...]  # the 8 rotations and reflections: turns[t][bit] -> bit

    def bit(self, text: str) -> int:
        """The bit of the cell with this name; raises InvalidMoveError."""
        if text not in self.cells:
            last = self.cells[-1]
            raise InvalidMoveError(text, f"{quoted(text)} is no cell: they run from a1 to {last}")
        return self.cells.index(text)

    def turned(self, mask: int, turn: tuple[int, ...]) -> int:
        """The mask after the turn."""
        return sum(1 << turn[bit] for bit in bits(mask))

    def line_of(self, mask: int) -> Line | None:
        """The first full line within the mask."""
        return next((line for line in self.lines if mask & line.mask == line.mask), None)

    def write(self, x: int, o: int, to_move: Seat) -> str:
        """`x.o/.x./..o x`: rows from the top, then who moves."""
        marks = ["x" if x >> bit & 1 else "o" if o >> bit & 1 else "." for bit in self._range]
        rows = ["".join(marks[start : start + self.size]) for start in self._range[:: self.size]]
        return f"{'/'.join(reversed(rows))} {to_move.mark}"

    def read(self, text: str) -> tuple[int, int, Seat]:
        """The masks of x and o, and who moves; raises InvalidStateError."""
        rows, _, mark = text.partition(" ")
        lengths = [len(row) for row in rows.split("/")]
        if lengths != [self.size] * self.size or mark not in ("x", "o"):
            shape = "/".join(["." * self.size] * self.size)
            why = f"{quoted(text)} does not look like '{shape} x': rows from the top, then x or o"
            raise InvalidStateError(text, why)
        marks = "".join(reversed(rows.split("/")))
        if wrong := set(marks) - set("xo."):
            why = f"{quoted(min(wrong))} is no mark: a cell is x, o or ."
            raise InvalidStateError(text, why)
        x, o = (sum(1 << bit for bit in self._range if marks[bit] == who) for who in "xo")
        return x, o, Seat.FIRST if mark == "x" else Seat.SECOND

    @property
    def _range(self) -> range:
        return range(self.size**2)


def bits(mask: int) -> Iterator[int]:
    """The indices of the set bits, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@cache
def square(size: int) -> Square:
    """The board of that size (cached)."""
    span = range(size)
    cells = tuple(f"{ascii_lowercase[column]}{row + 1}" for row in span for column in span)
    rows = [
        Line(f"row {row + 1}", sum(1 << row * size + column for column in span)) for row in span
    ]
    columns = [
        Line(f"column {ascii_lowercase[column]}", sum(1 << row * size + column for row in span))
        for column in span
    ]
    rising = Line("the rising diagonal", sum(1 << at * size + at for at in span))
    falling = Line("the falling diagonal", sum(1 << at * size + size - 1 - at for at in span))
    return Square(size, cells, (*rows, *columns, rising, falling), _turns(size))


def _turns(size: int) -> tuple[tuple[int, ...], ...]:
    """Four rotations, then four after a reflection; the first is the identity."""
    places = [(row, column) for row in range(size) for column in range(size)]
    last = size - 1
    turns = []
    for reflect in (False, True):
        turn = [(row, last - column) if reflect else (row, column) for row, column in places]
        for _ in range(4):
            turns.append(tuple(row * size + column for row, column in turn))
            turn = [(column, last - row) for row, column in turn]
    return tuple(turns)


@cache
def line_evaluation(size: int) -> Evaluation:
    """c·3^c for every line with c own marks, minus the same for the opponent's."""
    weights = [count * 3.0**count for count in range(size + 1)]
    lines = [weights] * len(square(size).lines)
    return weighted_lines(size, lines, lines, scale=weights[size - 1])


def weighted_lines(
    size: int, own: Sequence[Weights], theirs: Sequence[Weights], scale: float
) -> Evaluation:
    """own[line][c] for each line with c marks of the side to move, minus theirs[line][c].

    The total t is mapped to (-1, 1) by t / (|t| + scale). States have masks `x` and `o`.
    """
    lines = tuple(zip((line.mask for line in square(size).lines), own, theirs, strict=True))

    def evaluate(state: Any) -> float:
        first = state.to_move is Seat.FIRST
        mine, other = (state.x, state.o) if first else (state.o, state.x)
        total = 0.0
        for line, ours, rivals in lines:
            total += ours[(mine & line).bit_count()] - rivals[(other & line).bit_count()]
        return total / (abs(total) + scale)

    return evaluate
