"""What a person is told of an agent that breaks."""

from dataclasses import dataclass

import pytest

from agents import roster
from agents.contest.arena import _pinned_agent
from agents.entry import Entry, Technique
from tests.webapp.commands.command_line import document, zermelo


@dataclass(frozen=True)
class Crashes:
    def analyse(self, state, *, limit, rng, history=()):
        raise RuntimeError("no\nidea")


@pytest.fixture(autouse=True)
def crashing_agent(monkeypatch):
    entry = Entry("crashes", "Crashes", Technique.RULES, "", lambda *_: Crashes())
    monkeypatch.setattr(roster.roster, "built_in", (*roster.BUILT_IN, entry))
    for known in (roster.roster, _pinned_agent):
        known.cache_clear()
    yield
    monkeypatch.undo()
    for known in (roster.roster, _pinned_agent):
        known.cache_clear()


def test_a_match_says_how_many_games_were_forfeited():
    shown = zermelo("match", "tictactoe", "random", "crashes", "--games", 4).stdout
    assert shown.endswith("\n4 games were forfeited\n")


def test_a_forfeit_is_a_win_for_the_other():
    series = document("match", "tictactoe", "random", "crashes", "--games", 4)
    assert series["first"] == series["second"] == {"wins": 2, "draws": 0, "losses": 0}


def test_a_forfeit_counts_in_the_arena_too():
    tournament = document("arena", "nim", "random", "crashes", "--games", 2, "--workers", 1)
    cell = tournament["table"][0][1]
    assert (cell["wins"], cell["forfeits"]) == (2, 2)
    assert [player["forfeits"] for player in tournament["players"]] == [0, 2]


def test_an_analysis_that_fails_is_one_line():
    result = zermelo("analyse", "nim", "start", "--agent", "crashes")
    assert result.exit_code == 2
    assert result.stderr == "zermelo: crashes is broken: it failed with RuntimeError: no idea\n"
