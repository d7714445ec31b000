"""What agents claim, and how a figure meets it."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.results.claims import CLAIMS, Claim, Statistic
from benchmarks.results.figures import Figure, measure
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
def test_a_figure_of_several_trainings_is_their_mean_with_their_range() -> None:
    curves = [trained(SMALL, BRIEF, seed).curve for seed in (1, 2, 3)]
    wins = [curve[-1].metrics["wins"] for curve in curves]
    figure = measure(claim(trainings=3))
    assert figure.value == pytest.approx(np.mean(wins))
    assert figure.interval is not None
    assert figure.interval[0] <= figure.value <= figure.interval[1]
    assert figure.spread == pytest.approx((min(wins), max(wins)))


@pytest.mark.parametrize(
    ("published", "agrees"), [(0.95, True), (0.9, True), (0.89, False), (0.99, False)]
)
def test_a_system_set_as_published_has_to_give_the_published_figure(published, agrees) -> None:
    asked = claim(course_figure=published, as_published=True)
    figure = Figure(asked, 0.94, (0.92, 0.96), None, 0.0, spread=(0.9, 0.98))
    assert (figure.agrees, figure.met) == (agrees, agrees)
    lenient = replace(figure, claim=replace(asked, course_error=0.02))
    assert lenient.agrees  # what was published was played, and may be off


def test_games_from_several_seeds_are_told_together_and_with_their_range() -> None:
    asked = Claim(SMALL, "random", "greedy-heap", Statistic.WINS, 0.0, games=10)
    alone = [measure(asked, seed).value for seed in (5, 6, 7)]
    together = measure(replace(asked, seeds=3), seed=5)
    assert together.value == pytest.approx(np.mean(alone))
    assert together.spread == (min(alone), max(alone))


@pytest.mark.parametrize("asked", CLAIMS, ids=lambda asked: asked.name)
def test_no_claim_is_met_by_whatever_is_found(asked: Claim) -> None:
    worst = 1.0 if asked.at_most else -1.0
    assert asked.met_by(worst) == (asked.target is None)
