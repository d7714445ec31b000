"""What agents claim, and how a figure meets it."""

import numpy as np
import pytest

from agents.contest.claims import Claim, Statistic
from agents.contest.measuring import measure
from agents.roster import read_agent
from agents.training.trainer import finish
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
