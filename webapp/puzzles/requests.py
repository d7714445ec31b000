"""Puzzles made in a worker process: those of a match."""

from __future__ import annotations

from dataclasses import dataclass

from agents.puzzles.mistakes import Found, puzzles_of
from engine import Seat
from engine.transcript import replayed
from webapp.workers.requests import ResultRequest

MOST = 3  # puzzles from a match
TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class MatchPuzzlesRequest(ResultRequest[tuple[Found, ...]]):
    """Finds puzzles in a match that is over: first what these seats missed."""

    game: str
    start: str | None
    moves: tuple[str, ...]
    seats: tuple[int, ...]

    @property
    def key(self) -> tuple[str, str]:
        return "puzzles of a match", self.game

    def run(self, seconds: float) -> tuple[Found, ...]:
        match = replayed(self.game, self.start, self.moves)
        return tuple(puzzles_of(match, [Seat(seat) for seat in self.seats], MOST))
