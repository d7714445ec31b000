"""Every setting is written down, and every bound of what a page begins."""

import re

import pytest

from agents.contest.arena import MOST_PLAYERS
from engine.problems.black_box import MOST_CALLS, MOST_GROUPS
from engine.problems.set_cover import MOST_SETS, MOST_THINGS
from tests.webapp.commands.command_line import zermelo
from tests.webapp.serving.process import ROOT
from webapp.lab.arena.forms import MOST_A_PAIR, MOST_GAMES
from webapp.lab.training.learners import LONGEST, MOST_RUNS
from webapp.optimise.black_box.query import MOST_SEEDS

SOURCES = [*(ROOT / "webapp").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
SETTINGS = sorted(
    {name for path in SOURCES for name in re.findall(r'"(ZERMELO_[A-Z_]+)"', path.read_text())}
)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_documented(name):
    assert f"`{name}`" in (ROOT / "docs" / "serving.md").read_text()


@pytest.mark.parametrize(
    "bound",
    [
        *(f"{most:,} {unit}" for unit, most in LONGEST.items()),
        f"{MOST_RUNS} runs",
        f"{MOST_PLAYERS} machines",
        f"{MOST_A_PAIR:,} games a pair",
        f"{MOST_GAMES:,} in all",
        f"{MOST_THINGS} things",
        f"{MOST_SETS:,} sets",
        f"{MOST_GROUPS} groups",
        f"{MOST_CALLS:,} calls",
        f"{MOST_SEEDS} seeds",
    ],
)
def test_a_bound_of_trainings_arenas_and_searches_is_documented(bound):
    _, _, bounds = (ROOT / "docs" / "serving.md").read_text().partition("## What is bounded")
    assert bound in bounds


@pytest.mark.parametrize(
    "cap",
    [
        f"{MOST_THINGS} things",
        f"{MOST_SETS:,} sets",
        f"{MOST_GROUPS} groups",
        f"{MOST_CALLS:,} calls",
    ],
)
def test_the_command_names_its_caps(cap):
    assert cap in " ".join(zermelo("optimise", "--help").output.split())
