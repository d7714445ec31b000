"""The catalogue of problems, and what installed packages add to it."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from engine.entry import Preset
from engine.problems import SetCover, load_problem
from engine.problems.catalog import BUILT_IN, find_problem, problems, with_seed
from engine.problems.entry import BrokenProblemError, ProblemEntry, ProblemShape
from tests.engine.packages import installer

install = installer(problems)


EXTRA = ProblemEntry(
    key="extra",
    title="Extra",
    summary="One thing, one set.",
    shape=ProblemShape.COVER,
    options=(),
    presets=(Preset("usual", "Usual", ()),),
    make=lambda spec, options: SetCover.of(spec, 1, [[0]]),
)


@pytest.mark.parametrize("entry", BUILT_IN, ids=lambda entry: entry.key)
def test_a_preset_is_made_and_its_spec_reads_back(entry: ProblemEntry) -> None:
    made = [entry.load({"preset": preset.name}) for preset in entry.presets]
    assert made[0].spec == entry.key
    assert [load_problem(problem.spec) for problem in made] == made


def test_the_problem_of_a_package_comes_after_ours(install: Any) -> None:
    install(EXTRA)
    assert [entry.key for entry in problems()] == ["set-cover", "black-box", "own-cover", "extra"]
    assert find_problem("extra") is EXTRA


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("no entry", "is no ProblemEntry"),
        (replace(EXTRA, key="Extra One"), "small letters"),
        (replace(EXTRA, key="set-cover"), "there is a problem set-cover already"),
        (replace(EXTRA, presets=()), "its first preset"),
        (replace(EXTRA, make=lambda spec, options: SetCover.of(spec, 2, [[0]])), "covered"),
    ],
)
def test_a_broken_problem_is_reported_and_skipped(
    install: Any, caplog: pytest.LogCaptureFixture, entry: Any, why: str
) -> None:
    install(entry, EXTRA)
    with caplog.at_level(logging.WARNING):
        assert [found.key for found in problems()][len(BUILT_IN) :] == ["extra"]
    assert why in caplog.text


def test_a_problem_whose_own_code_fails_is_told_and_named(caplog: pytest.LogCaptureFixture) -> None:
    broken = replace(EXTRA, make=lambda spec, options: 1 // 0)
    with pytest.raises(BrokenProblemError, match="extra cannot be set up: its package failed"):
        broken.load({})
    assert "failed to make extra: ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("spec", "seeded"),
    [
        ("set-cover", "set-cover:seed=5"),
        ("set-cover:", "set-cover:seed=5"),
        ("set-cover:sets=9", "set-cover:sets=9,seed=5"),
        ("set-cover:seed=0", "set-cover:seed=0"),
    ],
)
def test_a_seed_left_open_is_filled_in(spec: str, seeded: str) -> None:
    assert with_seed(spec, 5) == seeded


def test_a_problem_without_a_seed_gets_none(install: Any) -> None:
    install(EXTRA)
    assert with_seed("extra", 5) == "extra"
