"""The figures that the claims ask for: exact where the game is small, else by play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from math import sqrt
from random import Random
from time import process_time
from typing import Any

import numpy as np

from agents.contest.arena import Terms
from agents.contest.ratings import CONFIDENCE, Score
from agents.contest.results import Result
from agents.contest.series import play_all
from agents.contest.standings import Standing, standings_of
from agents.core import Agent, Limit
from agents.learner import Learner
from agents.roster import agent_spec, agents_for, load_agent, pinned_spec, read_agent
from agents.tabular.exact import Chances, Policy, best_response, chances
from agents.tabular.tables import BUDGET, tabulate, why_too_many
from agents.training.brains import Brain
from agents.training.loop import random_at
from agents.training.shipped import recipe
from agents.training.trainer import SEED, finish
from benchmarks.results.claims import Claim, Statistic
from engine.catalog import load_game
from engine.core import Game, Seat
from engine.match import Match
from engine.options import Values, write_spec

TIMED_MOVES = 24
PATIENCE = 0.1  # seconds a move in the round robins

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Found:
    """A figure."""

    value: float
    interval: Range | None = None  # unless it is exact
    spread: Range | None = None  # the least and the most of several seeds


@dataclass(frozen=True, slots=True)
class Figure:
    """What was found for a claim. An exact figure has no interval."""

    claim: Claim
    value: float
    interval: Range | None
    possible: float | None  # the best anyone can do, where it can be computed
    move_seconds: float
    spread: Range | None = None

    @property
    def met(self) -> bool:
        return self.claim.met_by(self.value, self.interval) and self.agrees is not False

    @property
    def agrees(self) -> bool | None:
        """Whether the published figure is among ours, for a system set as published."""
        published = self.claim.course_figure
        if not self.claim.as_published or published is None or self.spread is None:
            return None
        (least, most), error = self.spread, self.claim.course_error
        return least - error <= published <= most + error

    @property
    def published_is_impossible(self) -> bool:
        """Whether what was published is above what exact computation allows."""
        published = self.claim.course_figure
        return published is not None and self.possible is not None and published > self.possible


def measure(
    claim: Claim, seed: int = SEED, executor: Executor | None = None, lanes: int = 1
) -> Figure:
    """The figure of a claim."""
    if claim.trainings:
        found = _trained(claim)
    elif claim.games:
        found = _played(claim, seed, executor, lanes)
    else:
        found = Found(_exact(claim))
    spent = move_seconds(_timed(claim), claim.game)
    return Figure(claim, found.value, found.interval, _possible(claim), spent, found.spread)


def specs_of(claim: Claim) -> tuple[str, ...]:
    """The agents of a claim with every option written out, also those of a preset."""
    game = load_game(claim.game)
    return tuple(agent_spec(each, game) for each in (claim.agent, claim.opponent))


def _timed(claim: Claim) -> Agent[Any, Any]:
    """The agent whose moves are timed: the first of several brains, else the one of the roster."""
    if claim.trainings:
        return _trained_agent(claim, SEED)
    return load_agent(claim.agent, load_game(claim.game))


def move_seconds(player: Agent[Any, Any], game: str) -> float:
    """The mean time of one core for a move, over positions from random play."""
    rng = Random(SEED)
    match = Match.begin(load_game(game))
    player.analyse(match.state, limit=Limit(), rng=rng)  # compiles what has to be compiled
    spent = 0.0
    for _ in range(TIMED_MOVES):
        begun = process_time()
        player.analyse(match.state, limit=Limit(), rng=rng)
        spent += process_time() - begun
        match = match.play(rng.choice(match.state.legal_moves()))
        if match.outcome() is not None:
            match = Match.begin(match.game)
    return spent / TIMED_MOVES


@dataclass(frozen=True, slots=True)
class Training:
    """How long a training takes one core, from nothing."""

    seconds: float


def trained_spec(agent: str, game: str) -> str | None:
    """The spec of its training; None for one that does not learn.

    The same for all agents that differ only in how they play with the same brain.
    """
    entry, options = read_agent(agent, load_game(game))
    if entry.train is None:
        return None
    trained = Values.defaults(entry.all_options).but(recipe(options))
    return write_spec(entry.key, entry.all_options, trained)


def training(agent: str, game: str) -> Training:
    """Train the agent once, after what has to be compiled."""
    played = load_game(game)
    entry, options = read_agent(agent, played)
    assert entry.train is not None
    next(islice(entry.train(played, options, SEED, None), 1))  # compiles
    begun = process_time()
    finish(entry.train(played, options, SEED, None))
    return Training(process_time() - begun)


@dataclass(frozen=True, slots=True)
class Encounter:
    """The games of one pair of a round robin."""

    results: tuple[Result, ...]  # the pair's indices are 0 and 1

    def among(self, one: int, two: int) -> Iterator[Result]:
        """The results with the indices that the two have in a field."""
        field = (one, two)
        for each in self.results:
            yield each._replace(first=field[each.first], second=field[each.second])


def field_terms(game: Game[Any, Any], games: int, seed: int) -> Terms:
    """A round robin of every agent that plays this game, at most PATIENCE a move."""
    specs = tuple(entry.key for entry in agents_for(game))
    return Terms(game.spec, specs, games, seed, Limit(seconds=PATIENCE))


def encounter(
    terms: Terms, one: int, two: int, executor: Executor | None = None, lanes: int = 1
) -> Encounter:
    """The games of these two of the field."""
    pair = replace(terms, players=(terms.players[one], terms.players[two]))
    return Encounter(tuple(map(Result.of, play_all(pair.fixtures(), executor, lanes))))


def standings(terms: Terms, results: Iterable[Result]) -> tuple[Standing, ...]:
    """The table of a field, best first."""
    return standings_of(terms, results).standings


def _trained(claim: Claim) -> Found:
    """The mean over brains trained from different seeds.

    One brain is one draw of many: which seed it has must not decide what its recipe is worth.
    """
    figures = [_seen(claim, seed) for seed in range(SEED, SEED + claim.trainings)]
    mean = float(np.mean(figures))
    reach = CONFIDENCE * float(np.std(figures, ddof=1)) / sqrt(len(figures))
    return Found(mean, (mean - reach, mean + reach), (min(figures), max(figures)))


def _seen(claim: Claim, seed: int) -> float:
    """The figure of one brain: exact, or of its games."""
    agent = _trained_agent(claim, seed)
    if claim.games:
        return _counted(claim.measure, _played_here(claim, agent, seed)).rate
    return _against(claim, tabulate(load_game(claim.game)).policy(agent))


def _trained_agent(claim: Claim, seed: int) -> Agent[Any, Any]:
    brain = _brain(claim.game, claim.agent, seed)
    played = load_game(claim.game)
    entry, options = read_agent(claim.agent, played)
    learner = getattr(entry.train, "__self__", None)
    assert isinstance(learner, Learner), f"{claim.agent} is no learner of ours"
    return learner.agent(played, brain, options)


def _played_here(claim: Claim, agent: Agent[Any, Any], seed: int) -> Score:
    """The games of one brain, which has no name by which other processes could load it."""
    game, score = load_game(claim.game), Score()
    opponent = load_agent(claim.opponent, game)
    for number in range(claim.games):
        seat, rng = Seat(number % 2), random_at(seed, number)
        match = Match.begin(game)
        while (outcome := match.outcome()) is None:
            player = agent if match.state.to_move is seat else opponent
            match = match.play(player.analyse(match.state, limit=Limit(), rng=rng).choice)
        score += Score.of(outcome.score(seat))
    return score


@lru_cache(maxsize=64)
def _brain(game: str, agent: str, seed: int) -> Brain:
    """Trained once for all claims about it."""
    played = load_game(game)
    entry, options = read_agent(agent, played)
    assert entry.train is not None, f"{agent} does not learn"
    return finish(entry.train(played, options, seed, None))


def _exact(claim: Claim) -> float:
    return _against(claim, _policy(claim.agent, claim.game))


def _against(claim: Claim, ours: Policy) -> float:
    """The exact figure of a policy."""
    tables, theirs = tabulate(load_game(claim.game)), _policy(claim.opponent, claim.game)
    over = [chances(tables, ours, theirs, seat) for seat in _seats(claim)]
    return float(np.mean([_figure(claim.measure, found) for found in over]))


def _figure(measure: Statistic, found: Chances) -> float:
    return {
        Statistic.WINS: found.wins,
        Statistic.LOSSES: found.losses,
        Statistic.UNBEATEN: found.wins + found.draws,
        Statistic.MARGIN: found.wins - found.losses,
        Statistic.POINTS: found.wins + found.draws / 2,
    }[measure]


def _played(claim: Claim, seed: int, executor: Executor | None, lanes: int) -> Found:
    """The figure of all games together, and the spread of the seeds."""
    scores = [
        _counted(claim.measure, _score(claim, each, executor, lanes))
        for each in range(seed, seed + claim.seeds)
    ]
    margin = claim.measure is Statistic.MARGIN
    total = sum(scores, Score())
    value, low, high, *rates = (
        2 * rate - 1 if margin else rate
        for rate in (total.rate, *total.interval(), *(score.rate for score in scores))
    )
    return Found(value, (low, high), (min(rates), max(rates)) if claim.seeds > 1 else None)


def _score(claim: Claim, seed: int, executor: Executor | None, lanes: int) -> Score:
    games = claim.games * (1 if claim.seat is None else 2)
    agents = (claim.agent, claim.opponent)
    fixtures = Terms(claim.game, agents, games, seed, opening=claim.opening).fixtures()
    wanted = [
        fixture for fixture in fixtures if claim.seat is None or fixture.entrants[claim.seat] == 0
    ]
    return sum((played.score(0) for played in play_all(wanted, executor, lanes)), Score())


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
