"""Snapshots of a search for a page: figures, one step with its frontier, a box after some calls."""

import pytest

from agents.optimisers.roster import searches_for
from agents.optimisers.runs import optimise
from agents.optimisers.snapshots import box_figures, cover_figures, cover_moment
from engine.problems import load_problem
from engine.problems.entry import ProblemShape

SMALL = "set-cover:things=12,sets=16,density=0.25,seed=4"
COVERS = [entry.key for entry in searches_for(ProblemShape.COVER)]


@pytest.mark.slow
@pytest.mark.parametrize("search", COVERS)
def test_the_figures_are_those_of_the_whole_run(search: str) -> None:
    (found,) = optimise(SMALL, search)
    figures = cover_figures(SMALL, search)
    assert figures.ended
    assert (figures.sets, figures.expanded) == (found.run.sets, found.run.expanded)  # type: ignore[union-attr]
    assert figures.optimal is found.optimal


@pytest.mark.slow
@pytest.mark.parametrize("search", ["breadth-first", "depth-first", "astar", "astar:branch=rarest"])
def test_the_first_of_the_frontier_is_the_next_step(search: str) -> None:
    steps = min(cover_figures(SMALL, search).steps, 60)
    moments = [cover_moment(SMALL, search, number) for number in range(1, steps + 1)]
    assert [moment.front[0].sets for moment in moments[:-1]] == [
        moment.step.sets for moment in moments[1:]
    ]


def test_gains_are_what_each_set_has_of_the_missing() -> None:
    moment = cover_moment(SMALL, "astar", 3)
    missing = set(moment.step.missing)
    gains = [len(missing & set(members)) for members in load_problem(SMALL).sets]
    assert moment.gains == tuple(sorted((gain for gain in gains if gain), reverse=True))
    assert moment.largest == max(map(len, load_problem(SMALL).sets))
    last = cover_moment(SMALL, "astar", 10_000).step  # beyond the last
    assert (last.missing, last.number) == ((), cover_figures(SMALL, "astar").steps)


def test_a_moment_of_a_box_is_the_run_cut_there() -> None:
    box = "black-box:groups=2"
    (found,) = optimise(box, "genetic", seed=3, calls=137)
    figures = box_figures(box, "genetic", 3, 137, 10.0)
    assert (figures.best, figures.calls, figures.genome) == (
        found.run.best,  # type: ignore[union-attr]
        found.run.calls,  # type: ignore[union-attr]
        found.run.genome,  # type: ignore[union-attr]
    )
