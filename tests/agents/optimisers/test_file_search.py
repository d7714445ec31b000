"""Searches in somebody's own file, against a box that stays on our side."""

import pytest

from agents.optimisers.entry import BrokenSearchError, UnsuitableSearchError
from agents.optimisers.runs import optimise
from engine.problems.catalog import load_problem

HILL = """
import random
from lab9_lib import make_problem

def climb(problem, steps=300):
    genome = [random.randint(0, 1) for _ in range(1000)]
    best = problem(genome)
    for _ in range(steps):
        other = list(genome)
        other[random.randrange(1000)] ^= 1
        value = problem(other)
        if value >= best:
            genome, best = other, value
    assert problem.calls == steps + 1
    print("done", best)

for a in (1, 2, 5, 10):
    climb(make_problem(a), 10 ** 9)
"""


def found(tmp_path, text, problem="black-box:groups=1", told="", **options):
    path = tmp_path / "lab9.py"
    path.write_text(text, encoding="utf-8")
    (one,) = optimise(problem, f"{path}{told}", **options)
    return one.run


def test_a_students_search_is_counted_by_us_and_has_a_curve(tmp_path):
    run = found(tmp_path, HILL, "black-box:groups=1,sealed=yes")
    assert (run.calls, run.ended, run.curve[-1]) == (301, True, (301, run.best))
    assert load_problem("black-box:groups=1,sealed=yes,seed=0").value(run.genome) == run.best
    assert [value for _, value in run.curve] == sorted(value for _, value in run.curve)
    assert run.curve == found(tmp_path, HILL, "black-box:groups=1,sealed=yes").curve


def test_arguments_and_the_limit_of_calls_hold(tmp_path):
    assert found(tmp_path, HILL, told=":climb(20)").calls == 21
    assert found(tmp_path, HILL, told=":climb(1000000)", calls=50).calls == 50


def test_it_ends_at_the_optimum(tmp_path):
    text = "def search(problem):\n    while True:\n        problem([1] * 1000)\n"
    run = found(tmp_path, text)
    assert (run.best, run.calls) == (1.0, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "def search(problem):\n    problem([1] * 7)\n",
            "lab9.py line 2: ValueError: the box takes",
        ),
        ("def search(problem):\n    return 1 / 0\n", "lab9.py line 2: ZeroDivisionError"),
        ("def search(problem):\n    pass\n", "ended without a question"),
        ("import os\ndef search(problem):\n    os._exit(3)\n", "its process died"),
        ("x = 1\n", "there is no search"),
        ("def a(problem): pass\ndef b(problem): pass\n", "say which of a, b searches"),
    ],
)
def test_a_search_that_fails_says_where(text, why, tmp_path):
    with pytest.raises(BrokenSearchError, match=why):
        found(tmp_path, text)


def test_a_file_that_is_not_there_and_a_problem_that_is_no_box_are_refused(tmp_path):
    with pytest.raises(BrokenSearchError, match="is no file"):
        list(optimise("black-box", "./nowhere.py"))
    with pytest.raises(UnsuitableSearchError, match="a file can search a black box"):
        found(tmp_path, HILL, "set-cover")
