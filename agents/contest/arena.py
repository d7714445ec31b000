"""Games between agents: series and round robins, with seats swapped and a seed for each game.

A game's random numbers are seeded by the master seed, the players and the round, so that its moves
depend neither on the number of processes nor on the other players. (With a limit in seconds they
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
MOST_PLAYERS = 32
LONGEST_OPENING = 20  # plies


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played, as picklable texts and numbers."""

    game: str
    specs: tuple[str, str]  # of the agents, by seat
    entrants: tuple[int, int]  # their indices in the field, by seat
    round: int
    seed: int
    limit: Limit = UNLIMITED
    opening: int = 0  # random plies at the start, the same for two games of a pair
    own_limits: tuple[Limit, Limit] = (UNLIMITED, UNLIMITED)  # by seat, in addition to `limit`

    def rng(self, seat: Seat) -> Random:
        """A generator per seat, so that one agent's draws do not affect the other's."""
        return Random(f"{self.seed} {self.game} {self.specs} {self.round} {seat}")

    def opened(self) -> Match[Any, Any]:
        """The match after its random opening, which a pair plays from both seats."""
        rng = Random(f"{self.seed} {self.game} {sorted(self.specs)} {self.round // 2} opening")
        match = Match.begin(load_game(self.game))
        while match.ply < self.opening and match.outcome() is None:
            match = match.play(rng.choice(match.state.legal_moves()))
        return match


@dataclass(frozen=True, slots=True)
class Pace:
    """The number of moves of a player and their total time, which is not compared."""

    moves: int = 0
    seconds: float = field(default=0.0, compare=False)

    def __add__(self, other: Pace) -> Pace:
        return Pace(self.moves + other.moves, self.seconds + other.seconds)

    @property
    def per_move(self) -> float | None:
        """Seconds per move; None without a move."""
        return self.seconds / self.moves if self.moves else None


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a fixture; a forfeit counts as resigning, with its reason in `fault`."""

    fixture: Fixture
    outcome: Outcome
    moves: tuple[str, ...]
    fault: str | None = None
    paces: tuple[Pace, Pace] = (Pace(), Pace())  # by seat, without the opening

    def score(self, entrant: int) -> Score:
        """The result for one of the two players, by its index in the field."""
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
    """A round robin with this many games a pair, seats swapped after each."""
    for number in range(games):
        for one, two in combinations(range(len(specs)), 2):
            first, second = (one, two) if number % 2 == 0 else (two, one)
            players, entrants = (specs[first], specs[second]), (first, second)
            yield Fixture(game, players, entrants, number, seed, limit, opening)


# Called before each move with the result if that move never comes: the seat's forfeit.
Watch = Callable[[Played], None]


def play_game(fixture: Fixture, watch: Watch | None = None) -> Played:
    """Play a game to its end; an agent that fails or cannot be loaded forfeits it."""
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
    """(results, seconds) of several games: the task of a worker."""
    begun = perf_counter()
    return [play_game(fixture) for fixture in fixtures], perf_counter() - begun


def play_some(fixtures: Sequence[Fixture], seconds: float) -> list[Played]:
    """Play the games that begin within `seconds`, one at least: a task of a job."""
    end = perf_counter() + seconds
    played = [play_game(fixtures[0])]
    for fixture in fixtures[1:]:
        if perf_counter() >= end:
            break
        played.append(play_game(fixture))
    return played


def _agent(spec: str, game: str) -> Agent[Any, Any]:
    """Load the agent; raises BrokenAgentError."""
    try:
        return _pinned_agent(pinned_spec(spec, load_game(game)), game)
    except ZermeloError as error:
        raise BrokenAgentError(f"it cannot be made: {error}") from error
    except Exception as error:
        raise CrashedAgentError(f"it cannot be made: {type(error).__name__}: {error}") from error


@lru_cache(maxsize=64)
def _pinned_agent(spec: str, game: str) -> Agent[Any, Any]:
    """Cached per process, as agents are stateless between moves."""
    return load_agent(spec, load_game(game))


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters of a round robin, whose games are numbered from 1."""

    game: str
    players: tuple[str, ...]  # canonical specs, in the given order
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
        """Whether the same seed gives the same games, as without a limit in seconds."""
        return self.limit.seconds is None

    def number(self, one: int, two: int, round_: int) -> int:
        """The number of a pair's game; games are ordered by round, then by pair."""
        low, high = sorted((one, two))
        before = low * (2 * len(self.players) - low - 1) // 2
        return round_ * self.pairs + before + high - low

    def fixture(self, number: int) -> Fixture:
        """The game with that number; raises IndexError."""
        if not 1 <= number <= self.total:
            raise IndexError(number)
        round_, pair = divmod(number - 1, self.pairs)
        one, rest = 0, len(self.players) - 1
        while pair >= rest:
            one, pair, rest = one + 1, pair - rest, rest - 1
        entrants = (one, one + 1 + pair)
        first, second = entrants if round_ % 2 == 0 else reversed(entrants)
        specs = (self.players[first], self.players[second])
        return Fixture(
            self.game, specs, (first, second), round_, self.seed, self.limit, self.opening
        )

    def fixtures(self) -> Iterator[Fixture]:
        """All games in order; every pair plays once before any plays again."""
        return map(self.fixture, range(1, self.total + 1))


def field_of(
    game: Game[Any, Any], specs: Sequence[str], player: Callable[[str], str] | None = None
) -> tuple[str, ...]:
    """The canonical specs of two to MOST_PLAYERS different agents.

    `player` maps a spec to its canonical form; by default each agent is loaded. Raises what that
    does, and InvalidSpecError for a wrong number of agents or a duplicate.
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
