"""Games between agents: series and round robins, with seats swapped and a seed for each game.

A game's random numbers are seeded by the master seed, the players and the round, so that its moves
depend neither on the number of processes nor on the other players. (With a limit in seconds they
still depend on the machine.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from agents.contest.clock import MoveClock
from agents.contest.ratings import Score
from agents.core import UNLIMITED, Limit, ask, crash, is_interrupt
from agents.errors import BrokenAgentError
from agents.player_loader import check_player, end_matches, load_player, outside_agent
from agents.players.spec import check_path, is_outside, is_player
from agents.roster import is_trusted, load_agent, pinned_spec, player_spec
from agents.wrappers import LoadedAgent
from engine.catalog import load_game
from engine.core import Ending, Game, Outcome, Seat
from engine.errors import InvalidSpecError, ZermeloError
from engine.match import Match

NO_ANSWER = "it did not answer"
MAX_PLAYERS = 32
MAX_OPENING_PLIES = 20  # plies
PART_S = 1.0  # after which a game of a job is interrupted

_MOVED: set[tuple[str, str]] = set()  # (agent, game) that have moved in this process


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

    def limit_of(self, seat: Seat) -> Limit:
        """Of one move of this seat."""
        return self.limit.tighter(self.own_limits[seat])

    @property
    def match_seed(self) -> str:
        """Of players from outside, whose turns are seeded one by one."""
        return f"{self.seed} {self.game} {self.specs} {self.round}"

    def rng(self, seat: Seat) -> Random:
        """A generator per seat, so that one agent's draws do not affect the other's."""
        return Random(f"{self.match_seed} {seat}")

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
    traceback: str = field(default="", compare=False)  # of the agent that failed, for its author

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


# Called before each move with the result if that move never comes: the seat's forfeit.
Watch = Callable[[Played], None]


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A game that goes on from here as if it had not been interrupted."""

    fixture: Fixture
    moves: tuple[str, ...]
    rngs: tuple[tuple[Any, ...], tuple[Any, ...]]  # states of the generators, by seat
    paces: tuple[Pace, Pace]

    def to_bytes(self) -> bytes:
        """As JSON, without the fixture."""
        paces = [(pace.moves, pace.seconds) for pace in self.paces]
        return json.dumps({"moves": self.moves, "rngs": self.rngs, "paces": paces}).encode()

    @classmethod
    def from_bytes(cls, fixture: Fixture, data: bytes) -> Interrupted:
        """Of that fixture."""
        held = json.loads(data)
        one, two = ((version, tuple(words), gauss) for version, words, gauss in held["rngs"])
        first, second = (Pace(*pace) for pace in held["paces"])
        return cls(fixture, tuple(held["moves"]), (one, two), (first, second))


def play_game(fixture: Fixture, watch: Watch | None = None) -> Played:
    """Play a game to its end; an agent that fails or cannot be loaded forfeits it."""
    played = play_part(fixture, None, inf, watch)
    assert isinstance(played, Played)
    return played


def play_part(
    fixture: Fixture, begun: Interrupted | None, seconds: float, watch: Watch | None = None
) -> Played | Interrupted:
    """Play a game to its end, or for so many seconds, a move at least."""
    try:
        return _play_part(fixture, begun, seconds, watch)
    finally:
        for spec in filter(is_player, fixture.specs):
            with suppress(BrokenAgentError):
                end_matches(_agent(spec, fixture.game))


def _play_part(
    fixture: Fixture, begun: Interrupted | None, seconds: float, watch: Watch | None
) -> Played | Interrupted:
    until = perf_counter() + seconds
    match = fixture.opened()
    rngs = [fixture.rng(seat) for seat in Seat]
    paces = [Pace(), Pace()]
    fault = None
    if begun is not None:
        game = match.game
        match = Match.replay(game, map(game.parse_move, begun.moves))
        paces = [*begun.paces]
        for rng, state in zip(rngs, begun.rngs, strict=True):
            rng.setstate(state)

    def so_far(outcome: Outcome, fault: str | None, traceback: str = "") -> Played:
        one, two = paces
        moves = tuple(map(str, match.moves))
        return Played(fixture, outcome, moves, fault, (one, two), traceback)

    traceback = ""
    while (outcome := match.outcome()) is None:
        seat = match.state.to_move
        if watch is not None:
            watch(so_far(Outcome(seat.other, Ending.RESIGNATION), NO_ANSWER))
        try:
            limit = fixture.limit_of(seat)
            player = _agent(fixture.specs[seat], fixture.game)
            if (outside := outside_agent(player)) is not None:
                outside.seed = fixture.match_seed
            clock = MoveClock(limit)
            move = ask(player, match, limit, rngs[seat]).choice
            if outside is None:  # who have clocks of their own
                clock.check(is_first=(fixture.specs[seat], fixture.game) not in _MOVED)
            _MOVED.add((fixture.specs[seat], fixture.game))
        except BrokenAgentError as error:
            match, fault, traceback = match.resign(seat), str(error), error.traceback
        else:
            paces[seat] += Pace(1, clock.passed)
            match = match.play(move)
            if perf_counter() >= until and match.outcome() is None:
                one, two = paces
                states = (rngs[0].getstate(), rngs[1].getstate())
                return Interrupted(fixture, tuple(map(str, match.moves)), states, (one, two))
    return so_far(outcome, fault, traceback)


def play_batch(fixtures: Sequence[Fixture]) -> tuple[list[Played], float]:
    """(results, seconds) of several games: the task of a worker."""
    begun = perf_counter()
    return [play_game(fixture) for fixture in fixtures], perf_counter() - begun


def play_some(
    fixtures: Sequence[Fixture], seconds: float, begun: bytes | None = None, part: float = PART_S
) -> list[Played | Interrupted]:
    """Play the games that begin within `seconds`, one at least: a task of a job.

    The first goes on from `begun`. A game of more than `part` seconds is interrupted, as the last
    result, so that a slow game does not keep other jobs waiting.
    """
    parts = parts_of(fixtures, begun)
    return begun_within(seconds, (play_part(*each, part) for each in parts))


def parts_of(
    fixtures: Sequence[Fixture], begun: bytes | None
) -> Iterator[tuple[Fixture, Interrupted | None]]:
    """The fixtures, the first with where it was interrupted."""
    for number, fixture in enumerate(fixtures):
        first = number == 0 and begun is not None
        yield fixture, Interrupted.from_bytes(fixture, begun or b"") if first else None


def begun_within(
    seconds: float, results: Iterable[Played | Interrupted]
) -> list[Played | Interrupted]:
    """Take results until so many seconds have passed or a game was interrupted, one at least."""
    end = perf_counter() + seconds
    played = []
    for result in results:
        played.append(result)
        if perf_counter() >= end or isinstance(result, Interrupted):
            break
    return played


def _agent(spec: str, game: str) -> LoadedAgent:
    """Load the agent; raises BrokenAgentError."""
    try:
        pinned = spec if is_outside(spec) else pinned_spec(spec, load_game(game))
        return _pinned_agent(pinned, game)
    except ZermeloError as error:
        raise BrokenAgentError(f"it cannot be made: {error}") from error
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise crash("it cannot be made:", error) from error


@lru_cache(maxsize=64)
def _pinned_agent(spec: str, game: str) -> LoadedAgent:
    """Cached per process, as agents are stateless between moves."""
    return load_player(spec, load_game(game))


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


def loaded_spec(spec: str, game: Game[Any, Any]) -> str:
    """The canonical spec, after loading an agent of ours; one of a package is loaded by its guard.

    Raises what `load_agent` does.
    """
    check_path(spec)
    if is_outside(spec):
        return check_player(spec, game)
    return player_spec(load_agent(spec, game).spec if is_trusted(spec) else spec, game)


def read_field(
    game: Game[Any, Any], specs: Sequence[str], player: Callable[[str], str] | None = None
) -> tuple[str, ...]:
    """The canonical specs of two to MAX_PLAYERS different agents.

    `player` maps a spec to its canonical form; by default each agent is loaded. Raises what that
    does, and InvalidSpecError for a wrong number of agents or a duplicate.
    """
    read = player or (lambda spec: loaded_spec(spec, game))
    if not 2 <= len(specs) <= MAX_PLAYERS:
        why = f"an arena takes 2 to {MAX_PLAYERS} agents, not {len(specs)}"
        raise InvalidSpecError(" ".join(specs), why)
    players: list[str] = []
    for spec in specs:
        named = read(spec)
        if named in players:
            raise InvalidSpecError(spec, f"{named!r} is named twice: an arena has each agent once")
        players.append(named)
    return tuple(players)
