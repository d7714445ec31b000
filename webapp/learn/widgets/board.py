"""The widget of a board to play on; also the moves of other boards in lessons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.core import Candidate
from agents.formats import counted
from engine.catalog import find_entry
from engine.core import Game, Verdict
from engine.errors import ZermeloError
from engine.match import Match
from webapp.boards import board_for
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button, Widget

SHOW_ANSWER = "!"  # at the end of the state
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
        for text in held.removesuffix(SHOW_ANSWER).split(".")[:MAX_MOVES]:
            try:
                match = match.play(match.game.parse_move(text))
            except ZermeloError:
                break
            made.append(text)
        return cls(match, tuple(made), held.endswith(SHOW_ANSWER))

    def after(self, move: str) -> str:
        """The state after one more move."""
        return ".".join((*self.moves, move)) + SHOW_ANSWER * self.shown

    @property
    def position(self) -> Position:
        return Position(self.match.game, self.match.state)

    def presses(self, show: str, hide: str) -> tuple[Button, ...]:
        """Buttons: answer, take back, start again."""
        now = ".".join(self.moves)
        back = ".".join(self.moves[:-1]) + SHOW_ANSWER * self.shown
        found = [] if not self.moves else [Button(back, "Take back"), Button("", "Start again")]
        if self.match.outcome() is None:
            found.insert(0, Button(now, hide) if self.shown else Button(now + SHOW_ANSWER, show))
        return tuple(found)

    def status(self) -> str:
        """Who is to move, or the result."""
        outcome = self.match.outcome()
        if outcome is None:
            return f"{self.match.state.to_move.mark} to move"
        return "A draw" if outcome.winner is None else f"{outcome.winner.mark} has won"


@lru_cache(maxsize=20_000)
def solve_value(state: Any) -> int:
    """1, 0 or -1 for the side to move, by search; stops at the first winning move."""
    outcome = state.outcome()
    if outcome is not None:
        return int(outcome.score(state.to_move))
    best = -1
    for move in state.legal_moves():
        best = max(best, -solve_value(state.play(move)))
        if best == 1:
            break
    return best


def position_value(game: Game[Any, Any], state: Any) -> int:
    """The value by the theory of the game, else by search."""
    theory = find_entry(game.key).theory
    verdict: Verdict | None = None if theory is None else theory.verdict(state)
    return solve_value(state) if verdict is None else verdict.value


def move_values(game: Game[Any, Any], state: Any) -> dict[str, Candidate[Any]]:
    """Every move with its value, as boards show it."""
    return {
        str(move): Candidate(
            move, chance=0.0, value=float(-position_value(game, state.play(move))), proven=True
        )
        for move in state.legal_moves()
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


class Cells:
    """The board, with buttons on legal cells."""

    template = "learn/widgets/cells.html"
    sheets = ("boards/board",)

    def __init__(self, about: str, held: str) -> None:
        line = PlayedLine.of(about, held)
        match = line.match
        shown = line.shown and match.outcome() is None
        values = move_values(match.game, match.state) if shown else {}
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
        self.verdict = _verdict(line, values) if shown else ""
        self.presses = line.presses("What is each move worth?", "Hide the values")
        self.position = line.position


def _cell(line: PlayedLine, cell: Any) -> PressedCell:
    press = None
    if cell.action == "move":
        press = Button(line.after(cell.value), "", cell.label)
    return PressedCell(cell.name, cell.mark, cell.label, press, cell.badge, cell.classes)


def _verdict(line: PlayedLine, values: Any) -> str:
    state = line.match.state
    text = VERDICTS[position_value(line.match.game, state)].format(state.to_move.mark)
    lost = sum(candidate.value < 0 for candidate in values.values())
    return f"{text} {counted(lost, 'move loses', 'moves lose')}." if lost else text


WIDGETS = {
    "cells": Widget(Cells),
}
