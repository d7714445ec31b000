"""What a board is made of, what it gives, and boards of cells: labels, coordinates, badges."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from string import ascii_lowercase
from typing import Any, Protocol, TypeVar

from agents.core import Candidate, rank
from agents.formats import counted, decimal, proven_text
from engine.core import Game, Outcome, Seat

UNIT = 100  # width of a cell in the overlay
THIN_SPACE = "\u202f"
MARKS = tuple(seat.mark for seat in Seat)
MAX_SIDE = 12  # rows or columns
MAX_TOP_BADGES = 4  # shown where there is no room for all

At = TypeVar("At", bound=Hashable)


@dataclass(frozen=True, slots=True)
class BeadCount:
    """The beads that a matchbox holds for a move."""

    colour: int
    count: str
    label: str  # 2 beads, shared by a3 and c3


@dataclass(frozen=True, slots=True)
class Scene:
    """One position for one visitor."""

    game: Game[Any, Any]
    state: Any
    may_move: bool = False
    pick: str | None = None  # the first half of a move, as the visitor sent it
    last_move: Any = None
    outcome: Outcome | None = None  # if the game is over here
    values: Mapping[str, Candidate[Any]] = field(default_factory=dict)  # by the move's text
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # by move, instead of values
    hint: str | None = None  # the text of a move
    answer: str | None = None  # the text of the move the visitor has voted for
    aid: bool = False  # with the board's thinking aid
    votes: Mapping[str, int] = field(default_factory=dict)  # by the move's text
    one_tap: bool = False  # a press that could be a move is one, and need not be confirmed


class Board(Protocol):
    """The result of `webapp.boards.board_for`: one frozen dataclass per game."""

    @property
    def template(self) -> str:
        """The template that draws it, such as `boards/_nim.html`."""

    @property
    def prompt(self) -> str | None:
        """How to complete a half-made move (`Push d5 back in at an arrow: a5 or d1`), else None."""

    @property
    def opening(self) -> str:
        """What to press first (`take a blank cube from the rim`), said after whose turn it is."""

    @property
    def why(self) -> str | None:
        """How the game ended on the board (`five in row 3`), else None."""


@dataclass(frozen=True, slots=True)
class BoardContext:
    """What a board's template reads from a page (as `match`) that is no match."""

    game: str
    url: str = ""
    moves_url: str = ""
    aid_url: str | None = None
    reply: None = None
    watching: bool = False
    analysis: None = None  # none is drawn over the board


@dataclass(frozen=True, slots=True)
class Badge:
    """The value of a move, short enough for the corner of a cell."""

    meaning: str  # win, draw, loss or open
    text: str  # ▲5
    label: str  # win in 5
    is_top: bool = False  # one of the best, shown even where there is no room for all
    votes: str = ""  # how many have voted for it


@dataclass(frozen=True, slots=True)
class Cell:
    """One button of the board."""

    name: str  # b2
    mark: str  # x, o or nothing
    label: str  # b2, x, last move
    action: str  # move, pick, unpick, ask (why it is no move) or none
    value: str  # sent by a press
    classes: str  # CSS: won, dim, last, picked, hinted, answered, gone, end-1 …
    badge: Badge | None = None
    sign: str = ""  # a letter, number or picture on a cell without a mark

    @property
    def looks(self) -> bool:
        """Whether pressing it is a GET that changes nothing."""
        return self.action in ("pick", "unpick", "ask")


@lru_cache(maxsize=8192)
def cell(
    name: str,
    shows: str,  # x, o, or the word for an empty cell
    press: tuple[str, str, str],  # action, value, and the action in words
    classes: tuple[str, ...],
    worth: Badge | None,
    sign: str = "",
) -> Cell:
    """A cell with its label; cached, since the same few recur on every board."""
    action, value, doing = press
    label = join_label(
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
    """A row of the board; its name is the number at the edge."""

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
    """The letters at the bottom edge."""
    return tuple(ascii_lowercase[: shape.wide])


def rows_from_top(shape: Shape, cells: Mapping[int, Cell]) -> tuple[Row, ...]:
    """The rows, top row first; `cells` is by bit."""
    return tuple(
        Row(str(row + 1), tuple(cells[row * shape.wide + column] for column in range(shape.wide)))
        for row in reversed(range(shape.high))
    )


def centre(shape: Shape, bit: int) -> tuple[int, int]:
    """The centre of a cell in the overlay: x to the right, y down from the top."""
    row, column = divmod(bit, shape.wide)
    return column * UNIT + UNIT // 2, (shape.high - 1 - row) * UNIT + UNIT // 2


def mark_at(bit: int, x: int, o: int) -> str:
    """The mark on a cell; empty if there is none."""
    first, second = MARKS
    return first if x >> bit & 1 else second if o >> bit & 1 else ""


def join_label(*parts: str) -> str:
    """Join the non-empty parts of an accessible name: `b2, x, last move`."""
    return ", ".join(part for part in parts if part)


def badges(worths: Mapping[At, Candidate[Any]]) -> dict[At, Badge]:
    """Badges by place; none if no candidate has a value, or all have the same unproven one."""
    valued = {at: worth for at, worth in worths.items() if worth.value is not None}
    made = {at: badge(worth) for at, worth in valued.items()}
    if len(set(made.values())) == 1 and not any(worth.proven for worth in valued.values()):
        return {}
    top = _top_places(valued, made) if valued else set()
    return {at: replace(one, is_top=at in top) for at, one in made.items()}


def _top_places(valued: Mapping[At, Candidate[Any]], made: Mapping[At, Badge]) -> set[At]:
    """The places of the best candidates and of all equal to the best.

    Losing moves are among them only if every move loses.
    """
    best, *rest = sorted(valued, key=lambda at: rank(valued[at]))[:MAX_TOP_BADGES]
    lost = made[best].meaning == "loss"
    near = {at for at in rest if lost or made[at].meaning != "loss"}
    return {best, *near, *(at for at, one in made.items() if one == made[best])}


def badge(candidate: Candidate[Any]) -> Badge:
    """The badge of a candidate: ▲5 for a win in five plies, ~ .22 for an unproven value."""
    value = candidate.value or 0.0
    if not candidate.proven:
        text = decimal(value)
        return Badge("open", f"~{THIN_SPACE}{text.replace('0.', '.')}", f"about {text}")
    words = proven_text(value, candidate.plies)
    if value == 0:
        return Badge("draw", "=", words)
    plies = "" if candidate.plies is None else str(candidate.plies)
    glyph, word = ("▲", "win") if value > 0 else ("▼", "loss")
    return Badge(word, f"{glyph}{plies}", words)


def badges_by_cell(scene: Scene) -> dict[str, Badge]:
    """Badges by the name of the cell, for a game whose moves are cells."""
    legal = {str(move) for move in scene.state.legal_moves()}
    if scene.tallies:
        return {move: _bead_badge(one) for move, one in scene.tallies.items() if move in legal}
    worths = badges({move: worth for move, worth in scene.values.items() if move in legal})
    return with_votes(worths, {move: n for move, n in scene.votes.items() if move in legal})


def with_votes(worths: dict[At, Badge], votes: Mapping[At, int]) -> dict[At, Badge]:
    """The badges with the votes for each place."""
    told = {at: counted(count, "vote", "votes") for at, count in votes.items() if count}
    voted = {
        at: replace(
            worths.get(at, Badge("open", "", "")),
            votes=str(votes[at]),
            label=join_label(worths[at].label if at in worths else "", text),
            is_top=True,
        )
        for at, text in told.items()
    }
    return worths | voted


def _bead_badge(tally: BeadCount) -> Badge:
    """The number of beads, in their colour."""
    return Badge(f"tally bead-{tally.colour}", tally.count, tally.label, is_top=True)


def press_action(scene: Scene, *, is_legal: bool) -> str:
    """The action of a cell: move, ask why it is no move, or none if it is not one's turn."""
    if not scene.may_move:
        return "none"
    return "move" if is_legal else "ask"


@dataclass(frozen=True, slots=True)
class Face:
    """The game-specific look of a cell."""

    shows: str  # x, o, or a word for its content: `empty`, `eaten`
    classes: tuple[str, ...] = ()  # `gone`: the cell is no longer part of the board
    sign: str = ""


@dataclass(frozen=True, slots=True)
class GridBoard:
    """The board of a game whose moves are cells, made by `grid_board`."""

    name: str  # accessible name: Chomp board
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    wide: int
    high: int
    moved: str  # the last move, which the page animates
    mover: str  # the mark that a press makes, if any
    playable: bool
    rule: str = ""  # a line above the board
    prompt: str | None = None
    opening: str = ""
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
    """Build the board of a game whose moves are written as cells.

    `face` gives the look of the cell with a name; with `marks` a press makes the mover's mark.
    """
    if not (1 <= shape.wide <= MAX_SIDE and 1 <= shape.high <= MAX_SIDE):
        raise ValueError(f"a board has 1 to {MAX_SIDE} rows and columns, not {shape}")
    legal = {str(move) for move in scene.state.legal_moves()}
    worths = badges_by_cell(scene)
    cells = {
        bit: _grid_cell(scene, legal, name, face(name), worths.get(name))
        for bit, name in enumerate(shape.cells)
    }
    return GridBoard(
        name=f"{scene.game.title} board",
        rows=rows_from_top(shape, cells),
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
    press = (press_action(scene, is_legal=name in legal), name, "")
    return cell(name, face.shows, press, classes, worth, face.sign)
