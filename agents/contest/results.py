"""One game of an arena as its table sees it, and what two players have of each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from agents.contest.arena import Pace, Played
from agents.contest.ratings import Score
from engine.core import Ending, Outcome, Seat


class Result(NamedTuple):
    """A game that was played, as light as a row: a table is made of thousands."""

    first: int  # who had which seat, by their places in the field
    second: int
    round: int
    winner: int | None  # a seat
    ending: str
    moves: str
    forfeited: bool
    thoughts: tuple[int, int]  # how often each seat thought
    seconds: tuple[float, float]  # and how long in all

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
    """Games that ended otherwise than by playing on to a result."""

    forfeits: int = 0  # an agent broke
    repetitions: int = 0
    lengths: int = 0  # the game's limit of plies

    def __add__(self, other: Oddities) -> Oddities:
        return Oddities(
            self.forfeits + other.forfeits,
            self.repetitions + other.repetitions,
            self.lengths + other.lengths,
        )


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one player has of another so far, by the seat it had."""

    first: Score  # in the games in which it moved first
    second: Score
    different: int  # of all these games, how many are not another's copy
    oddities: Oddities

    @property
    def score(self) -> Score:
        return self.first + self.second

    def by_seat(self, seat: Seat) -> Score:
        return self.first if seat is Seat.FIRST else self.second


@dataclass(slots=True)
class Tally:
    """The games of two players in one order of seats, as they are counted."""

    scores: list[int] = field(default_factory=lambda: [0, 0, 0])  # first won, drawn, second won
    forfeits: list[int] = field(default_factory=lambda: [0, 0])  # by the seat that broke
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
        """For whoever moved first."""
        return Score(*self.scores)

    @property
    def oddities(self) -> Oddities:
        return Oddities(sum(self.forfeits), self.repetitions, self.lengths)

    def pace(self, seat: Seat) -> Pace:
        return Pace(self.thoughts[seat], self.seconds[seat])
