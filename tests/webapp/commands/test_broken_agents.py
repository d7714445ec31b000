"""What a person is told of an agent that breaks."""

from dataclasses import dataclass

import pytest

from agents.entry import Entry, Technique
from tests.agents.contest.deadly import deadly_agents
from tests.webapp.commands.command_line import document, zermelo


@dataclass(frozen=True)
class Crashes:
    def analyse(self, state, *, limit, rng, history=()):
        raise RuntimeError("no\nidea")


@pytest.fixture
def crashing_agent(install_agents):
    install_agents(Entry("crashes", "Crashes", Technique.RULES, "", lambda *_: Crashes()))


@pytest.mark.usefixtures("crashing_agent")
def test_a_forfeit_is_a_win_for_the_other_and_a_match_says_how_many_there_were():
    played = ("match", "tictactoe", "random", "crashes", "--games", 4)
    assert "\n4 games were forfeited\n" in zermelo(*played).stdout
    series = document(*played)
    assert series["first"] == series["second"] == {"wins": 2, "draws": 0, "losses": 0}


@pytest.mark.usefixtures("crashing_agent")
def test_a_forfeit_counts_in_the_arena_too():
    tournament = document("arena", "nim", "random", "crashes", "--games", 2, "--workers", 1)
    cell = tournament["table"][0][1]
    assert (cell["wins"], cell["forfeits"]) == (2, 2)
    assert [player["forfeits"] for player in tournament["players"]] == [0, 2]


@pytest.mark.usefixtures("crashing_agent")
def test_an_analysis_that_fails_is_one_line():
    result = zermelo("analyse", "nim", "start", "--agent", "crashes")
    assert result.exit_code == 2
    why = "it failed with RuntimeError: no idea (test_broken_agents.py, line 15)"
    assert result.stderr == f"zermelo: crashes is broken: {why}\n"


@pytest.mark.soak
def test_an_agent_that_takes_its_process_down_forfeits_and_is_counted_apart(tmp_path):
    with deadly_agents(tmp_path):
        table = document("arena", "tictactoe", "random", "dies", "--games", 2, "--workers", 2)
    cell = table["table"][0][1]
    assert cell["wins"] + cell["draws"] + cell["losses"] == 2
    assert cell["forfeits"] >= 1  # moving first, it comes to its third thought
    assert [player["forfeits"] for player in table["players"]] == [0, cell["forfeits"]]
