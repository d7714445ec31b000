"""What tic-tac-toe and Quixo boards share: cells with names, coordinates and winning lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from agents.core import Candidate
from agents.wording import decimal, end_in_sight
from engine.core import Seat
from engine.square import Line, Square, bits

UNIT = 100  # a cell's width in the overlay's own measure
THIN_SPACE = "\u202f"
MARKS = tuple(seat.mark for seat in Seat)
NUMBERS = {3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Badge:
    """What a move is worth, small enough for a cell's corner."""

    meaning: str  # win, draw, loss or open
    text: str  # ▲5
    label: str  # win in 5


@dataclass(frozen=True, slots=True)
class Cell:
    """One button of the board. `action` says what pressing it does."""

    name: str  # b2
    mark: str  # x, o or nothing
    label: str  # b2, x, last move
    action: str  # move, pick, unpick or none
    value: str  # what is sent
    classes: str  # how it looks: won, dim, last, picked, hinted, end-1 …
    badge: Badge | None = None

    @property
    def looks(self) -> bool:
        """Whether pressing it shows another look at the board, and changes nothing."""
        return self.action in ("pick", "unpick")


@lru_cache(maxsize=8192)
def cell(
    name: str,
    shows: str,  # x, o, or the word for nothing
    press: tuple[str, str, str],  # what pressing it does, what it sends, and that in words
    classes: tuple[str, ...],
    worth: Badge | None,
) -> Cell:
    """A cell with its label; the same few recur on every board."""
    action, value, doing = press
    label = listed(
        name,
        shows,
        doing,
        "last move" if "last" in classes else "",
        worth.label if worth else "",
        "hint" if "hinted" in classes else "",
    )
    mark = shows if shows in MARKS else ""
    return Cell(name, mark, label, action, value, " ".join(classes), worth)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the board with the number at its edge."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line of the overlay, from centre to centre of two cells and a little beyond."""

    x1: float
    y1: float
    x2: float
    y2: float
    mark: str


def columns(board: Square) -> tuple[str, ...]:
    """The letters at the lower edge."""
    return tuple(ascii_lowercase[: board.size])


def from_the_top(board: Square, cells: Mapping[int, Cell]) -> tuple[Row, ...]:
    """The rows as they are read on the screen; `cells` by bit."""
    span = range(board.size)
    return tuple(
        Row(str(row + 1), tuple(cells[row * board.size + column] for column in span))
        for row in reversed(span)
    )


def centre(board: Square, bit: int) -> tuple[int, int]:
    """Where a cell's middle is in the overlay: to the right, and down from the top."""
    row, column = divmod(bit, board.size)
    return column * UNIT + UNIT // 2, (board.size - 1 - row) * UNIT + UNIT // 2


def full_lines(board: Square, mask: int) -> tuple[Line, ...]:
    """Every line that lies wholly within the mask."""
    return tuple(line for line in board.lines if mask & line.mask == line.mask)


def stroke(board: Square, line: Line, mark: str) -> Stroke:
    """The line through a row, column or diagonal, reaching a third of a cell beyond."""
    ends = list(bits(line.mask))
    (x1, y1), (x2, y2) = centre(board, ends[0]), centre(board, ends[-1])
    beyond = UNIT * 0.34
    across, down = _sign(x2 - x1) * beyond, _sign(y2 - y1) * beyond
    return Stroke(x1 - across, y1 - down, x2 + across, y2 + down, mark)


def in_words(board: Square, line: Line) -> str:
    """`five in row 3`, `three on the rising diagonal`."""
    preposition = "on" if "diagonal" in line.name else "in"
    return f"{NUMBERS[board.size]} {preposition} {line.name}"


def mark_at(bit: int, x: int, o: int) -> str:
    """The mark on a cell, or nothing."""
    first, second = MARKS
    return first if x >> bit & 1 else second if o >> bit & 1 else ""


def listed(*parts: str) -> str:
    """The parts that say something, as a name is read aloud: `b2, x, last move`."""
    return ", ".join(part for part in parts if part)


def badge(candidate: Candidate[object]) -> Badge | None:
    """▲5 for a win in five plies, ~.2 for a value that is not proven, nothing without a value."""
    if candidate.value is None:
        return None
    plies = "" if candidate.plies is None else str(candidate.plies)
    if not candidate.proven:
        text = decimal(candidate.value, 1)
        return Badge("open", f"~{THIN_SPACE}{text.replace('0.', '.')}", f"about {text}")
    words = end_in_sight(candidate.value, candidate.plies)
    if candidate.value == 0:
        return Badge("draw", "=", words)
    glyph, word = ("▲", "win") if candidate.value > 0 else ("▼", "loss")
    return Badge(word, f"{glyph}{plies}", words)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
