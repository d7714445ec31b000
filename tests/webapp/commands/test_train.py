"""`zermelo train`: what it prints, what it saves, how it goes on."""

import pytest

from agents.errors import MissingBrainError
from agents.training.brain_files import brain_path, find, load, save
from tests.agents.learning.helpers import training
from tests.webapp.commands.command_line import assert_one_line, document, zermelo

pytestmark = pytest.mark.usefixtures("own_data")


def test_a_training_says_what_it_reached_and_how_to_play_it():
    result = zermelo("train", "tictactoe", "qlearning", "--games", 3000)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("qlearning on tictactoe: learned from 3,000 games in ")
    assert "▲" in lines[1]
    assert lines[1].endswith("against random")
    assert lines[2:] == [
        "  saved as qlearning-tictactoe",
        "  play it as qlearning:brain=qlearning-tictactoe",
    ]
    assert result.exit_code == 0


def test_what_was_trained_as_published_is_played_as_published():
    result = zermelo("train", "tictactoe", "reward-table:preset=published", "--games", 50)
    assert "play it as reward-table:brain=reward-table-tictactoe,unmet=random" in result.stdout
    spec = "reward-table:brain=reward-table-tictactoe"  # the brain keeps it, too
    seen = document("analyse", "tictactoe", "xo./xo./... x", "--agent", spec)
    assert len({move["chance"] for move in seen["candidates"]}) == 1  # a1 wins
    seen = document("analyse", "tictactoe", "xo./xo./... x", "--agent", f"{spec},unmet=look")
    assert seen["choice"] == "a1"


def test_what_was_trained_can_be_played():
    zermelo("train", "tictactoe", "menace", "--games", 500, "--name", "mine")
    seen = document("analyse", "tictactoe", ".../.../... x", "--agent", "menace:brain=mine")
    assert "beads" in seen["reason"]


def test_a_program_reads_the_same():
    report = document("train", "tictactoe", "menace:opponent=random", "--games", 500, "--seed", 9)
    assert report["seed"] == 9
    assert (report["steps"], report["total"], report["unit"]) == (500, 500, "games")
    assert report["stopped"] is False
    assert set(report["metrics"]) == {"wins", "draws", "losses"}
    assert find("menace-tictactoe").seed == 9


def test_a_second_brain_gets_a_name_of_its_own():
    arguments = ("train", "nim:heaps=2-1,last=wins", "qlearning", "--games", 10)
    names = [document(*arguments)["name"] for _ in range(2)]
    assert names == ["qlearning-nim-heaps-2-1-last-wins", "qlearning-nim-heaps-2-1-last-wins-2"]


def test_resuming_goes_on_as_it_began():
    zermelo("train", "tictactoe", "qlearning:alpha=0.9", "--games", 500, "--seed", 4)
    name = "qlearning-tictactoe"
    report = document("train", "tictactoe", "qlearning", "--resume", name, "--games", 1000)
    brain = find(name)
    assert (report["name"], report["steps"], brain.seed) == (name, 1000, 4)
    assert brain.parameters["alpha"] == 0.9


def test_a_run_that_was_stopped_goes_on_to_where_it_was_to_end():
    stopped = next(training("tictactoe", "state-value:games=3000")).brain
    save(stopped, brain_path("mine"))
    report = document("train", "tictactoe", "state-value", "--resume", "mine")
    assert stopped.steps < 3000
    assert (report["steps"], report["total"]) == (3000, 3000)


def test_a_resumed_brain_can_be_saved_beside_the_old_one():
    zermelo("train", "tictactoe", "state-value", "--games", 500, "--name", "old")
    arguments = ("--resume", "old", "--name", "new", "--games", 600)
    assert zermelo("train", "tictactoe", "state-value", *arguments).exit_code == 0
    assert (find("old").steps, find("new").steps) == (500, 600)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["tictactoe", "random"], "random does not learn"),
        (["nim", "menace"], "menace cannot play nim"),
        (["tictactoe", "menace", "--resume", "none"], "no brain called"),
        (["tictactoe", "menace", "--name", "../x"], "no name for a brain"),
        (["tictactoe", "menace", "--name", "taken"], "a brain called taken already"),
        (["tictactoe", "menace", "--resume", "taken"], "for the agent 'qlearning'"),
        (["tictactoe", "menace", "--games", "0"], "--games must be a whole number from 1"),
        (["tictactoe", "menace:opponent=self"], "another agent"),
        (["nim", "es-rules", "--games", "5"], "es-rules does not count games"),
        (["tictactoe"], "name a GAME and the SPEC"),
        ([], "name a GAME and the SPEC"),
        (["tictactoe", "menace", "--resume", "broken"], "broken.npz is no brain"),
        (["tictactoe", "menace", "--shipped"], "--shipped rebuilds every brain"),
    ],
)
def test_bad_input_is_one_line(tmp_path, arguments, why):
    zermelo("train", "tictactoe", "qlearning", "--games", 10, "--name", "taken")
    (tmp_path / "brains" / "broken.npz").write_bytes(b"PK\x03\x04")
    assert_one_line(zermelo("train", *arguments), why)


@pytest.mark.slow
def test_the_shipped_brains_are_rebuilt_in_place(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.runs.SHIPPED", (("nim:preset=twenty-one", "qlearning"),))
    monkeypatch.setattr("agents.runs.SHIPPED_FILES", tmp_path)
    report = document("train", "--shipped")
    assert [entry["agent"] for entry in report] == ["qlearning"]
    assert load(tmp_path / f"{report[0]['name']}.npz").steps == 2_000_000


def test_a_grid_lists_every_combination_best_first_and_saves_no_brain(own_data):
    grid = ("--grid", "alpha=0.2:0.8:0.3,epsilon=0.1,0.4", "--games", 200, "--workers", 1)
    found = document("train", "tictactoe", "qlearning:opponent=random", *grid)
    assert len(found) == 6
    assert {row["parameters"]["alpha"] for row in found} == {"0.2", "0.5", "0.8"}
    assert [row["score"] for row in found] == sorted((row["score"] for row in found), reverse=True)
    printed = zermelo("train", "tictactoe", "qlearning:opponent=random", *grid).stdout
    assert printed.splitlines()[-1].startswith("as given (alpha 0.5, epsilon 0.4): ")
    with pytest.raises(MissingBrainError):
        find("qlearning-tictactoe")


@pytest.mark.parametrize("axes", ["alpha", "beta=1,2", "alpha=0:1:0.0001", "alpha=2,3", ""])
def test_a_grid_that_cannot_be_run_is_refused_in_a_line(axes):
    assert_one_line(zermelo("train", "tictactoe", "qlearning", "--grid", axes))
