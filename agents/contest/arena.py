"""Agents against each other: series and round robins, seats swapped, every game with its seed.

A game's seed follows from the master seed, the players and the round, so that its moves depend
neither on the number of processes nor on who else takes part. (Under a limit of seconds they
still depend on the machine.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from random import Random
from time import perf_counter
from typing import Any

from agents.contest.ratings import Score
from agents.core import UNLIMITED, Agent, Limit, ask
from agents.errors import BrokenAgentError, CrashedAgentError
from agents.roster import load_agent, pinned_spec, player_spec
from engine.catalog import load_game
from engine.core import Ending, Game, Outcome, Seat
from engine.errors import InvalidSpecError, ZermeloError
from engine.match import Match

NO_ANSWER = "it did not answer"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played. Texts and numbers only: it crosses to other processes."""

    game: str
    specs: tuple[str, str]  # of the agents, by seat
    entrants: tuple[int, int]  # their places in the field, by seat
    round: int
    seed: int
    limit: Limit = UNLIMITED
    opening: int = 0  # random plies before the agents begin, the same for a pair's next two games
    own_limits: tuple[Limit, Limit] = (UNLIMITED, UNLIMITED)  # by seat, besides that of both

    def rng(self, seat: Seat) -> Random:
        """Each seat draws from its own, so that no agent's luck hangs on the other's appetite."""
        return Random(f"{self.seed} {self.game} {self.specs} {self.round} {seat}")

    def opened(self) -> Match[Any, Any]:
        """The match as the agents take it over; both seats of an opening are played."""
        rng = Random(f"{self.seed} {self.game} {sorted(self.specs)} {self.round // 2} opening")
        match = Match.begin(load_game(self.game))
        while match.ply < self.opening and match.outcome() is None:
            match = match.play(rng.choice(match.state.legal_moves()))
        return match


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a player thought, and how long in all. Time never repeats: it is not compared."""

    moves: int = 0
    seconds: float = field(default=0.0, compare=False)

    def __add__(self, other: Pace) -> Pace:
        return Pace(self.moves + other.moves, self.seconds + other.seconds)

    @property
    def per_move(self) -> float | None:
        """Seconds; None where it never thought."""
        return self.seconds / self.moves if self.moves else None


@dataclass(frozen=True, slots=True)
class Played:
    """How a fixture went. A forfeit counts as resigning; `fault` says what the loser did."""

    fixture: Fixture
    outcome: Outcome
    moves: tuple[str, ...]
    fault: str | None = None
    paces: tuple[Pace, Pace] = (Pace(), Pace())  # by seat; an opening costs nobody time

    def score(self, entrant: int) -> Score:
        """The result for one of the two players, by its place in the field."""
        return Score.of(self.outcome.score(self.seat(entrant)))

    def seat(self, entrant: int) -> Seat:
        return Seat(self.fixture.entrants.index(entrant))

    @property
    def loser(self) -> str | None:
        """The spec of the agent that lost."""
        winner = self.outcome.winner
        return None if winner is None else self.fixture.specs[winner.other]


def schedule(
    game: str,
    specs: Sequence[str],
    games: int,
    seed: int,
    limit: Limit = UNLIMITED,
    opening: int = 0,
) -> Iterator[Fixture]:
    """Everyone against everyone, so many games a pair, changing seats after each."""
    for number in range(games):
        for one, two in combinations(range(len(specs)), 2):
            first, second = (one, two) if number % 2 == 0 else (two, one)
            players, entrants = (specs[first], specs[second]), (first, second)
            yield Fixture(game, players, entrants, number, seed, limit, opening)


# Told before each thought how the game stands if it never ends: the seat's forfeit.
Watch = Callable[[Played], None]


def play_game(fixture: Fixture, watch: Watch | None = None) -> Played:
    """The game from start to end; an agent that breaks, or cannot be made, forfeits it."""
    match = fixture.opened()
    rngs = [fixture.rng(seat) for seat in Seat]
    paces = [Pace(), Pace()]
    fault = None

    def so_far(outcome: Outcome, fault: str | None) -> Played:
        one, two = paces
        return Played(fixture, outcome, tuple(map(str, match.moves)), fault, (one, two))

    while (outcome := match.outcome()) is None:
        seat = match.state.to_move
        if watch is not None:
            watch(so_far(Outcome(seat.other, Ending.RESIGNATION), NO_ANSWER))
        try:
            limit = fixture.limit.tighter(fixture.own_limits[seat])
            player = _agent(fixture.specs[seat], fixture.game)
            begun = perf_counter()
            move = ask(player, match, limit, rngs[seat]).choice
        except BrokenAgentError as error:
            match, fault = match.resign(seat), str(error)
        else:
            paces[seat] += Pace(1, perf_counter() - begun)
            match = match.play(move)
    return so_far(outcome, fault)


def play_batch(fixtures: Sequence[Fixture]) -> tuple[list[Played], float]:
    """Several games in one go, and the seconds they took: what a worker is sent."""
    begun = perf_counter()
    return [play_game(fixture) for fixture in fixtures], perf_counter() - begun


def play_some(fixtures: Sequence[Fixture], seconds: float) -> list[Played]:
    """As many of these games as begin within so many seconds, one at least: a task of a job."""
    end = perf_counter() + seconds
    played = [play_game(fixtures[0])]
    for fixture in fixtures[1:]:
        if perf_counter() >= end:
            break
        played.append(play_game(fixture))
    return played


def _agent(spec: str, game: str) -> Agent[Any, Any]:
    """Raises BrokenAgentError where it cannot be made."""
    try:
        return _pinned_agent(pinned_spec(spec, load_game(game)), game)
    except ZermeloError as error:
        raise BrokenAgentError(f"it cannot be made: {error}") from error
    except Exception as error:
        raise CrashedAgentError(f"it cannot be made: {type(error).__name__}: {error}") from error


@lru_cache(maxsize=64)
def _pinned_agent(spec: str, game: str) -> Agent[Any, Any]:
    """Made once in each process: an agent keeps what it has learned, not what it is playing."""
    return load_agent(spec, load_game(game))


MOST_PLAYERS = 32
LONGEST_OPENING = 20


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a round robin. They name every game of it by a number, 1 for the first."""

    game: str
    players: tuple[str, ...]  # by their shortest specs, in the order they were named
    games: int  # for each pair
    seed: int = 0
    limit: Limit = UNLIMITED
    opening: int = 0

    @property
    def pairs(self) -> int:
        return len(self.players) * (len(self.players) - 1) // 2

    @property
    def total(self) -> int:
        return self.games * self.pairs

    @property
    def repeats(self) -> bool:
        """Whether the same seed gives the same games: not where a clock ends the thinking."""
        return self.limit.seconds is None

    def number(self, one: int, two: int, round_: int) -> int:
        """The number of a pair's game: round after round, and in each every pair in its turn."""
        low, high = sorted((one, two))
        before = low * (2 * len(self.players) - low - 1) // 2
        return round_ * self.pairs + before + high - low

    def fixture(self, number: int) -> Fixture:
        """The game of that number; raises IndexError where there is none."""
        if not 1 <= number <= self.total:
            raise IndexError(number)
        round_, place = divmod(number - 1, self.pairs)
        one, rest = 0, len(self.players) - 1
        while place >= rest:
            one, place, rest = one + 1, place - rest, rest - 1
        entrants = (one, one + 1 + place)
        first, second = entrants if round_ % 2 == 0 else reversed(entrants)
        specs = (self.players[first], self.players[second])
        return Fixture(
            self.game, specs, (first, second), round_, self.seed, self.limit, self.opening
        )

    def fixtures(self) -> Iterator[Fixture]:
        """Every game in its order, so that all pairs have met before any meets again."""
        return map(self.fixture, range(1, self.total + 1))


def field_of(
    game: Game[Any, Any], specs: Sequence[str], player: Callable[[str], str] | None = None
) -> tuple[str, ...]:
    """The agents by their shortest specs: at least two, each once.

    `player` gives the spec under which one plays; unless another is given, each is made here
    first. Raises what that does, and InvalidSpecError for another number or one named twice.
    """
    read = player or (lambda spec: player_spec(load_agent(spec, game).spec, game))
    if not 2 <= len(specs) <= MOST_PLAYERS:
        why = f"an arena takes 2 to {MOST_PLAYERS} agents, not {len(specs)}"
        raise InvalidSpecError(" ".join(specs), why)
    players: list[str] = []
    for spec in specs:
        named = read(spec)
        if named in players:
            raise InvalidSpecError(spec, f"{named!r} is named twice: an arena has each agent once")
        players.append(named)
    return tuple(players)
