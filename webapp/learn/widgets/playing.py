"""A board that is played on within a lesson: the moves stand in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.errors import ZermeloError
from engine.match import Match
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button

SHOWN = "!"  # at the end of what is held: with the answer
MOST = 60


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """The moves that were made from a position, and whether the answer is looked at."""

    match: Match[Any, Any]
    moves: tuple[str, ...]
    shown: bool

    @classmethod
    def of(cls, about: str, held: str) -> PlayedLine:
        """As far as what is held can be played; the rest is left out, never an error."""
        start = read_position(about)
        match = Match.begin(start.game, start.state)
        made: list[str] = []
        for text in held.removesuffix(SHOWN).split(".")[:MOST]:
            try:
                match = match.play(match.game.parse_move(text))
            except ZermeloError:
                break
            made.append(text)
        return cls(match, tuple(made), held.endswith(SHOWN))

    def after(self, move: str) -> str:
        """What is held once that move is made too."""
        return ".".join((*self.moves, move)) + SHOWN * self.shown

    @property
    def position(self) -> Position:
        return Position(self.match.game, self.match.state)

    def presses(self, show: str, hide: str) -> tuple[Button, ...]:
        """Back, to the start, and the answer."""
        now = ".".join(self.moves)
        back = ".".join(self.moves[:-1]) + SHOWN * self.shown
        found = [] if not self.moves else [Button(back, "Take back"), Button("", "Start again")]
        if self.match.outcome() is None:
            found.insert(0, Button(now, hide) if self.shown else Button(now + SHOWN, show))
        return tuple(found)

    def status(self) -> str:
        """Who moves, or how it ended."""
        outcome = self.match.outcome()
        if outcome is None:
            return f"{self.match.state.to_move.mark} to move"
        return "A draw" if outcome.winner is None else f"{outcome.winner.mark} has won"
