"""What boards of cells share: names, labels and coordinates; up to 12 wide and 12 high."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from string import ascii_lowercase
from typing import Any, TypeVar

from agents.core import Candidate, rank
from agents.formats import decimal, end_in_sight
from engine.core import Seat
from webapp.boards.scene import BeadCount, Scene

UNIT = 100  # a cell's width in the overlay's own measure
THIN_SPACE = "\u202f"
MARKS = tuple(seat.mark for seat in Seat)
MOST = 12  # rows or columns
FEW = 4  # values that are shown where there is no room for all

At = TypeVar("At", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Badge:
    """What a move is worth, small enough for a cell's corner."""

    meaning: str  # win, draw, loss or open
    text: str  # ▲5
    label: str  # win in 5
    is_top: bool = False  # one of the best: shown also where there is no room for all


@dataclass(frozen=True, slots=True)
class Cell:
    """One button of the board. `action` says what pressing it does."""

    name: str  # b2
    mark: str  # x, o or nothing
    label: str  # b2, x, last move
    action: str  # move, pick, unpick, ask (why it is no move) or none
    value: str  # what is sent
    classes: str  # how it looks: won, dim, last, picked, hinted, answered, gone, end-1 …
    badge: Badge | None = None
    sign: str = ""  # a letter, a number or a picture on the cell, where it shows no mark

    @property
    def looks(self) -> bool:
        """Whether pressing it shows another look at the board, and changes nothing."""
        return self.action in ("pick", "unpick", "ask")


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
        "your answer" if "answered" in classes else "",
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


def badges(worths: Mapping[At, Candidate[Any]]) -> dict[At, Badge]:
    """What lies where, by place: nothing where a technique has no value, or the same for all."""
    shown = {at: worth for at, worth in worths.items() if worth.value is not None}
    made = {at: badge(worth) for at, worth in shown.items()}
    if len(set(made.values())) == 1 and not any(worth.proven for worth in shown.values()):
        return {}
    few = _few(shown, made) if shown else set()
    return {at: replace(one, is_top=at in few) for at, one in made.items()}


def _few(shown: Mapping[At, Candidate[Any]], made: Mapping[At, Badge]) -> set[At]:
    """The best, and all that equal the best; moves that lose only where every move does."""
    best, *rest = sorted(shown, key=lambda at: rank(shown[at]))[:FEW]
    lost = made[best].meaning == "loss"
    near = {at for at in rest if lost or made[at].meaning != "loss"}
    return {best, *near, *(at for at, one in made.items() if one == made[best])}


def badge(candidate: Candidate[Any]) -> Badge:
    """▲5 for a win in five plies, ~ .22 for a value that is not proven."""
    value = candidate.value or 0.0
    if not candidate.proven:
        text = decimal(value)
        return Badge("open", f"~{THIN_SPACE}{text.replace('0.', '.')}", f"about {text}")
    words = end_in_sight(value, candidate.plies)
    if value == 0:
        return Badge("draw", "=", words)
    plies = "" if candidate.plies is None else str(candidate.plies)
    glyph, word = ("▲", "win") if value > 0 else ("▼", "loss")
    return Badge(word, f"{glyph}{plies}", words)


def badges_by_cell(scene: Scene) -> dict[str, Badge]:
    """For a game whose every move is a cell: by its name."""
    legal = {str(move) for move in scene.state.legal_moves()}
    if scene.tallies:
        return {move: counted_badge(one) for move, one in scene.tallies.items() if move in legal}
    return badges({move: worth for move, worth in scene.values.items() if move in legal})


def counted_badge(tally: BeadCount) -> Badge:
    """As many as there are, in their colour."""
    return Badge(f"tally bead-{tally.colour}", tally.count, f"{tally.count} beads", is_top=True)


def pressing(scene: Scene, *, is_legal: bool) -> str:
    """What a press on a cell does: move, or ask why that is no move; nothing at others' turns."""
    if not scene.may_move:
        return "none"
    return "move" if is_legal else "ask"


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
    worths = badges_by_cell(scene)
    cells = {
        bit: _grid_cell(scene, legal, name, face(name), worths.get(name))
        for bit, name in enumerate(shape.cells)
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


def _grid_cell(scene: Scene, legal: set[str], name: str, face: Face, worth: Badge | None) -> Cell:
    facts = {
        "last": str(scene.last_move) == name,
        "hinted": scene.hint == name,
        "answered": scene.answer == name,
    }
    classes = (*face.classes, *(fact for fact, holds in facts.items() if holds))
    press = (pressing(scene, is_legal=name in legal), name, "")
    return cell(name, face.shows, press, classes, worth, face.sign)
