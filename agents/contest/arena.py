"""Agents against each other: series and round robins, seats swapped, every game with its seed.

A game's seed follows from the master seed, the players and the round, so that its moves depend
neither on the number of processes nor on who else takes part. (Under a limit of seconds they
still depend on the machine.)
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from random import Random
from time import perf_counter
from typing import Any

from agents.contest.scores import Score
from agents.core import UNLIMITED, Agent, Limit, ask
from agents.errors import BrokenAgentError
from agents.roster import load_agent, pinned_spec
from engine.catalog import load_game
from engine.core import Outcome, Seat
from engine.match import Match

log = logging.getLogger(__name__)

LARGEST_BATCH = 64
BATCH_SECONDS = 0.3


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
class Played:
    """How a fixture went. A forfeit counts as resigning; `fault` says what the loser did."""

    fixture: Fixture
    outcome: Outcome
    moves: tuple[str, ...]
    fault: str | None = None

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


def play_game(fixture: Fixture) -> Played:
    """The game from start to end; an agent that breaks forfeits it."""
    match = fixture.opened()
    players = [_agent(spec, fixture.game) for spec in fixture.specs]
    rngs = [fixture.rng(seat) for seat in Seat]
    while (outcome := match.outcome()) is None:
        seat = match.state.to_move
        try:
            move = ask(players[seat], match, fixture.limit, rngs[seat]).choice
        except BrokenAgentError as error:
            ending = match.resign(seat).outcome()
            assert ending is not None
            return Played(fixture, ending, tuple(map(str, match.moves)), str(error))
        match = match.play(move)
    return Played(fixture, outcome, tuple(map(str, match.moves)))


def play_all(
    fixtures: Iterable[Fixture], executor: Executor | None = None, lanes: int = 1
) -> Iterator[Played]:
    """Every game's result as it comes: played here, or in an executor that wide."""
    told = set()
    played = map(play_game, fixtures) if executor is None else _spread(fixtures, executor, lanes)
    for result in played:
        forfeit = (result.loser, result.fault)
        if result.fault is not None and forfeit not in told:
            told.add(forfeit)  # once is enough for an agent that always breaks the same way
            log.warning("%s forfeits: %s", *forfeit)
        yield result


def crosstable(entrants: int, results: Iterable[Played]) -> list[list[Score | None]]:
    """[i][j] -> the record of i against j, None on the diagonal."""
    table: list[list[Score]] = [[Score()] * entrants for _ in range(entrants)]
    for played in results:
        one, two = played.fixture.entrants
        score = Score.of(played.outcome.score(Seat.FIRST))
        table[one][two] += score
        table[two][one] += score.seen_by_opponent
    return [
        [None if row == column else score for column, score in enumerate(scores)]
        for row, scores in enumerate(table)
    ]


def play_batch(fixtures: Sequence[Fixture]) -> tuple[list[Played], float]:
    """Several games in one go, and the seconds they took: what a worker is sent."""
    begun = perf_counter()
    return [play_game(fixture) for fixture in fixtures], perf_counter() - begun


def _spread(fixtures: Iterable[Fixture], executor: Executor, lanes: int) -> Iterator[Played]:
    """Keeps every lane busy with one batch waiting, each about BATCH_SECONDS long."""
    waiting = iter(fixtures)
    running: set[Future[tuple[list[Played], float]]] = set()
    size = 1
    try:
        while True:
            while len(running) < 2 * lanes and (batch := list(islice(waiting, size))):
                running.add(executor.submit(play_batch, batch))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                results, seconds = future.result()
                fitting = int(BATCH_SECONDS * len(results) / max(seconds, 1e-6))
                size = max(1, min(LARGEST_BATCH, fitting))
                yield from results
    except BrokenProcessPool as error:
        raise BrokenAgentError("a worker process died in the middle of a game") from error
    finally:
        for future in running:
            future.cancel()


def _agent(spec: str, game: str) -> Agent[Any, Any]:
    return _pinned_agent(pinned_spec(spec, load_game(game)), game)


@lru_cache(maxsize=64)
def _pinned_agent(spec: str, game: str) -> Agent[Any, Any]:
    """Made once in each process: an agent keeps what it has learned, not what it is playing."""
    return load_agent(spec, load_game(game))
