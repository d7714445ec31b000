"""Results of an arena: single games, and the tallies and records of pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from agents.contest.arena import Pace, Played
from agents.contest.ratings import Score
from engine.core import Ending, Outcome, Seat


class Result(NamedTuple):
    """A played game as a small tuple, as standings are computed from thousands."""

    first: int  # indices in the field, by seat
    second: int
    round: int
    winner: int | None  # a seat
    ending: str
    moves: str
    forfeited: bool
    thoughts: tuple[int, int]  # moves by seat
    seconds: tuple[float, float]  # total thinking time by seat

    @classmethod
    def of(cls, played: Played) -> Result:
        first, second = played.fixture.entrants
        one, two = played.paces
        winner = played.outcome.winner
        return cls(
            first,
            second,
            played.fixture.round,
            None if winner is None else int(winner),
            str(played.outcome.ending),
            " ".join(played.moves),
            played.fault is not None,
            (one.moves, two.moves),
            (one.seconds, two.seconds),
        )

    @property
    def outcome(self) -> Outcome:
        return Outcome(None if self.winner is None else Seat(self.winner), Ending(self.ending))

    @property
    def plies(self) -> int:
        return len(self.moves.split())


@dataclass(frozen=True, slots=True)
class Oddities:
    """Counts of games that did not end on the board."""

    forfeits: int = 0  # an agent failed
    repetitions: int = 0
    lengths: int = 0  # the ply limit was reached

    def __add__(self, other: Oddities) -> Oddities:
        return Oddities(
            self.forfeits + other.forfeits,
            self.repetitions + other.repetitions,
            self.lengths + other.lengths,
        )


@dataclass(frozen=True, slots=True)
class Meeting:
    """One player's record against another, by seat."""

    first: Score  # in the games in which it moved first
    second: Score
    different: int  # games with different moves
    oddities: Oddities

    @property
    def score(self) -> Score:
        return self.first + self.second

    def by_seat(self, seat: Seat) -> Score:
        return self.first if seat is Seat.FIRST else self.second


@dataclass(slots=True)
class Tally:
    """Mutable counts of the games of a pair in one order of seats."""

    scores: list[int] = field(default_factory=lambda: [0, 0, 0])  # first won, drawn, second won
    forfeits: list[int] = field(default_factory=lambda: [0, 0])  # by the seat that failed
    repetitions: int = 0
    lengths: int = 0
    games: set[str] = field(default_factory=set)
    thoughts: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def count(self, result: Result) -> None:
        winner = result.winner
        self.scores[1 if winner is None else 2 * winner] += 1
        if result.forfeited and winner is not None:
            self.forfeits[1 - winner] += 1
        self.repetitions += result.ending == Ending.REPETITION
        self.lengths += result.ending == Ending.PLY_LIMIT
        self.games.add(result.moves)
        for seat in (0, 1):
            self.thoughts[seat] += result.thoughts[seat]
            self.seconds[seat] += result.seconds[seat]

    @property
    def score(self) -> Score:
        """Of the player who moved first."""
        return Score(*self.scores)

    @property
    def oddities(self) -> Oddities:
        return Oddities(sum(self.forfeits), self.repetitions, self.lengths)

    def pace(self, seat: Seat) -> Pace:
        return Pace(self.thoughts[seat], self.seconds[seat])
