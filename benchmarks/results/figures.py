"""The figures that the claims ask for: exact where the game is small, else by play."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import sqrt
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from agents.contest.arena import Terms, schedule
from agents.contest.ratings import CONFIDENCE, Score
from agents.contest.results import Result
from agents.contest.series import play_all
from agents.contest.standings import Standing, standings_of
from agents.core import Limit
from agents.roster import agents_for, load_agent, pinned_spec, read_agent
from agents.tabular.exact import Chances, Policy, best_response, chances
from agents.tabular.tables import BUDGET, tabulate, why_too_many
from agents.training.shipped import recipe
from agents.training.trainer import SEED, finish
from benchmarks.results.claims import Claim, Statistic
from engine.catalog import load_game
from engine.core import Game, OptionValue, Seat
from engine.match import Match

TIMED_MOVES = 24
MOST_RESTARTS = 50
PATIENCE = 0.1  # seconds a move in the round robins

Found = tuple[float, tuple[float, float] | None]  # a figure, and its interval unless it is exact


@dataclass(frozen=True, slots=True)
class Figure:
    """What was found for a claim. An exact figure has no interval."""

    claim: Claim
    value: float
    interval: tuple[float, float] | None
    possible: float | None  # the best anyone can do, where it can be computed
    move_seconds: float

    @property
    def met(self) -> bool:
        return self.claim.met_by(self.value, self.interval)

    @property
    def published_is_impossible(self) -> bool:
        """Whether what was published is above what exact computation allows."""
        published = self.claim.course_figure
        return published is not None and self.possible is not None and published > self.possible


def measure(
    claim: Claim, seed: int = SEED, executor: Executor | None = None, lanes: int = 1
) -> Figure:
    """The figure of a claim."""
    if claim.until is not None:
        value, interval = _restarted(claim), None
    elif claim.trainings:
        value, interval = _trained(claim)
    else:
        value, interval = _played(claim, seed, executor, lanes) if claim.games else _exact(claim)
    return Figure(claim, value, interval, _possible(claim), move_seconds(claim.agent, claim.game))


def move_seconds(agent: str, game: str) -> float:
    """The mean time of a move, over positions from random play."""
    rng = Random(SEED)
    match, player = Match.begin(load_game(game)), load_agent(agent, load_game(game))
    player.analyse(match.state, limit=Limit(), rng=rng)  # compiles what has to be compiled
    spent = 0.0
    for _ in range(TIMED_MOVES):
        begun = perf_counter()
        player.analyse(match.state, limit=Limit(), rng=rng)
        spent += perf_counter() - begun
        match = match.play(rng.choice(match.state.legal_moves()))
        if match.outcome() is not None:
            match = Match.begin(match.game)
    return spent / TIMED_MOVES


def training_seconds(agent: str, game: str) -> float | None:
    """How long its training takes from nothing; None for one that does not learn."""
    entry, options = read_agent(agent, load_game(game))
    if entry.train is None:
        return None
    return _training_seconds(entry.key, game, tuple(recipe(options).items()))


@lru_cache(maxsize=64)
def _training_seconds(key: str, game: str, trained: tuple[tuple[str, OptionValue], ...]) -> float:
    """Once for all agents that differ only in how they play with the same brain."""
    played = load_game(game)
    entry, options = read_agent(key, played)
    assert entry.train is not None
    options = options.but(dict(trained))
    next(islice(entry.train(played, options, SEED, None), 1))  # compiles
    begun = perf_counter()
    finish(entry.train(played, options, SEED, None))
    return perf_counter() - begun


def round_robin(
    game: Game[Any, Any], games: int, seed: int, executor: Executor | None = None, lanes: int = 1
) -> tuple[Standing, ...]:
    """Every agent that plays this game against every other, at most PATIENCE a move; best first."""
    specs = tuple(entry.key for entry in agents_for(game))
    terms = Terms(game.spec, specs, games, seed, Limit(seconds=PATIENCE))
    return standings_of(
        terms, map(Result.of, play_all(terms.fixtures(), executor, lanes))
    ).standings


def _restarted(claim: Claim) -> float:
    """The first figure above what was asked for, over brains trained seed after seed."""
    assert claim.until is not None
    figures = (_seen(claim, seed) for seed in range(SEED, SEED + MOST_RESTARTS))
    return next((figure for figure in figures if figure > claim.until), 0.0)


def _trained(claim: Claim) -> Found:
    """The mean over brains trained from different seeds, each seen exactly by its own trainer.

    One brain is one draw of many: which seed it has must not decide what its recipe is worth.
    """
    figures = [_seen(claim, seed) for seed in range(SEED, SEED + claim.trainings)]
    mean = float(np.mean(figures))
    reach = CONFIDENCE * float(np.std(figures, ddof=1)) / sqrt(len(figures))
    return mean, (mean - reach, mean + reach)


def _seen(claim: Claim, seed: int) -> float:
    """The figure of one brain, as its own trainer sees it at the end."""
    played = load_game(claim.game)
    entry, options = read_agent(claim.agent, played)
    assert entry.train is not None, f"{claim.agent} does not learn"
    *_, last = entry.train(played, options, seed, None)
    reference, seen = last.brain.reference, last.metrics
    assert reference == claim.opponent, f"it is seen against {reference}"
    return _figure(claim.measure, Chances(seen["wins"], seen["draws"], seen["losses"]))


def _exact(claim: Claim) -> Found:
    tables = tabulate(load_game(claim.game))
    ours, theirs = _policy(claim.agent, claim.game), _policy(claim.opponent, claim.game)
    over = [chances(tables, ours, theirs, seat) for seat in _seats(claim)]
    return float(np.mean([_figure(claim.measure, found) for found in over])), None


def _figure(measure: Statistic, found: Chances) -> float:
    return {
        Statistic.WINS: found.wins,
        Statistic.LOSSES: found.losses,
        Statistic.UNBEATEN: found.wins + found.draws,
        Statistic.MARGIN: found.wins - found.losses,
        Statistic.POINTS: found.wins + found.draws / 2,
    }[measure]


def _played(claim: Claim, seed: int, executor: Executor | None, lanes: int) -> Found:
    games = claim.games * (1 if claim.seat is None else 2)
    agents = (claim.agent, claim.opponent)
    fixtures = schedule(claim.game, agents, games, seed, opening=claim.opening)
    wanted = [
        fixture for fixture in fixtures if claim.seat is None or fixture.entrants[claim.seat] == 0
    ]
    score = sum((played.score(0) for played in play_all(wanted, executor, lanes)), Score())
    counted = _counted(claim.measure, score)
    low, high = counted.interval()
    if claim.measure is Statistic.MARGIN:
        return 2 * counted.rate - 1, (2 * low - 1, 2 * high - 1)
    return counted.rate, (low, high)


def _counted(measure: Statistic, score: Score) -> Score:
    """The record in which what is counted stands as wins and the rest as losses."""
    counts = {
        Statistic.WINS: score.wins,
        Statistic.LOSSES: score.losses,
        Statistic.UNBEATEN: score.wins + score.draws,
    }
    if measure not in counts:
        return score
    return Score(counts[measure], 0, score.games - counts[measure])


def _possible(claim: Claim) -> float | None:
    """The best response to the opponent, where the game is small and the measure allows it."""
    loss = {Statistic.WINS: 0.0, Statistic.MARGIN: -1.0}.get(claim.measure)
    if loss is None or claim.at_most or (claim.games and not _small(claim.game)):
        return None
    tables = tabulate(load_game(claim.game))
    opponent = _policy(claim.opponent, claim.game)
    return float(np.mean([best_response(tables, opponent, s, loss)[0] for s in _seats(claim)]))


def _small(game: str) -> bool:
    return why_too_many(load_game(game), BUDGET, "solve") is None


def _seats(claim: Claim) -> tuple[Seat, ...]:
    return tuple(Seat) if claim.seat is None else (claim.seat,)


def _policy(agent: str, game: str) -> Policy:
    return _pinned_policy(pinned_spec(agent, load_game(game)), game)


@lru_cache(maxsize=64)
def _pinned_policy(agent: str, game: str) -> Policy:
    played: Any = load_game(game)
    return tabulate(played).policy(load_agent(agent, played))
