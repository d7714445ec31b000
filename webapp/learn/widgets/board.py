"""Widgets of boards to play on: cells, and heaps with or without their binary columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.core import Candidate
from agents.formats import counted
from agents.rules.nim_exhibit import columns_exhibit
from engine.errors import ZermeloError
from engine.match import Match
from engine.nim import NimState
from engine.nim_theory import nim_sum, winning_moves
from webapp.boards import board_for
from webapp.exhibits.columns import ColumnsView
from webapp.exhibits.exhibit import fixed_context
from webapp.learn.positions import Position, position_of, read_position
from webapp.learn.widgets.widget import REVEAL, START_AGAIN, Button, Widget
from webapp.questions.exact import known_verdicts

MAX_MOVES = 60
VERDICTS = {
    1: "▲ {0} wins from here with best play.",
    0: "= A draw with best play.",
    -1: "▼ {0} loses from here with best play of both.",
}


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """The moves made from a position, and whether the answer is shown."""

    match: Match[Any, Any]
    moves: tuple[str, ...]
    shown: bool

    @classmethod
    def of(cls, about: str, held: str) -> PlayedLine:
        """Replay the state; what cannot be played is ignored."""
        start = read_position(about)
        match = Match.begin(start.game, start.state)
        made: list[str] = []
        for text in held.removesuffix(REVEAL).split(".")[:MAX_MOVES]:
            try:
                match = match.play(match.game.parse_move(text))
            except ZermeloError:
                break
            made.append(text)
        return cls(match, tuple(made), held.endswith(REVEAL))

    def after(self, move: str) -> str:
        """The state after one more move."""
        return ".".join((*self.moves, move)) + REVEAL * self.shown

    @property
    def position(self) -> Position:
        return position_of(self.match)

    def presses(self, show: str, hide: str) -> tuple[Button, ...]:
        """Buttons: answer, take back, start again."""
        now = ".".join(self.moves)
        back = ".".join(self.moves[:-1]) + REVEAL * self.shown
        found = [] if not self.moves else [Button(back, "Take back"), START_AGAIN]
        if self.match.outcome() is None:
            found.insert(0, Button(now, hide) if self.shown else Button(now + REVEAL, show))
        return tuple(found)

    def status(self) -> str:
        """Who is to move, or the result."""
        outcome = self.match.outcome()
        if outcome is None:
            return f"{self.match.state.to_move.mark} to move"
        return "A draw" if outcome.winner is None else f"{outcome.winner.mark} has won"


def move_values(match: Match[Any, Any]) -> dict[str, Candidate[Any]]:
    """Every move with its exact value, as boards show it."""
    verdicts, _ = known_verdicts(match)
    return {
        move: Candidate(move, chance=0.0, value=float(verdict.value), proven=True)
        for move, verdict in verdicts.items()
    }


@dataclass(frozen=True, slots=True)
class PressedCell:
    """A cell: its mark, or the button that puts one there."""

    name: str
    mark: str
    label: str
    press: Button | None
    badge: Any
    classes: str


class Cells(Widget):
    """The board, with buttons on legal cells."""

    template = "learn/widgets/cells.html"
    sheets = ("boards/board",)

    def __init__(self, about: str, held: str) -> None:
        line = PlayedLine.of(about, held)
        match = line.match
        shown = line.shown and match.outcome() is None
        values = move_values(match) if shown else {}
        board: Any = board_for(
            match,
            ply=match.ply,
            may_move=match.outcome() is None,
            outcome=match.outcome(),
            values=values,
            last_move=match.moves[-1] if match.moves else None,
        )
        self.board, self.columns = board, board.columns
        self.rows = tuple(
            (row.name, tuple(_cell(line, cell) for cell in row.cells)) for row in board.rows
        )
        self.status = line.status()
        self.verdict = _verdict(match.state.to_move.mark, values) if shown else ""
        self.presses = line.presses("What is each move worth?", "Hide the values")
        self.position = line.position


def _cell(line: PlayedLine, cell: Any) -> PressedCell:
    press = None
    if cell.action == "move":
        press = Button(line.after(cell.value), "", cell.label)
    return PressedCell(cell.name, cell.mark, cell.label, press, cell.badge, cell.classes)


def _verdict(mover: str, values: dict[str, Candidate[Any]]) -> str:
    worth = [candidate.value or 0.0 for candidate in values.values()]
    text = VERDICTS[int(max(worth))].format(mover)
    lost = sum(value < 0 for value in worth)
    return f"{text} {counted(lost, 'move loses', 'moves lose')}." if lost else text


@dataclass(frozen=True, slots=True)
class HeapLine:
    """One heap, and its size in binary."""

    name: str
    count: int
    sticks: tuple[tuple[Button, str], ...]  # each with its classes: it and those right of it go
    bits: tuple[tuple[str, bool], ...]  # digit, in a column that is odd


class Heaps(Widget):
    """The heaps alone; the winner is shown on request."""

    template = "learn/widgets/heaps.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        line = PlayedLine.of(about, held)
        board: Any = board_for(
            line.match, ply=line.match.ply, may_move=line.match.outcome() is None
        )
        self.position, self.rule, self.status = line.position, board.rule, line.status()
        self.powers: tuple[str, ...] = ()
        self.total: tuple[tuple[str, bool], ...] = ()  # empty without columns
        self.exhibit: ColumnsView | None = None
        self._add(line)
        self.heaps = tuple(
            HeapLine(
                name=heap.name,
                count=heap.count,
                sticks=tuple(
                    (Button(line.after(stick.value), "", stick.label), stick.classes)
                    for stick in heap.sticks
                    if stick.action == "pick"
                ),
                bits=self._bits(heap.count),
            )
            for heap in board.heaps
        )

    def _add(self, line: PlayedLine) -> None:
        self.verdict = _winner(line) if line.shown else ""
        self.presses = line.presses("Who wins from here?", "Hide who wins")

    def _bits(self, count: int) -> tuple[tuple[str, bool], ...]:
        return ()


class Columns(Heaps):
    """The heaps with their columns; winning moves are shown on request."""

    def _add(self, line: PlayedLine) -> None:
        state: NimState = line.match.state
        width = _width(line)
        self.lit = [digit == "1" for digit in f"{nim_sum(state):0{width}b}"]
        self.powers = tuple(str(1 << at) for at in reversed(range(width)))
        self.total = tuple(("1" if odd else "0", odd) for odd in self.lit)
        self.verdict = _sentence(state, self.lit)
        self.presses = line.presses("Show me one", "Hide it again")
        self.exhibit = _exhibit(line) if line.shown else None

    def _bits(self, count: int) -> tuple[tuple[str, bool], ...]:
        return tuple(zip(f"{count:0{len(self.lit)}b}", self.lit, strict=True))


def _width(line: PlayedLine) -> int:
    start: NimState = line.match.states[0]
    return max(start.heaps).bit_length()


def _winner(line: PlayedLine) -> str:
    state: NimState = line.match.state
    wins = winning_moves(state)
    mover = state.to_move.mark
    if not wins:
        return f"▼ {mover} is lost here: whatever {mover} takes, {state.to_move.other.mark} wins."
    return f"▲ {mover} wins from here, by {' or '.join(map(str, wins))}."


def _sentence(state: NimState, lit: list[bool]) -> str:
    if not any(state.heaps):
        return "Nothing is left."
    return "Not every column is even." if any(lit) else "Every column is even: nim-sum 0."


def _exhibit(line: PlayedLine) -> ColumnsView | None:
    state: NimState = line.match.state
    if state.outcome() is not None:
        return None
    shown = columns_exhibit(state, winning_moves(state), "leaves a lost position")
    return ColumnsView(shown, fixed_context(line.match.game, state))


WIDGETS = {"cells": Cells, "columns": Columns, "heaps": Heaps}
