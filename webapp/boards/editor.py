"""Board editors: every button holds the text of the position after pressing it.

The text need not be a valid position, since editing passes through invalid ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from engine.core import Game, Seat
from engine.errors import InvalidTextError
from engine.nim import NimState
from engine.square import Square, square
from engine.tictactoe import BOARD
from webapp.boards.grid import Badge, Board, columns, join_label, mark_at
from webapp.boards.nim import MAX_SINGLE_STICKS, Heap
from webapp.boards.square import square_shape

BLANK = "blank"
BRUSHES = (*(seat.mark for seat in Seat), BLANK)
HEAP_STEPS = (-5, -1, 1, 5)  # buttons of a heap with too many matches to press


@dataclass(frozen=True, slots=True)
class EditTool:
    """A button that changes more than a cell; `current` if it would change nothing."""

    label: str
    state: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class EditCell:
    """One cell, with the text of the position after pressing it."""

    name: str
    mark: str
    label: str  # b2, x, place o
    state: str
    badge: Badge | None


@dataclass(frozen=True, slots=True)
class EditStick:
    """One match of a heap, or the place of a taken one."""

    number: int
    stands: bool
    label: str
    state: str
    badge: Badge | None  # of taking it and those to its right


@dataclass(frozen=True, slots=True)
class EditHeap:
    """A row of matches to press, or, if they are too many, buttons that add and remove some."""

    name: str
    count: int
    sticks: tuple[EditStick, ...]
    steps: tuple[EditTool, ...]
    best: tuple[tuple[str, Badge], ...]  # of a large heap: how many to take, and its value


@dataclass(frozen=True, slots=True)
class SquareEditor:
    """Cells of marks; pressing one places the brush."""

    rows: tuple[tuple[str, tuple[EditCell, ...]], ...]  # top row first: its number, its cells
    columns: tuple[str, ...]
    wide: int
    strokes: tuple[object, ...]
    turns: tuple[EditTool, ...]
    tools: tuple[EditTool, ...]
    brushes: tuple[str, ...] = BRUSHES
    high: int = 0
    template: str = "boards/_edit_square.html"


@dataclass(frozen=True, slots=True)
class NimEditor:
    """Heaps; pressing a match sets how many are left."""

    heaps: tuple[EditHeap, ...]
    turns: tuple[EditTool, ...]
    tools: tuple[EditTool, ...]
    brushes: tuple[str, ...] = ()
    template: str = "boards/_edit_nim.html"


Editor = SquareEditor | NimEditor


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of a square board, valid or not."""

    board: Square
    x: int
    o: int
    to_move: Seat

    def __str__(self) -> str:
        return self.board.write(self.x, self.o, self.to_move)

    def with_mark(self, bit: int, brush: str) -> _Marks:
        """Place the brush on a cell, or clear it if the same mark is there."""
        at, shown = 1 << bit, mark_at(bit, self.x, self.o)
        x, o = self.x & ~at, self.o & ~at
        if brush != shown:
            x, o = (x | at if brush == "x" else x), (o | at if brush == "o" else o)
        return replace(self, x=x, o=o)

    def turned(self, turn: tuple[int, ...]) -> _Marks:
        return replace(self, x=self.board.turned(self.x, turn), o=self.board.turned(self.o, turn))

    def in_turn(self) -> _Marks:
        """Derive the seat to move from the number of marks, if they fit."""
        ahead = self.x.bit_count() - self.o.bit_count()
        return replace(self, to_move=Seat(ahead)) if ahead in (0, 1) else self


def editor_for(
    game: Game[Any, Any], text: str, brush: str = "x", board: Board | None = None
) -> Editor | None:
    """The editor of this text; None for a game without one, or a text that cannot be drawn.

    `board` is the board of the position, if it is valid: its badges and strokes are shown.
    """
    make = EDITORS.get(game.key)
    try:
        return None if make is None else make(game, text, brush, board)
    except InvalidTextError:
        return None


def _tictactoe(game: Game[Any, Any], text: str, brush: str, board: Board | None) -> SquareEditor:
    return _square(BOARD, text, brush, board, _Marks.in_turn)


def _quixo(game: Game[Any, Any], text: str, brush: str, board: Board | None) -> SquareEditor:
    return _square(square(game.start.table.size), text, brush, board, lambda marks: marks)


def _square(
    board: Square, text: str, brush: str, shown: Board | None, settle: Callable[[_Marks], _Marks]
) -> SquareEditor:
    marks = _Marks(board, *board.read(text))
    worths = _badges(shown)

    def cell(bit: int) -> EditCell:
        name, mark = board.cells[bit], mark_at(bit, marks.x, marks.o)
        after = settle(marks.with_mark(bit, brush))
        lies = mark_at(bit, after.x, after.o)
        doing = f"place {lies}" if lies else "make it blank" if mark else ""
        worth = worths.get(name)
        label = join_label(name, mark or BLANK, doing, worth.label if worth else "")
        return EditCell(name, mark, label, str(after), worth)

    span = range(board.size)
    return SquareEditor(
        rows=tuple(
            (str(row + 1), tuple(cell(row * board.size + column) for column in span))
            for row in reversed(span)
        ),
        columns=columns(square_shape(board)),
        wide=board.size,
        high=board.size,
        strokes=getattr(shown, "strokes", ()),
        turns=_turns(marks),
        tools=(
            EditTool("Clear", board.write(0, 0, Seat.FIRST)),
            EditTool("Mirror", str(marks.turned(_mirror(board)))),
            EditTool("Turn", str(marks.turned(board.turns[1]))),
        ),
    )


def _mirror(board: Square) -> tuple[int, ...]:
    """The symmetry that swaps left and right: a1 goes to the last column of row 1."""
    last = board.size - 1
    return next(turn for turn in board.turns if turn[0] == last and turn[last] == 0)


def _badges(board: Board | None) -> Mapping[str, Badge]:
    """The badges of the board by cell."""
    rows: Any = getattr(board, "rows", ())
    return {cell.name: cell.badge for row in rows for cell in row.cells if cell.badge}


def _nim(game: Game[Any, Any], text: str, brush: str, board: Board | None) -> NimEditor:
    """The Nim editor; every text that can be parsed is a valid position."""
    state: NimState = game.parse_state(text)
    began: tuple[int, ...] = game.start.heaps
    shown: Any = getattr(board, "heaps", None) or (None,) * len(began)
    heaps = tuple(_heap(state, at, most, shown[at]) for at, most in enumerate(began))
    return NimEditor(heaps, _turns(state), tuple(_nim_tools(state, began)))


def _nim_tools(state: NimState, began: tuple[int, ...]) -> Iterator[EditTool]:
    yield EditTool("Fill up", str(replace(state, heaps=began)))
    yield EditTool("Clear", str(replace(state, heaps=(0,) * len(began))))
    mirrored = state.heaps[::-1]
    fits = all(left <= most for left, most in zip(mirrored, began, strict=True))
    if fits and mirrored != state.heaps:
        yield EditTool("Mirror", str(replace(state, heaps=mirrored)))


def _heap(state: NimState, at: int, most: int, shown: Heap | None) -> EditHeap:
    name, count = ascii_lowercase[at], state.heaps[at]
    badges = [] if shown is None else [stick.badge for stick in shown.sticks]

    def leaving(left: int) -> str:
        heaps = (*state.heaps[:at], min(max(left, 0), most), *state.heaps[at + 1 :])
        return str(replace(state, heaps=heaps))

    def stick(number: int) -> EditStick:
        left = number - 1 if number == count else number
        worth = badges[number - 1] if number <= len(badges) else None
        label = join_label(f"row {name}, leave {left}", worth.label if worth else "")
        return EditStick(number, number <= count, label, leaving(left), worth)

    if most <= MAX_SINGLE_STICKS:
        return EditHeap(name, count, tuple(map(stick, range(1, most + 1))), (), ())
    steps = (EditTool(f"{step:+d}".replace("-", "−"), leaving(count + step)) for step in HEAP_STEPS)
    return EditHeap(name, count, (), tuple(steps), () if shown is None else shown.best)


def _turns(now: _Marks | NimState) -> tuple[EditTool, ...]:
    """The buttons that set the seat to move."""
    return tuple(
        EditTool(f"{seat.mark} to move", str(replace(now, to_move=seat)), now.to_move is seat)
        for seat in Seat
    )


EDITORS: Mapping[str, Callable[[Game[Any, Any], str, str, Board | None], Editor]] = {
    "nim": _nim,
    "tictactoe": _tictactoe,
    "quixo": _quixo,
}
