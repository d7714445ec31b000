"""Every setting is written down, every bound of what a page begins, and how many puzzles ship."""

import json
import re
from collections import defaultdict

import pytest

from agents.contest.arena import MAX_PLAYERS
from engine.nim import MAX_HEAPS, MAX_OBJECTS
from engine.problems.black_box import MAX_CALLS, MAX_GROUPS
from engine.problems.set_cover import MAX_SETS, MAX_THINGS
from tests.webapp.commands.command_line import zermelo
from tests.webapp.serving.process import ROOT
from webapp.lab.arena.forms import MAX_GAMES, MAX_GAMES_PER_PAIR
from webapp.lab.training.forms import MAX_LENGTHS, MAX_RUNS
from webapp.optimise.query import MAX_SEEDS

SOURCES = [*(ROOT / "webapp").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
SETTINGS = sorted(
    {name for path in SOURCES for name in re.findall(r'"(ZERMELO_[A-Z_]+)"', path.read_text())}
)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_documented(name):
    assert f"`{name}`" in (ROOT / "docs" / "serving.md").read_text()


CAPS = [
    *(f"{MAX_THINGS} things", f"{MAX_SETS:,} sets"),
    *(f"{MAX_GROUPS} groups", f"{MAX_CALLS:,} calls"),
]
BOUNDS = [
    *(f"{most:,} {unit}" for unit, most in MAX_LENGTHS.items()),
    *(f"{MAX_RUNS} runs", f"{MAX_PLAYERS} machines", f"{MAX_SEEDS} seeds"),
    *(f"{MAX_GAMES_PER_PAIR:,} games a pair", f"{MAX_GAMES:,} in all"),
]


def test_the_bounds_of_trainings_arenas_and_searches_are_documented():
    _, _, bounds = (ROOT / "docs" / "serving.md").read_text().partition("## What is bounded")
    assert [bound for bound in (*BOUNDS, *CAPS) if bound not in bounds] == []


def test_the_rules_name_the_largest_nim():
    rules = (ROOT / "docs" / "rules.md").read_text()
    assert f"there are 1 to {MAX_HEAPS}, of 0 to {MAX_OBJECTS} objects" in rules


def test_the_command_names_its_caps():
    shown = " ".join(zermelo("optimise", "--help").output.split())
    assert [cap for cap in CAPS if cap not in shown] == []


def test_the_numbers_of_puzzles_are_those_of_the_set_that_ships():
    _, _, after = (ROOT / "docs" / "puzzles.md").read_text().partition("## What ships\n")
    lines = [line for line in after.partition("\n## ")[0].splitlines() if line.startswith("|")]
    _, _, *rows = ([cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines)
    documented = {(game, theme): list(map(int, numbers)) for game, theme, *numbers in rows}

    found = defaultdict[tuple[str, str], list[int]](lambda: [0] * 6)  # by level, and in all
    for puzzle in json.loads((ROOT / "agents" / "puzzles" / "shipped.json").read_text()):
        for row in ((puzzle["game"], puzzle["theme"]), ("all", "")):
            found[row][puzzle["level"] - 1] += 1
            found[row][-1] += 1
    assert documented == found
