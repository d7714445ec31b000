"""What agents claim, and how a figure meets it."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.results.claims import CLAIMS, Claim, Statistic
from benchmarks.results.figures import measure
from tests.agents.learning.helpers import trained

SMALL = "nim:preset=normal"
BRIEF = "ea-table:generations=2,population=10,children=5"


def claim(**more) -> Claim:
    return Claim(SMALL, BRIEF, "random:by=heap", Statistic.WINS, 0.5, **more)


@pytest.mark.parametrize(
    ("options", "figure", "interval", "met"),
    [
        ({}, 0.55, (0.45, 0.65), True),
        ({"at_most": True}, 0.45, (0.35, 0.55), True),
        ({"surely": True}, 0.55, (0.51, 0.59), True),
        ({"surely": True}, 0.55, (0.45, 0.65), False),
        ({"surely": True, "at_most": True}, 0.45, (0.35, 0.55), False),
        ({"target": None}, 0.0, None, True),  # nothing is asked of it
    ],
)
def test_a_claim_is_met_by_its_figure_and_a_sure_one_by_the_whole_interval(
    options, figure, interval, met
) -> None:
    asked = replace(claim(), **options)
    assert asked.met_by(figure, interval) is met


@pytest.mark.slow
def test_a_figure_of_several_trainings_is_their_mean_or_the_first_that_was_good() -> None:
    curves = [trained(SMALL, BRIEF, seed).curve for seed in (1, 2, 3)]
    wins = [curve[-1].metrics["wins"] for curve in curves]
    figure, bar = measure(claim(trainings=3)), sorted(wins)[1]
    assert figure.value == pytest.approx(np.mean(wins))
    assert figure.interval is not None
    assert figure.interval[0] <= figure.value <= figure.interval[1]
    assert measure(claim(until=bar)).value == next(seen for seen in wins if seen > bar)


@pytest.mark.parametrize("asked", CLAIMS, ids=lambda asked: asked.name)
def test_no_claim_is_met_by_whatever_is_found(asked: Claim) -> None:
    worst = 1.0 if asked.at_most else -1.0
    assert asked.met_by(worst) == (asked.target is None)
