"""Searches over covers: their covers against enumeration, and their estimates."""

from functools import cache
from statistics import median

import numpy as np
import pytest

from agents.optimisers.entry import Arrays, CoverSearch
from agents.optimisers.roster import load_search, searches_for
from agents.optimisers.runs import Optimised, optimise
from agents.optimisers.set_cover.best_first import ADMISSIBLE, ESTIMATES
from agents.optimisers.set_cover.course import CourseCover
from agents.optimisers.set_cover.exact import Exact
from agents.optimisers.set_cover.ledger import REOPENED
from agents.optimisers.set_cover.run import CoverStep, cover_run, optimum, step_at
from agents.optimisers.set_cover.sets import estimated, greedy_cover, sets_of, words
from engine.problems import SetCover, load_problem
from engine.problems.entry import ProblemShape
from tests.agents.optimisers.enumeration import distances, fewest_sets
from tests.soak import lessened

SMALL = [
    f"set-cover:things={things},sets={sets},density={density},seed={seed}"
    for seed, (things, sets, density) in enumerate(
        [(5, 4, 0.3), (8, 12, 0.25), (9, 20, 0.2), (10, 10, 0.4), (10, 30, 0.15), (7, 1, 0.5)]
    )
]
KEYS = [entry.key for entry in searches_for(ProblemShape.COVER)]
ASTARS = [
    f"astar:estimate={estimate},branch={branch}"
    for estimate in ADMISSIBLE
    for branch in ("all", "rarest")
]
PROVING = ["exact", "breadth-first", *ASTARS]


@cache
def found(problem: str, search: str) -> Optimised:
    (only,) = optimise(problem, search)
    return only


def size(problem: str, search: str) -> int:
    sets = found(problem, search).run.sets
    assert sets is not None
    return len(sets)


@pytest.mark.parametrize("search", KEYS)
@pytest.mark.parametrize("problem", [*SMALL, "set-cover:seed=2"])
def test_what_a_search_ends_with_covers_everything(problem: str, search: str) -> None:
    one = found(problem, search)
    assert one.run.ended
    assert load_problem(problem).missing(one.run.sets) == 0
    assert len(set(one.run.sets)) == len(one.run.sets)


@pytest.mark.parametrize("search", PROVING)
@pytest.mark.parametrize("problem", SMALL)
def test_a_search_that_proves_finds_the_fewest(problem: str, search: str) -> None:
    assert size(problem, search) == distances(load_problem(problem))[0]
    assert found(problem, search).run.optimal


def random_instance(number: int) -> str:
    """Of the sizes that can be enumerated: few things, or sets that hold many of them."""
    rng = np.random.default_rng(number)
    if number % 2:
        things, sets, density = rng.integers(3, 13), rng.integers(3, 60), rng.uniform(0.15, 0.6)
    else:
        things, sets, density = rng.integers(20, 31), rng.integers(130, 151), 0.35
    return f"set-cover:things={things},sets={sets},density={density:.2f},seed={number}"


@pytest.mark.parametrize(
    "instances",
    [
        pytest.param(10, marks=pytest.mark.slow),
        pytest.param(lessened(200, 40), marks=pytest.mark.soak),
    ],
)
def test_exact_and_astar_agree_with_enumeration(instances: int) -> None:
    problems = [load_problem(random_instance(number)) for number in range(instances)]
    wrong = [
        (problem.spec, search)
        for problem in problems
        for fewest in [distances(problem)[0] if problem.things < 13 else fewest_sets(problem)]
        for search in ["exact", *ASTARS]
        if size(problem.spec, search) != fewest
    ]
    assert wrong == []


def estimates(problem: SetCover, how: str) -> list[int]:
    """[mask of covered things] -> h"""
    sets = sets_of(problem)
    missing = words([problem.everything ^ state for state in range(problem.everything + 1)], 64)
    return [int(estimated(sets, mask, ESTIMATES[how])) for mask in missing]


def by_hand(problem: SetCover, missing: int, how: str) -> int:
    """The estimates by their definition."""
    wanted = missing.bit_count()
    gains = sorted(((mask & missing).bit_count() for mask in problem.masks), reverse=True)
    some = [gain for gain in gains if gain]
    if not wanted:
        return 0
    if how == "gains":
        return next(many for many in range(1, 99) if sum(gains[:many]) >= wanted)
    largest = max(mask.bit_count() for mask in problem.masks)
    divisor = {"largest": largest, "gain": gains[0], "average": sum(some) / len(some)}[how]
    return int(np.ceil(wanted / divisor - 1e-12))


@pytest.mark.parametrize("how", ESTIMATES)
@pytest.mark.parametrize("spec", SMALL)
def test_an_estimate_is_what_it_says(spec: str, how: str) -> None:
    problem = load_problem(spec)
    expected = [by_hand(problem, problem.everything ^ state, how) for state in range(1 << 5)]
    assert estimates(problem, how)[: 1 << 5] == expected


@pytest.mark.parametrize("how", ADMISSIBLE)
@pytest.mark.parametrize("spec", SMALL)
def test_an_admissible_estimate_never_promises_too_much_nor_falls_by_more_than_one(
    spec: str, how: str
) -> None:
    problem = load_problem(spec)
    h = np.array(estimates(problem, how))
    states = np.arange(len(h))
    assert (h <= distances(problem)).all()
    assert [mask for mask in problem.masks if (h > 1 + h[states | mask]).any()] == []


def test_the_average_promises_too_much_and_is_wrong_where_the_others_are_right() -> None:
    small = [load_problem(spec) for spec in SMALL]
    assert any((np.array(estimates(each, "average")) > distances(each)).any() for each in small)
    assert any(
        size(f"set-cover:seed={seed}", "astar:estimate=average")
        > size(f"set-cover:seed={seed}", "astar:branch=rarest")
        for seed in range(10)
    )


@pytest.mark.parametrize("search", ASTARS)
@pytest.mark.parametrize("problem", [*SMALL, "set-cover:seed=0"])
def test_with_a_consistent_estimate_nothing_is_reopened(problem: str, search: str) -> None:
    assert found(problem, search).run.state["tally"][REOPENED] == 0


@pytest.mark.parametrize(
    "instances",
    [pytest.param(3, marks=pytest.mark.slow), pytest.param(30, marks=pytest.mark.soak)],
)
def test_branching_on_the_rarest_thing_looks_at_a_twentieth_of_what_the_largest_set_does(
    instances: int,
) -> None:
    plain, rarest = (
        [found(f"set-cover:seed={seed}", search).run.expanded for seed in range(instances)]
        for search in ("astar:estimate=largest", "astar:estimate=gains,branch=rarest")
    )
    assert median(one / other for one, other in zip(rarest, plain, strict=True)) <= 0.05
    assert max(rarest) <= 200


def differing(one: Arrays, other: Arrays) -> list[str]:
    return [name for name in one if not np.array_equal(one[name], other[name])]


def advanced(search: CoverSearch, problem: SetCover, *parts: int) -> Arrays:
    """The state after these parts; checks that `advance` leaves its argument unchanged."""
    state = search.begin(problem)
    for part in parts:
        before = {name: array.copy() for name, array in state.items()}
        after = search.advance(problem, state, part)
        assert differing(state, before) == []
        state = after
    return state


@pytest.mark.parametrize("search", KEYS)
def test_a_search_is_the_same_however_it_is_cut(search: str) -> None:
    problem = load_problem("set-cover:preset=projector,seed=1")
    _, made = load_search(search, problem.spec)
    whole, cut = advanced(made, problem, 500), advanced(made, problem, 1, 2, 7, 90, 400)
    assert differing(whole, cut) == []


def steps_of(problem: str, search: str) -> list[CoverStep]:
    run = found(problem, search).run
    return [step_at(load_problem(problem), run, at + 1) for at in range(run.steps)]


@pytest.mark.parametrize("search", KEYS)
def test_every_step_has_its_sets_and_what_they_leave_missing(search: str) -> None:
    sets, steps = load_problem(SMALL[2]).sets, steps_of(SMALL[2], search)
    left = [set(range(9)) - {thing for at in step.sets for thing in sets[at]} for step in steps]
    assert steps[0].sets == ()
    assert len(steps) >= found(SMALL[2], search).run.expanded
    assert [set(step.missing) for step in steps] == left
    assert [step.g for step in steps] == [len(step.sets) for step in steps]
    assert min(step.waiting for step in steps) >= 0
    with pytest.raises(IndexError, match="there is no step 0"):
        step_at(load_problem(SMALL[2]), found(SMALL[2], search).run, 0)


def test_what_astar_takes_up_never_has_a_smaller_f_than_before() -> None:
    steps = steps_of("set-cover", "astar")
    assert [step.f for step in steps] == sorted(step.g + step.h for step in steps)
    assert steps[-1].sets == found("set-cover", "astar").run.sets
    assert [step.least for step in steps[:-1]] == [step.f for step in steps[1:]]


def test_greed_takes_the_largest_gain_each_time() -> None:
    problem = SetCover.of("mine", 6, [[0, 1], [0, 1, 2, 3], [3, 4], [4, 5], [2, 3, 4]])
    assert greedy_cover(problem) == (1, 3)
    seeds = range(10)  # a heuristic's cover is reported as the smallest or not
    assert {found(f"set-cover:seed={seed}", "greedy").optimal for seed in seeds} == {True, False}


def test_the_courses_search_forces_the_largest_sets_first() -> None:
    """By hand: {0,1,2} has to be taken, then one of the pairs, whether it helps or not."""
    problem = SetCover.of("mine", 5, [[3], [0, 1, 2], [4], [1, 2]])
    search = CourseCover()
    run = cover_run(search, search.advance(problem, search.begin(problem), 100), 0.0)
    assert run.sets == (1, 3, 0, 2)
    # Bars 5 and 4 with nothing, 3, nothing more of 3, 2, nothing more of 2, 1, and 1 twice more.
    assert run.expanded == 9


def test_a_bound_from_below_grows_until_it_meets_what_is_known() -> None:
    problem, search = load_problem("set-cover:seed=0"), Exact()
    bounds = [
        cover_run(search, advanced(search, problem, expanded), 0.0).bound
        for expanded in (1, 2, 3, 5, 10, 20, 50, 1000)
    ]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1] == optimum(problem)


def test_a_search_that_may_keep_no_more_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.optimisers.set_cover.best_first.MAX_NODES", 5_000)
    problem = "set-cover:things=60,sets=200,density=0.1"
    (one,), (cut,) = (optimise(problem, "breadth-first", calls=calls) for calls in (None, 10**6))
    assert (one.run.full, one.run.sets, one.optimal) == (True, None, None)
    assert one.run == cut.run


@pytest.mark.slow
def test_the_largest_instance_is_begun_by_everyone() -> None:
    problem = "set-cover:things=200,sets=1000,density=0.05"
    runs = [one.run for one in optimise(problem, *KEYS, calls=20)]
    assert [run.expanded for run in runs] == [20] * len(KEYS)
