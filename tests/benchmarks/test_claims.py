"""What agents claim, and how a figure meets it."""

import numpy as np
import pytest

from agents.roster import read_agent
from agents.training.trainer import finish
from benchmarks.results.claims import CLAIMS, Claim, Statistic
from benchmarks.results.figures import measure
from engine import load_game

SMALL = "nim:preset=normal"
BRIEF = "ea-table:generations=2,population=10,children=5"


def claim(**more) -> Claim:
    return Claim(SMALL, BRIEF, "random:by=heap", Statistic.WINS, 0.5, **more)


def test_a_claim_is_met_by_its_figure() -> None:
    assert claim().met_by(0.55, (0.45, 0.65))
    assert claim(at_most=True).met_by(0.45, (0.35, 0.55))


def test_a_sure_claim_is_met_only_by_the_whole_interval() -> None:
    assert claim(surely=True).met_by(0.55, (0.51, 0.59))
    assert not claim(surely=True).met_by(0.55, (0.45, 0.65))
    assert not claim(surely=True, at_most=True).met_by(0.45, (0.35, 0.55))


@pytest.mark.slow
def test_a_figure_of_several_trainings_is_their_mean() -> None:
    game = load_game(SMALL)
    entry, options = read_agent(BRIEF, game)
    assert entry.train is not None
    brains = [finish(entry.train(game, options, seed, None)) for seed in (1, 2, 3)]
    figure = measure(claim(trainings=3))
    assert figure.value == pytest.approx(np.mean([b.curve[-1].metrics["wins"] for b in brains]))
    assert figure.interval is not None
    assert figure.interval[0] <= figure.value <= figure.interval[1]


@pytest.mark.parametrize("asked", CLAIMS, ids=lambda asked: asked.name)
def test_no_claim_is_met_by_whatever_is_found(asked: Claim) -> None:
    worst = 1.0 if asked.at_most else -1.0
    assert asked.met_by(worst) == (asked.target is None)


def test_a_figure_nothing_is_asked_of_is_only_told() -> None:
    told = Claim(SMALL, BRIEF, "random:by=heap", Statistic.WINS)
    assert told.met_by(0.0)


@pytest.mark.slow
def test_a_training_restarted_until_it_is_good_tells_the_first_that_was() -> None:
    game = load_game(SMALL)
    entry, options = read_agent(BRIEF, game)
    assert entry.train is not None
    wins = [list(entry.train(game, options, seed, None))[-1].metrics["wins"] for seed in (1, 2, 3)]
    bar = sorted(wins)[1]
    assert measure(claim(until=bar)).value == next(seen for seen in wins if seen > bar)
