"""Rows that were not measured again stay as the page has them, and say so."""

from benchmarks.results.claims import Claim, Statistic
from benchmarks.results.figures import Figure
from benchmarks.results.old_rows import UNKNOWN, OldRows
from benchmarks.results.page import page
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


def test_a_row_that_nobody_measured_has_no_figure() -> None:
    (line,) = lines(written([ONE]), "| `perfect` †")
    assert line.count(UNKNOWN) == 5


def test_trials_too() -> None:
    trial = Trial("black-box", "weigh", "1.0 in 9 calls")
    whole = problems_part([Measured(trial, (Trace(1.0, 262, 1.0),) * 2)])
    (before,) = lines(whole, "| `black-box` |")
    assert "1.0 in 9 calls (lab 9)" in before
    old = OldRows(whole)
    (after,) = lines(problems_part([trial], old), "| `black-box` †")
    assert after == before.replace("`black-box`", "`black-box` †")
    assert old.used == 1
