"""Rows that were not measured again stay as the page has them, and say so."""

from dataclasses import replace

import pytest

from benchmarks.results.claims import Claim, Statistic
from benchmarks.results.figures import Figure
from benchmarks.results.old_rows import UNKNOWN, OldRows
from benchmarks.results.page import OLD, found, page
from benchmarks.results.problems import problems_part
from benchmarks.results.trials import Measured, Trace, Trial

ONE = Claim("nim", "perfect", "random", Statistic.WINS, 1.0)
TWO = Claim("nim", "random", "perfect", Statistic.LOSSES, course="95 %")


def written(figures, old="") -> str:
    return page(figures, {("nim", "perfect"): None}, (), 0, OldRows(old))


def lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_a_row_that_was_not_measured_is_as_before_with_a_mark() -> None:
    first = written([Figure(ONE, 1.0, None, 1.0, 0.5), Figure(TWO, 0.75, None, None, 0.25)])
    (before,) = lines(first, "| `random` |")
    assert "**75 %**" in before
    assert "| 95 % (lab 2) |" in before
    second = written([Figure(ONE, 0.5, None, 1.0, 0.5), TWO], first)
    assert lines(second, "| `random` †") == [before.replace("`random`", "`random` †")]
    assert "**50 %**" in lines(second, "| `perfect` |")[0]
    third = written([ONE, TWO], second)  # a mark is not put twice
    assert lines(third, "| `random` †") == lines(second, "| `random` †")
    assert [OLD in each for each in (first, second, third)] == [False, True, True]


def test_an_interval_does_not_pass_what_there_can_be() -> None:
    assert found(Figure(replace(TWO, trainings=2), 0.9998, (0.9995, 1.0001), None, 0.0)) == (
        "99.98 % (99.95 % to 100 %, 2 trainings)"
    )


def test_a_row_that_nobody_measured_has_no_figure() -> None:
    (line,) = lines(written([ONE]), "| `perfect` †")
    assert line.count(UNKNOWN) == 5


@pytest.mark.parametrize(
    ("spread", "said"),
    [
        ((0.9, 0.96), "the published figure is among these"),
        ((0.9, 0.93), "the published figure is 2.0 points above the best of these"),
        ((0.97, 0.98), "the published figure is 2.0 points below the least of these"),
    ],
)
def test_a_row_says_how_far_its_seeds_are_from_what_was_published(spread, said) -> None:
    claim = replace(TWO, course_figure=0.95, trainings=2)
    (line,) = lines(written([Figure(claim, 0.95, spread, None, 0.0, spread)]), "| `random` |")
    assert said in line


def test_a_trial_says_so_too() -> None:
    trial = Trial("black-box", "course-second", "0.38 in 30,010 calls", True)
    for worths, said in (
        ((0.3, 0.4), "among"),
        ((0.3, 0.36), "0.02 above the most of"),
        ((0.4, 0.5), "0.02 below the least of"),
    ):
        found = Measured(trial, tuple(Trace(worth, 9, 1.0) for worth in worths))
        (line,) = lines(problems_part([found]), "| `black-box` |")
        assert f"(published: {said} the seeds, {worths[0]} to {worths[1]})" in line


def test_trials_too() -> None:
    trial = Trial("black-box", "weigh", "1.0 in 9 calls")
    whole = problems_part([Measured(trial, (Trace(1.0, 262, 1.0),) * 2)])
    (before,) = lines(whole, "| `black-box` |")
    assert "1.0 in 9 calls (lab 9)" in before
    old = OldRows(whole)
    (after,) = lines(problems_part([trial], old), "| `black-box` †")
    assert after == before.replace("`black-box`", "`black-box` †")
    assert old.used == 1
