"""The part of docs/results.md about problems without an opponent: shown, and written."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.results.__main__ import results
from benchmarks.results.problems import TITLE, problems_part
from benchmarks.results.trials import Measured, Trace, Trial

SMALL = (
    Trial("set-cover:things=6,sets=9", "course", "4 sets", True, "6 sets", 3),
    Trial("set-cover:things=6,sets=9", "exact", seeds=3, optimal=True),
    Trial("black-box:sealed=yes", "weigh", seeds=3, most=10, optimal=True),
)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """Measured rows are kept in the working directory."""
    monkeypatch.chdir(tmp_path)


def measured(*arguments):
    return CliRunner().invoke(results, [str(argument) for argument in arguments])


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr("benchmarks.results.trials.TRIALS", SMALL)


@pytest.mark.usefixtures("small")
def test_a_row_can_be_measured_alone():
    shown = measured("--only", "things=6,sets=9 exact", "--workers", 1).stdout
    assert shown.startswith("set-cover:things=6,sets=9 exact: ")
    assert shown.strip().endswith("3 seeds: reached")


@pytest.mark.usefixtures("small")
def test_a_program_reads_the_same():
    (report,) = json.loads(measured("--only", "sealed=yes weigh", "--workers", 1, "--json").stdout)
    assert (report["effort"], report["best"]) == ([262.0] * 3, [1.0] * 3)
    assert (report["met"], report["seeds"], report["published"]) == (False, 3, None)


@pytest.mark.usefixtures("small")
def test_the_part_is_written_anew_and_the_rest_stays(tmp_path):
    page = tmp_path / "results.md"
    page.write_text(f"# Results\n\nGames.\n\n{TITLE}\nOld.\n", encoding="utf-8")
    result = measured("--problems", "--workers", 1, "--out", page)
    text = page.read_text("utf-8")
    assert result.exit_code == 0, result.stderr
    assert text.startswith(f"# Results\n\nGames.\n\n{TITLE}")
    assert "Old." not in text
    assert text.count("| `exact` |") == 1
    assert "≤ 10 calls ✗" in text


def test_what_is_theirs_and_what_is_ours_stand_apart():
    traces = (Trace(3, 10, 3), Trace(4, 30, 3))
    part = problems_part([Measured(SMALL[0], traces), Measured(SMALL[1], traces)])
    rows = [line.split(" | ") for line in part.splitlines() if line.startswith("| `")]
    assert rows[0][2:6] == [
        "4 sets (lab 1)",
        "6 sets",
        "**3.5 (3.25 to 3.75) sets, 20 (15 to 25) expanded, 2 seeds**",
        "–",
    ]
    assert rows[1][2:5] == ["–", "–", "–"]
    assert rows[1][-1] == "the best, from every seed ✗ |"


def test_a_name_that_nothing_has_is_one_line():
    result = measured("--only", "chess")
    assert result.exit_code == 2
    assert "nothing measured contains 'chess'" in result.stderr


@pytest.mark.usefixtures("small")
def test_a_run_without_time_leaves_the_page_as_it_is_and_says_so(tmp_path):
    page = tmp_path / "results.md"
    assert measured("--problems", "--workers", 1, "--out", page).exit_code == 0
    before = page.read_text("utf-8")
    result = measured("--problems", "--workers", 1, "--out", page, "--minutes", 0)
    assert result.stdout == f"wrote {page}\n"  # every row is kept
    assert page.read_text("utf-8") == before
    elsewhere = tmp_path / "none"
    result = measured(
        "--problems", "--workers", 1, "--out", page, "--minutes", 0, "--rows", elsewhere
    )
    assert result.stdout == f"wrote {page}, 3 rows as they were\n"
    assert page.read_text("utf-8").replace(" †", "") == before
