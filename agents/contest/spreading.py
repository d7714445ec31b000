"""Many games at once: in this process, or in several, whatever their agents do to these."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import chain, islice
from time import monotonic

from agents.compute.processes import local_processes
from agents.contest.arena import Fixture, Played, play_batch, play_game
from agents.contest.guarded import DEFAULT, PLIES, GuardPatience, guarded
from agents.errors import BrokenAgentError

log = logging.getLogger(__name__)

LARGEST_BATCH = 64
BATCH_SECONDS = 0.3
TICK = 1.0  # seconds between two looks whether a batch is overdue


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
            with local_processes(workers) as pool:
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
