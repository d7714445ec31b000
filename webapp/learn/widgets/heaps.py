"""Widgets of Nim: heaps to take from, alone or with their binary columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.rules.nim_columns import columns_exhibit
from engine.nim import NimState
from engine.nim_theory import nim_sum, winning_moves
from webapp.boards import board_for
from webapp.exhibits.columns import ColumnsView, columns_view
from webapp.learn.positions import Position
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


@dataclass(frozen=True, slots=True)
class HeapsView:
    """The heaps."""

    heaps: tuple[HeapLine, ...]
    rule: str
    status: str
    powers: tuple[str, ...]
    total: tuple[tuple[str, bool], ...]  # empty without columns
    verdict: str
    presses: tuple[Button, ...]
    exhibit: ColumnsView | None
    position: Position
    template: str = "learn/widgets/heaps.html"
    sheets: tuple[str, ...] = ("exhibits/exhibits",)


def heaps_view(about: str, held: str) -> HeapsView:
    """The heaps alone; the winner is shown on request."""
    line = PlayedLine.of(about, held)
    verdict = _winner(line) if line.shown else ""
    return _view(line, line.presses("Who wins from here?", "Hide who wins"), verdict)


def columns_widget(about: str, held: str) -> HeapsView:
    """The heaps with their columns; winning moves are shown on request."""
    line = PlayedLine.of(about, held)
    state: NimState = line.match.state
    presses = line.presses("Show me one", "Hide it again")
    lit = [digit == "1" for digit in f"{nim_sum(state):0{_width(line)}b}"]
    return _view(line, presses, _sentence(state, lit), lit, _exhibit(line) if line.shown else None)


def _view(
    line: PlayedLine,
    presses: tuple[Button, ...],
    verdict: str,
    lit: list[bool] | None = None,
    exhibit: ColumnsView | None = None,
) -> HeapsView:
    board: Any = board_for(line.match, ply=line.match.ply, may_move=line.match.outcome() is None)
    width = _width(line)
    return HeapsView(
        heaps=tuple(
            HeapLine(
                name=heap.name,
                count=heap.count,
                sticks=tuple(
                    TakenStick(Button(line.after(stick.value), "", stick.label), stick.classes)
                    for stick in heap.sticks
                    if stick.action == "pick"
                ),
                bits=() if lit is None else tuple(zip(f"{heap.count:0{width}b}", lit, strict=True)),
            )
            for heap in board.heaps
        ),
        rule=board.rule,
        status=line.status(),
        powers=() if lit is None else tuple(str(1 << at) for at in reversed(range(width))),
        total=() if lit is None else tuple(("1" if odd else "0", odd) for odd in lit),
        verdict=verdict,
        presses=presses,
        exhibit=exhibit,
        position=line.position,
    )


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
    "columns": Widget(columns_widget),
    "heaps": Widget(heaps_view),
}
