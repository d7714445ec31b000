"""Two agents, many games: what the first named scored, by the seat it had."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import chain, islice
from time import monotonic, perf_counter
from typing import Any

from agents.compute.processes import local_processes
from agents.contest.arena import Fixture, Played, Terms, field_of, play_batch, play_game, schedule
from agents.contest.guarded import DEFAULT, PLIES, GuardPatience, guarded
from agents.contest.ratings import Score
from agents.contest.results import Result
from agents.contest.standings import Standings, stand
from agents.core import UNLIMITED, Limit
from agents.errors import BrokenAgentError
from agents.roster import load_agent, player_spec
from engine.core import Game, Seat

log = logging.getLogger(__name__)

LARGEST_BATCH = 64
BATCH_SECONDS = 0.3
TICK = 1.0  # seconds between two checks for overdue batches
PRELOAD = ("agents.contest.arena",)  # in worker processes


class LostGamesError(BrokenAgentError):
    """Batches that did not come back, because a process died or an agent never answers."""

    def __init__(self, why: str, batches: list[list[Fixture]]) -> None:
        super().__init__(why)
        self.batches = batches


@dataclass(frozen=True, slots=True)
class _Batch:
    fixtures: list[Fixture]
    since: float

    def overdue(self, patience: GuardPatience, now: float) -> bool:
        """Two games are allowed for: it may have waited for another."""
        thinking = PLIES * max(fixture.limit.seconds or 0.0 for fixture in self.fixtures)
        return now - self.since > 2 * (patience.game + thinking)


def play_all(
    fixtures: Iterable[Fixture], executor: Executor | None = None, lanes: int = 1
) -> Iterator[Played]:
    """Every game's result as it comes: played here, or in an executor that wide.

    Raises LostGamesError where a process of the executor dies.
    """
    if executor is None:
        return _told(map(play_game, fixtures))
    return _told(_spread(iter(fixtures), executor, lanes, None))


def play_apart(
    fixtures: Iterable[Fixture], workers: int, patience: GuardPatience = DEFAULT
) -> Iterator[Played]:
    """Every game's result as it comes, played in so many processes of their own.

    Who takes a process down or never answers forfeits, and is watched from then on.
    """
    return _told(_apart(iter(fixtures), workers, patience))


def _apart(waiting: Iterator[Fixture], workers: int, patience: GuardPatience) -> Iterator[Played]:
    suspects: set[str] = set()
    aside: list[Fixture] = []

    def harmless() -> Iterator[Fixture]:
        for fixture in waiting:
            if suspects.isdisjoint(fixture.specs):
                yield fixture
            else:
                aside.append(fixture)

    lost: list[Fixture] = []
    while True:
        try:
            with local_processes(workers, PRELOAD) as pool:
                yield from _spread(harmless(), pool, workers, patience)
        except LostGamesError as error:
            lost = list(chain.from_iterable(error.batches))
        for played in guarded([*lost, *aside], patience):
            if played.fault is not None and played.loser is not None:
                suspects.add(played.loser)
            yield played
        if not lost:
            return
        lost, aside[:] = [], []


def _told(played: Iterable[Played]) -> Iterator[Played]:
    told = set()
    for result in played:
        forfeit = (result.loser, result.fault)
        if result.fault is not None and forfeit not in told:
            told.add(forfeit)  # once is enough for an agent that always breaks the same way
            log.warning("%s forfeits: %s", *forfeit)
        yield result


def _spread(
    waiting: Iterator[Fixture], executor: Executor, lanes: int, patience: GuardPatience | None
) -> Iterator[Played]:
    """Keeps every lane busy with one batch waiting, each about BATCH_SECONDS long."""
    running: dict[Future[tuple[list[Played], float]], _Batch] = {}
    size = 1
    try:
        while True:
            while len(running) < 2 * lanes and (batch := list(islice(waiting, size))):
                running[executor.submit(play_batch, batch)] = _Batch(batch, monotonic())
            if not running:
                return
            done, _ = wait(running, TICK if patience else None, FIRST_COMPLETED)
            for future in done:
                results, seconds = future.result()
                del running[future]
                fitting = int(BATCH_SECONDS * len(results) / max(seconds, 1e-6))
                size = max(1, min(LARGEST_BATCH, fitting))
                yield from results
            if patience and any(each.overdue(patience, monotonic()) for each in running.values()):
                raise LostGamesError("a game never ends", _fixtures(running.values()))
    except BrokenProcessPool as error:
        why = "a worker process died in the middle of a game"
        raise LostGamesError(why, _fixtures(running.values())) from error
    finally:
        for future in running:
            future.cancel()


def _fixtures(batches: Iterable[_Batch]) -> list[list[Fixture]]:
    return [batch.fixtures for batch in batches]


# What results pass through as they come, for whoever shows progress: `tqdm` would do.
Watched = Callable[[Iterator[Played]], Iterable[Played]]


@dataclass(frozen=True, slots=True)
class Series:
    """How a match of many games went for the agent named first."""

    game: str
    players: tuple[str, str]  # by their shortest specs
    seed: int
    first: Score  # in the games in which it moved first
    second: Score
    played: tuple[Played, ...] = field(repr=False)
    seconds: float = field(compare=False)

    @property
    def score(self) -> Score:
        """Of both seats together."""
        return self.first + self.second

    @property
    def plies(self) -> int:
        """Of all games together."""
        return sum(len(played.moves) for played in self.played)

    @property
    def forfeits(self) -> int:
        """Games that ended because an agent broke."""
        return sum(played.fault is not None for played in self.played)

    def __str__(self) -> str:
        one, two = self.players
        return f"{one} against {two} on {self.game}: {self.score}"


def play_match(
    game: Game[Any, Any],
    one: str,
    two: str,
    *,
    games: int = 100,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    watched: Watched = iter,
) -> Series:
    """So many games between two agents, changing seats after each; the same seed, the same games.

    Raises what `load_agent` does. An agent that breaks in a game forfeits it.
    """
    players = (_player(one, game), _player(two, game))
    begun = perf_counter()
    played = tuple(watched(play_all(schedule(game.spec, players, games, seed, limit))))
    first, second = (_record(played, seat) for seat in Seat)
    return Series(game.spec, players, seed, first, second, played, perf_counter() - begun)


def _player(spec: str, game: Game[Any, Any]) -> str:
    """Its shortest spec, once it has been made."""
    return player_spec(load_agent(spec, game).spec, game)


def _record(played: Iterable[Played], seat: Seat) -> Score:
    """What the player named first scored from that seat."""
    return sum((each.score(0) for each in played if each.seat(0) is seat), Score())


def play_arena(
    game: Game[Any, Any],
    specs: Sequence[str],
    *,
    games: int = 100,
    seed: int = 0,
    limit: Limit = UNLIMITED,
    opening: int = 0,
    workers: int = 1,
    watched: Watched = iter,
) -> Standings:
    """A round robin, so many games a pair; the number of workers changes no result.

    More than one worker are processes of their own: a script that asks for them does so under
    `if __name__ == "__main__"`. In these an agent that never answers, or takes its process down,
    forfeits its game; played here it would keep the script waiting. Raises what `load_agent`
    does, and InvalidSpecError for a field of fewer than two or with an agent in it twice.
    """
    terms = Terms(game.spec, field_of(game, specs), games, seed, limit, opening)
    apart = min(workers, terms.total) > 1
    played = play_apart(terms.fixtures(), workers) if apart else play_all(terms.fixtures())
    return stand(terms, map(Result.of, watched(played)))
