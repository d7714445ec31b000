"""Set covers whose sets are written out."""

import pytest

from engine.errors import InvalidTextError, ZermeloError
from engine.problems import load_problem
from engine.problems.catalog import MAX_PROBLEM_CHARS, shape_of
from engine.problems.entry import ImpossibleProblemError, ProblemShape


def test_sets_are_read_with_their_things_numbered_from_1() -> None:
    problem = load_problem("own-cover:sets=1-2.2-3.1-3")
    assert problem.things == 3
    assert problem.sets == ((0, 1), (1, 2), (0, 2))
    assert load_problem(problem.spec) == problem
    assert shape_of(problem.spec) is ProblemShape.COVER


@pytest.mark.parametrize(
    ("sets", "kind", "why"),
    [
        ("1-2.4", ImpossibleProblemError, "thing 3 is in none of the sets"),
        ("", InvalidTextError, "a thing is a number from 1 to 200, not ''"),
        ("1-x", InvalidTextError, "not 'x'"),
        ("0-1", InvalidTextError, "not '0'"),
        ("201", InvalidTextError, "not '201'"),
        (".".join(["1"] * 1001), ImpossibleProblemError, "1,001 sets: a set cover has 1 to 1,000"),
        ("1." * MAX_PROBLEM_CHARS, InvalidTextError, "a spec has at most 5,000 characters"),
    ],
)
def test_what_is_no_cover_says_what_would_be(sets: str, kind: type[ZermeloError], why: str) -> None:
    with pytest.raises(kind, match=why):
        load_problem(f"own-cover:sets={sets}")


def test_all_200_things_may_be_there() -> None:
    every = "-".join(map(str, range(1, 201)))
    assert load_problem(f"own-cover:sets={every}").things == 200
