"""The roster of searches, runs of several, and runs folded from slices."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.entry import (
    BrokenSearchError,
    UnreadableStateError,
    UnsuitableSearchError,
    from_bytes,
    to_bytes,
)
from agents.optimisers.roster import BUILT_IN, load_search, searches, searches_for
from agents.optimisers.runs import optimise, run_slice, solved
from agents.optimisers.set_cover.run import CoverRun
from engine.errors import InvalidSpecError
from engine.options import Kind, Values, write_spec
from engine.problems.catalog import BUILT_IN as PROBLEMS
from engine.problems.entry import ProblemShape
from tests.agents.training.zipping import npy, packed
from tests.engine.packages import installing

EXTRA = replace(BUILT_IN[2], key="extra")


@pytest.fixture
def install() -> Iterator[Callable[..., None]]:
    with installing(searches) as install:
        yield install


def test_the_search_of_a_package_comes_after_ours(install: Any) -> None:
    install(EXTRA)
    assert searches()[-1] is EXTRA
    assert EXTRA in searches_for(ProblemShape.COVER)


def choices() -> list[tuple[str, str]]:
    """(problem, spec) of every search with every choice it offers."""
    keys = {entry.shape: entry.key for entry in PROBLEMS}
    return [
        (keys[entry.shape], f"{entry.key}:{option.name}={choice}")
        for entry in BUILT_IN
        for option in entry.options
        if option.kind is Kind.CHOICE
        for choice in option.choices
    ]


@pytest.mark.parametrize(("problem", "spec"), choices())
def test_every_choice_of_a_search_makes_one_that_works(problem: str, spec: str) -> None:
    (one,) = optimise(problem, spec, calls=60)
    assert one.search in (spec, spec.partition(":")[0])


@pytest.mark.parametrize("entry", BUILT_IN, ids=lambda entry: entry.key)
def test_the_usual_search_has_the_shortest_spec_and_is_described_in_two_sentences(
    entry: Any,
) -> None:
    assert entry.description.count(". ") == 1
    assert entry.description.endswith(".")
    assert all(option.help for option in entry.options)
    problem = next(found.key for found in PROBLEMS if found.shape is entry.shape)
    full = ",".join(f"{option.name}={option.write(option.default)}" for option in entry.options)
    assert load_search(f"{entry.key}:{full}" if full else entry.key, problem)[0] == entry.key
    assert write_spec(entry.key, entry.options, Values.defaults(entry.options)) == entry.key


@pytest.mark.parametrize(
    ("search", "problem", "error", "why"),
    [
        ("gredy", "set-cover", InvalidSpecError, "unknown search 'gredy': did you mean 'greedy'?"),
        ("🐙", "black-box", InvalidSpecError, "there is course-first, course-second, one-plus"),
        ("probe", "set-cover", UnsuitableSearchError, "probe is for a box, and set-cover is a cov"),
        ("exact", "black-box", UnsuitableSearchError, "there is course-first"),
        ("astar:estimate=best", "set-cover", InvalidSpecError, "one of largest, gain, gains, ave"),
        (
            "tabu:tenure=901",
            "black-box",
            InvalidSpecError,
            "tenure must be a whole number from 0 to 9",
        ),
        ("probe", "blackbox", InvalidSpecError, "unknown problem 'blackbox': did you mean"),
    ],
)
def test_a_search_that_will_not_do_says_what_would(
    search: str, problem: str, error: type[Exception], why: str
) -> None:
    with pytest.raises(error) as caught:
        load_search(search, problem)
    assert why in str(caught.value)
    good = "greedy" if problem == "set-cover" else "genetic"
    with pytest.raises(error):  # before the first run
        next(optimise(problem, good, search))


def test_a_search_whose_own_code_fails_is_named(install: Any) -> None:
    install(replace(EXTRA, make=lambda options: None))
    with pytest.raises(BrokenSearchError, match="extra failed on set-cover:seed=0"):
        list(optimise("set-cover", "extra"))


def test_runs_take_one_seed_after_the_other_and_so_does_a_problem_that_names_none() -> None:
    found = list(optimise("set-cover", "greedy", "depth-first", seed=3, runs=2))
    assert [(one.problem, one.search, one.seed) for one in found] == [
        ("set-cover:seed=3", "greedy", 3),
        ("set-cover:seed=3", "depth-first", 3),
        ("set-cover:seed=4", "greedy", 4),
        ("set-cover:seed=4", "depth-first", 4),
    ]
    named = "black-box:groups=2,seed=9,sealed=yes"
    found = list(optimise(named, "genetic", runs=2, calls=60))
    assert [one.problem for one in found] == [named, named]
    assert found[0].run.best != found[1].run.best


def test_calls_are_the_most_that_is_asked_or_expanded() -> None:
    (asked,) = optimise("black-box:groups=5", "genetic", calls=333)
    (expanded,) = optimise("set-cover", "breadth-first", calls=77)
    assert (asked.run.calls, expanded.run.expanded) == (333, 77)
    assert expanded.run.sets is None
    assert str(expanded) == "breadth-first on set-cover: no cover after 77 expansions"
    assert str(asked).endswith("after 333 calls")


def interrupted(after: int) -> Callable[[str, Iterator[Any]], Iterator[Any]]:
    """Raise KeyboardInterrupt after so many reports of a run."""

    def watched(name: str, runs: Iterator[Any]) -> Iterator[Any]:
        for _ in range(after):
            yield next(runs)
        raise KeyboardInterrupt

    return watched


@pytest.mark.parametrize(
    ("problem", "search"), [("black-box:groups=10", "one-plus-one"), ("set-cover", "exact")]
)
def test_ctrl_c_keeps_what_there_is(problem: str, search: str) -> None:
    found = list(optimise(problem, search, search, runs=3, watched=interrupted(1)))
    assert len(found) == 1
    assert found[0].stopped
    assert isinstance(found[0].run, BoxRun | CoverRun)
    if isinstance(found[0].run, BoxRun):  # its curve goes up to where it was stopped
        assert found[0].run.curve[-1] == (found[0].run.calls, found[0].run.best)
    with pytest.raises(KeyboardInterrupt):  # before there is anything
        list(optimise(problem, search, watched=interrupted(0)))


@pytest.mark.slow
@pytest.mark.parametrize("entry", searches_for(ProblemShape.BOX), ids=lambda entry: entry.key)
def test_a_run_on_a_box_is_a_fold_of_slices(entry: Any) -> None:
    asked = ("black-box:groups=5,sealed=yes", entry.key, 3)
    parts = [run_slice(*asked, None, 150, seconds=0)]
    while not parts[-1].run.ended:
        parts.append(run_slice(*asked, parts[-1].state, 150, seconds=0))
    assert parts[-1].run == run_slice(*asked, None, 150, seconds=600).run
    assert len(parts) > 1


@pytest.mark.parametrize("entry", searches_for(ProblemShape.COVER), ids=lambda entry: entry.key)
def test_a_run_over_covers_is_a_fold_of_slices(entry: Any) -> None:
    problem = "set-cover:preset=projector,seed=3"
    begun = run_slice(problem, entry.key, 0, None, seconds=0)
    whole = run_slice(problem, entry.key, 0, begun.state, seconds=600)
    (one,) = optimise(problem, entry.key)
    assert begun.run.expanded == 0
    assert whole.run == one.run


def test_a_state_comes_back_from_its_bytes() -> None:
    arrays = {"one": np.arange(3), "many": np.zeros((2, 0), np.int16)}
    back, facts = from_bytes(to_bytes(arrays, {"calls": 3}))
    assert facts == {"calls": 3}
    assert {name: (array.shape, array.dtype) for name, array in back.items()} == {
        name: (array.shape, array.dtype) for name, array in arrays.items()
    }


PICKLED = packed({"facts.npy": npy(np.array([{}], dtype=object), allow_pickle=True)})


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"nothing of ours", PICKLED])
def test_bytes_that_are_no_state_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableStateError, match="no state of a run"):
        from_bytes(data)


def test_ctrl_c_in_the_midst_of_a_kernel_keeps_what_there_is_and_no_other_error_does() -> None:
    def failing(cause: BaseException | None) -> Callable[[str, Iterator[Any]], Iterator[Any]]:
        def watched(_: str, runs: Iterator[Any]) -> Iterator[Any]:
            yield next(runs)
            raise SystemError("it returned a result with an exception set") from cause

        return watched

    found = solved("set-cover", "greedy", 0, None, failing(KeyboardInterrupt()))
    assert (found.stopped, bool(found.run.sets)) == (True, True)  # type: ignore[union-attr]
    with pytest.raises(BrokenSearchError, match="greedy failed on set-cover"):
        solved("set-cover", "greedy", 0, None, failing(None))
