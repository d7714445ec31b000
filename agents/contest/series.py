"""Games played here or in worker processes: `play_match` of two agents, `play_arena` of many."""

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
from agents.contest.arena import Fixture, Played, Terms, loaded_spec, play_batch, read_field
from agents.contest.guarded import (
    DEFAULT_TIMEOUTS,
    PLIES,
    GuardTimeouts,
    guarded,
    is_guarded,
    play_here,
)
from agents.contest.ratings import Score
from agents.contest.results import Result
from agents.contest.standings import Standings, standings_of
from agents.core import UNLIMITED, Limit
from agents.errors import BrokenAgentError
from engine.core import Game, Seat

log = logging.getLogger(__name__)

LARGEST_BATCH = 64
BATCH_SECONDS = 0.3
TICK = 1.0  # seconds between two checks for overdue batches
PRELOAD = ("agents.contest.arena",)  # in worker processes


class LostGamesError(BrokenAgentError):
    """Batches without a result, because a worker died or an agent hangs."""

    def __init__(self, why: str, batches: list[list[Fixture]]) -> None:
        super().__init__(why)
        self.batches = batches


@dataclass(frozen=True, slots=True)
class _Batch:
    fixtures: list[Fixture]
    since: float

    def overdue(self, timeouts: GuardTimeouts, now: float) -> bool:
        """Whether it took longer than two games may, as it may have waited for another batch."""
        thinking = PLIES * max(fixture.limit.seconds or 0.0 for fixture in self.fixtures)
        return now - self.since > 2 * (timeouts.game + thinking)


def play_all(
    fixtures: Iterable[Fixture], executor: Executor | None = None, lanes: int = 1
) -> Iterator[Played]:
    """Results as they come, of games played here or in an executor with `lanes` workers.

    Raises LostGamesError if a worker dies.
    """
    if executor is None:
        return _log_forfeits(play_here(fixtures))
    return _log_forfeits(_play_batches(iter(fixtures), executor, lanes, None))


def play_apart(
    fixtures: Iterable[Fixture], workers: int, timeouts: GuardTimeouts = DEFAULT_TIMEOUTS
) -> Iterator[Played]:
    """Results as they come, of games played in worker processes.

    An agent that crashes a worker or hangs forfeits, and plays guarded from then on.
    """
    return _log_forfeits(_play_in_processes(iter(fixtures), workers, timeouts))


def _play_in_processes(
    waiting: Iterator[Fixture], workers: int, timeouts: GuardTimeouts
) -> Iterator[Played]:
    suspects: set[str] = set()
    deferred: list[Fixture] = []  # games of suspects

    def unsuspected() -> Iterator[Fixture]:
        for fixture in waiting:
            if suspects.isdisjoint(fixture.specs) and not is_guarded(fixture):
                yield fixture
            else:
                deferred.append(fixture)

    lost: list[Fixture] = []
    while True:
        try:
            with local_processes(workers, PRELOAD) as pool:
                yield from _play_batches(unsuspected(), pool, workers, timeouts)
        except LostGamesError as error:
            lost = list(chain.from_iterable(error.batches))
        for played in guarded([*lost, *deferred], timeouts):
            if played.fault is not None and played.loser is not None:
                suspects.add(played.loser)
            yield played
        if not lost:
            return
        lost, deferred[:] = [], []


def _log_forfeits(played: Iterable[Played]) -> Iterator[Played]:
    logged = set()
    for result in played:
        forfeit = (result.loser, result.fault)
        if result.fault is not None and forfeit not in logged:
            logged.add(forfeit)  # once per agent and reason
            log.warning("%s forfeits: %s", *forfeit)
        yield result


def _play_batches(
    waiting: Iterator[Fixture], executor: Executor, lanes: int, timeouts: GuardTimeouts | None
) -> Iterator[Played]:
    """Keep two batches per worker submitted, each about BATCH_SECONDS long."""
    running: dict[Future[tuple[list[Played], float]], _Batch] = {}
    size = 1
    try:
        while True:
            while len(running) < 2 * lanes and (batch := list(islice(waiting, size))):
                running[executor.submit(play_batch, batch)] = _Batch(batch, monotonic())
            if not running:
                return
            done, _ = wait(running, TICK if timeouts else None, FIRST_COMPLETED)
            for future in done:
                results, seconds = future.result()
                del running[future]
                fitting = int(BATCH_SECONDS * len(results) / max(seconds, 1e-6))
                size = max(1, min(LARGEST_BATCH, fitting))
                yield from results
            if timeouts and any(each.overdue(timeouts, monotonic()) for each in running.values()):
                raise LostGamesError("a game never ends", _batches_of(running.values()))
    except BrokenProcessPool as error:
        why = "a worker process died in the middle of a game"
        raise LostGamesError(why, _batches_of(running.values())) from error
    finally:
        for future in running:
            future.cancel()


def _batches_of(batches: Iterable[_Batch]) -> list[list[Fixture]]:
    return [batch.fixtures for batch in batches]


# Results pass through it as they come, for a progress bar such as `tqdm`.
Watched = Callable[[Iterator[Played]], Iterable[Played]]


@dataclass(frozen=True, slots=True)
class Series:
    """The results of many games between two agents, for the first named."""

    game: str
    players: tuple[str, str]  # canonical specs
    seed: int
    first: Score  # in the games in which it moved first
    second: Score
    played: tuple[Played, ...] = field(repr=False)
    seconds: float = field(compare=False)

    @property
    def score(self) -> Score:
        """Over both seats."""
        return self.first + self.second

    @property
    def plies(self) -> int:
        """Over all games."""
        return sum(len(played.moves) for played in self.played)

    @property
    def forfeits(self) -> int:
        """Games in which an agent failed."""
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
    """Play a number of games between two agents, seats swapped after each.

    The same seed gives the same games. Raises what `load_agent` does; an agent that fails in a
    game forfeits it.
    """
    players = (loaded_spec(one, game), loaded_spec(two, game))
    begun = perf_counter()
    played = tuple(watched(play_all(Terms(game.spec, players, games, seed, limit).fixtures())))
    first, second = (_record(played, seat) for seat in Seat)
    return Series(game.spec, players, seed, first, second, played, perf_counter() - begun)


def _record(played: Iterable[Played], seat: Seat) -> Score:
    """The first player's score from that seat."""
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
    """Play a round robin with `games` a pair; the number of workers does not affect results.

    More than one worker are processes, so a script calls this under `if __name__ == "__main__"`.
    An agent that hangs or crashes its process forfeits the game. Raises what `load_agent`
    does, and InvalidSpecError for fewer than two agents or a duplicate.
    """
    terms = Terms(game.spec, read_field(game, specs), games, seed, limit, opening)
    parallel = min(workers, terms.total) > 1
    played = play_apart(terms.fixtures(), workers) if parallel else play_all(terms.fixtures())
    return standings_of(terms, map(Result.of, watched(played)))
