"""The page for students of the course: its commands run, its figures are those of the results."""

import re
import shlex

import pytest

from agents.grid import read_grid
from engine import load_game
from tests.webapp.commands.command_line import zermelo
from tests.webapp.serving.process import ROOT

PAGE = (ROOT / "docs" / "course.md").read_text()
COMMANDS = [each for each in re.findall(r"`zermelo ([^`]+)`", PAGE) if "--grid" not in each]
SHORT = {"match": ("--games", "2"), "train": ("--games", "3"), "optimise": ("--calls", "40")}


def cells(line):
    return [cell.strip() for cell in line.strip("|\n").split(" | ")]


def rows(text):
    return [cells(line) for line in text.splitlines() if line.startswith("| ")]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("own_data")
def test_a_command_of_the_course_page_runs(command) -> None:
    words = shlex.split(command)
    if words[0] == "train" and words[2].startswith("es-rules"):
        words[2] += ",generations=3"  # it does not count games
    else:
        words += SHORT.get(words[0], ())
    result = zermelo(*words)
    assert result.exit_code == 0, result.stderr


def test_the_grid_of_the_course_page_has_a_thousand_settings() -> None:
    (command,) = re.findall(r"`zermelo (train [^`]+--grid[^`]+)`", PAGE)
    _, game, spec, _, axes, _, length = shlex.split(command)
    grid = read_grid(load_game(game), spec, axes, length=int(length))
    assert len(grid.combinations) == 1_000


def measured():
    """[agent] -> the text of its rows on the page of results."""
    found = {}
    for row in rows((ROOT / "docs" / "results.md").read_text()):
        agent = re.match(r"`([^`]+)`", row[0])
        if agent and len(row) == 10:
            found[agent[1]] = found.get(agent[1], "") + row[5] + row[6] + row[7]
    return found


def agent_of(row):
    """The agent of a row, in a command or alone."""
    for code in re.findall(r"`([^`]+)`", row[1]):
        words = code.split()
        if words[0] != "zermelo":
            return words[0]
        if words[1] in ("match", "train") and "--grid" not in words:
            return words[3]
    return None


OWN = [(agent_of(row), row[-1]) for row in rows(PAGE) if len(row) == 4 and agent_of(row)]
OWN = [(agent, ours) for agent, ours in OWN if agent in measured()]


@pytest.mark.parametrize(("agent", "ours"), OWN)
def test_a_figure_on_the_course_page_is_that_of_the_results(agent, ours) -> None:
    numbers = [float(number) for number in re.findall(r"\d+\.\d+|\d+(?= %)", measured()[agent])]
    stated = re.sub(r"\(so [^)]*\)", "", ours)  # what follows from the other figures
    for text in re.findall(r"\d+\.\d+", stated):
        digits = len(text.partition(".")[2])
        near = [number for number in numbers if abs(number - float(text)) <= 0.5001 / 10**digits]
        assert near, f"{text} of {agent} is on no row of the results"


def test_most_systems_of_the_page_are_compared() -> None:
    assert {agent.partition(":")[0] for agent, _ in OWN} >= {
        *("es-move", "es-rules", "reward-table", "state-value", "qlearning", "minimax")
    }
