"""What is measured of the searches, and how a figure meets what is asked."""

from statistics import median

import pytest

from agents.optimisers.roster import BUILT_IN, load_search
from agents.optimisers.runs import optimise
from benchmarks.results.trials import TRIALS, Measured, Trace, Trial, measure
from engine.problems import load_problem


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_a_trial_names_what_there_is_and_has_twenty_seeds(trial: Trial) -> None:
    load_problem(trial.problem)
    load_search(trial.search, trial.problem)
    assert trial.seeds >= 20


def test_every_search_has_a_row() -> None:
    rows = {trial.search.partition(":")[0] for trial in TRIALS}
    assert rows == {entry.key for entry in BUILT_IN}
    assert len({trial.name for trial in TRIALS}) == len(TRIALS)


def test_a_figure_is_over_all_seeds() -> None:
    found = measure(Trial("set-cover:preset=projector", "greedy", seeds=5))
    runs = [one.run for one in optimise("set-cover:preset=projector", "greedy", runs=5)]
    assert [trace.worth for trace in found.traces] == [run.size for run in runs]
    assert found.worth is not None
    assert found.worth[1] == median(run.size for run in runs)


def test_a_box_has_its_goal_for_the_best() -> None:
    found = measure(Trial("black-box:groups=2,sealed=yes", "weigh", seeds=2, most=499))
    assert (found.best, found.reached, found.met) == ((1.0, 1.0, 1.0), 2, True)


def traced(*pairs: tuple[float | None, int]) -> tuple[Trace, ...]:
    return tuple(Trace(worth, effort, 3) for worth, effort in pairs)


@pytest.mark.parametrize(
    ("traces", "met"),
    [
        (traced((3, 100), (3, 200)), True),
        (traced((3, 100), (3, 201)), False),
        (traced((3, 100), (4, 100)), False),
        (traced((3, 100), (None, 100)), False),
    ],
)
def test_every_seed_has_to_reach_what_is_asked(traces: tuple[Trace, ...], met: bool) -> None:
    asked = Trial("set-cover", "astar", optimal=True, most=200)
    assert Measured(asked, traces).met is met
    assert Measured(asked, traces[:1]).worth is None  # one seed has no quartiles
