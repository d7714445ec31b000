"""No player can break a contest: whatever it does costs it the game, and its author is told why."""

import json
import os
import subprocess

import pytest

from tests.agents.contest.deadly import deadly_agents
from tests.webapp.commands.command_line import process
from tests.webapp.serving.process import ROOT

WHY = {
    "nothing": "it answered None, which is no analysis",
    "text": "it answered 'b2', which is no analysis",
    "exits": "it failed with SystemExit: 0",
    "interrupts": "it failed with KeyboardInterrupt",
    "illegal": "it failed with ValueError: nobody compares me",
    "raises": "it failed with ZeroDivisionError",
    "unmade": "it cannot be made: ZeroDivisionError: never",
}


@pytest.fixture
def packages(tmp_path):
    with deadly_agents(tmp_path / "deadly"):
        yield str(tmp_path / "deadly")


def run(packages, *arguments):
    """(document, stderr) of a command with --json, in a process of its own."""
    path = os.pathsep.join([packages, str(ROOT)])
    running = process(
        *map(str, arguments),
        "--json",
        environment={"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    out, err = running.communicate(timeout=300)
    assert running.returncode == 0, err
    return json.loads(out), err


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_arena_of_players_that_break_ends_with_their_forfeits(packages, workers):
    table, err = run(
        packages, "arena", "tictactoe", "random", *WHY, "--games", 2, "--workers", workers
    )
    assert table["played"] == table["total"]
    forfeits = {player["spec"]: player["forfeits"] for player in table["players"]}
    assert forfeits["random"] == 0
    assert all(forfeits[name] > 0 for name in WHY)
    told = {fault["player"]: fault for fault in table["faults"]}
    for name, why in WHY.items():
        assert told[name]["fault"].startswith(why)
        assert told[name]["position"].endswith((" x", " o"))
    assert "what am I doing here?" in err


@pytest.mark.slow
def test_a_match_tells_the_author_the_line_the_position_and_the_traceback(packages):
    series, _ = run(packages, "match", "tictactoe", "raises", "random", "--games", 2)
    first, second = series["faults"]
    assert first["player"] == "raises"
    assert first["position"] == ".../.../... x"
    assert second["ply"] == 1
    assert first["fault"].endswith("(deadly_agents.py, line 63)")
    assert "return 1 // 0" in first["traceback"]
    assert "deadly_agents.py" in first["traceback"]


@pytest.mark.slow
def test_seconds_are_enforced(packages):
    series, _ = run(
        packages, "match", "tictactoe", "sleeps", "random", "--games", 2, "--seconds", 0.5
    )
    assert series["score"] == 0.0
    late = ("it took ", "it did not answer within 2 s")
    assert all(fault["fault"].startswith(late) for fault in series["faults"])
    assert len(series["faults"]) == 2


@pytest.mark.slow
def test_one_that_never_answers_is_ended(packages):
    series, _ = run(
        packages, "match", "tictactoe", "hangs", "random", "--games", 1, "--seconds", 0.2
    )
    assert series["faults"][0]["fault"].startswith("it did not answer within")
