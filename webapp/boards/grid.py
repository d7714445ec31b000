"""What boards of cells share: names, labels and coordinates; up to 12 wide and 12 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from agents.core import Candidate
from agents.wording import decimal, end_in_sight
from engine.core import Seat
from webapp.boards.scene import Scene

UNIT = 100  # a cell's width in the overlay's own measure
THIN_SPACE = "\u202f"
MARKS = tuple(seat.mark for seat in Seat)
MOST = 12  # rows or columns


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
    classes: str  # how it looks: won, dim, last, picked, hinted, gone, end-1 …
    badge: Badge | None = None
    sign: str = ""  # a letter, a number or a picture on the cell, where it shows no mark

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
    sign: str = "",
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
    return Cell(name, mark, label, action, value, " ".join(classes), worth, sign)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the board with the number at its edge."""

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A board of cells, `wide` to the right and `high` upwards; bit 0 is a1, bit `wide` a2."""

    wide: int
    high: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells, in the order of their bits."""
        return tuple(f"{column}{row + 1}" for row in range(self.high) for column in columns(self))


def columns(shape: Shape) -> tuple[str, ...]:
    """The letters at the lower edge."""
    return tuple(ascii_lowercase[: shape.wide])


def from_the_top(shape: Shape, cells: Mapping[int, Cell]) -> tuple[Row, ...]:
    """The rows as they are read on the screen; `cells` by bit."""
    return tuple(
        Row(str(row + 1), tuple(cells[row * shape.wide + column] for column in range(shape.wide)))
        for row in reversed(range(shape.high))
    )


def centre(shape: Shape, bit: int) -> tuple[int, int]:
    """Where a cell's middle is in the overlay: to the right, and down from the top."""
    row, column = divmod(bit, shape.wide)
    return column * UNIT + UNIT // 2, (shape.high - 1 - row) * UNIT + UNIT // 2


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


@dataclass(frozen=True, slots=True)
class Face:
    """How a cell looks, apart from what is the same in every game."""

    shows: str  # x, o, or a word for what lies there: `empty`, `eaten`
    classes: tuple[str, ...] = ()  # `gone`: there is nothing any more
    sign: str = ""


@dataclass(frozen=True, slots=True)
class GridBoard:
    """The board of a game whose every move is a cell (`webapp.boards.grid.grid_board`)."""

    name: str  # for a screen reader: Chomp board
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    wide: int
    high: int
    moved: str  # the last move, which the page brings to life
    mover: str  # the mark a press would make, if it makes one
    playable: bool
    rule: str = ""  # a line above the board
    prompt: str | None = None
    why: str | None = None
    strokes: tuple[object, ...] = ()
    template: str = "boards/_grid.html"


def grid_board(
    scene: Scene,
    shape: Shape,
    face: Callable[[str], Face],
    *,
    rule: str = "",
    why: str | None = None,
    marks: bool = False,
) -> GridBoard:
    """The board as it stands, for a game whose moves are written as cells.

    `face` says how the cell of a name looks; with `marks` a press makes the mover's mark.
    """
    if not (1 <= shape.wide <= MOST and 1 <= shape.high <= MOST):
        raise ValueError(f"a board has 1 to {MOST} rows and columns, not {shape}")
    legal = {str(move) for move in scene.state.legal_moves()}
    cells = {
        bit: _grid_cell(scene, legal, name, face(name)) for bit, name in enumerate(shape.cells)
    }
    return GridBoard(
        name=f"{scene.game.title} board",
        rows=from_the_top(shape, cells),
        columns=columns(shape),
        wide=shape.wide,
        high=shape.high,
        moved=str(scene.last_move or ""),
        mover=scene.state.to_move.mark if marks else "",
        playable=scene.may_move,
        rule=rule,
        why=why if scene.outcome else None,
    )


def _grid_cell(scene: Scene, legal: set[str], name: str, face: Face) -> Cell:
    facts = {"last": str(scene.last_move) == name, "hinted": scene.hint == name}
    classes = (*face.classes, *(fact for fact, holds in facts.items() if holds))
    press = ("move" if scene.may_move and name in legal else "none", name, "")
    worth = badge(scene.values[name]) if name in scene.values and name in legal else None
    return cell(name, face.shows, press, classes, worth, face.sign)
