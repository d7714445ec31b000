"""Widgets of Nim: heaps to take from, alone or with their binary columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.rules.nim_columns import columns_exhibit
from engine.nim import NimState
from engine.nim_theory import nim_sum, winning_moves
from webapp.boards import board_for
from webapp.exhibits.columns import ColumnsView, columns_view
from webapp.learn.widgets.board import PlayedLine
from webapp.learn.widgets.widget import Button, Widget, exhibit_stand


@dataclass(frozen=True, slots=True)
class TakenStick:
    """A match to press: it and those to its right are taken."""

    press: Button
    classes: str


@dataclass(frozen=True, slots=True)
class HeapLine:
    """One heap, and its size in binary."""

    name: str
    count: int
    sticks: tuple[TakenStick, ...]
    bits: tuple[tuple[str, bool], ...]  # digit, in a column that is odd


class Heaps:
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
                    TakenStick(Button(line.after(stick.value), "", stick.label), stick.classes)
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
    return columns_view(shown, exhibit_stand(line.position))


WIDGETS = {
    "columns": Widget(Columns),
    "heaps": Widget(Heaps),
}
