"""Entries become one arena: merged, bounded, brains pinned, its duration estimated."""

from dataclasses import replace

import pytest

from agents.contest.arena import MAX_PLAYERS
from agents.core import Limit
from agents.training.brain_files import brain_path, save
from engine.errors import InvalidSpecError
from webapp.classroom.cup import DEFAULT_GAMES, NODES, CupRecord, expected_seconds, plan_cup
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.lab.arena.forms import MAX_GAMES
from webapp.questions.learning import brain_at_hand

DEPTHS = [f"alphabeta:depth={depth}" for depth in range(1, MAX_PLAYERS + 3)]


def cup_of(*machines, games=DEFAULT_GAMES):
    return plan_cup(CupRecord("tictactoe", games), machines)


def test_equal_machines_are_one_player_and_who_cannot_play_is_left_out():
    cup = cup_of("minimax", "perfect", "nim-sum", "minimax:depth=3", "menac", "menace")
    assert cup.plan.terms.players == ("minimax", "perfect", "menace")
    assert cup.rejected == ("nim-sum", "menac")


def test_the_arena_is_limited_in_positions_and_repeats_itself():
    cup = cup_of("alphabeta", "mcts")
    terms = cup.plan.terms
    assert (terms.limit.nodes, terms.limit.seconds) == (NODES, None)
    assert terms.repeats
    job = arena_job("teacher", "The cup", cup.plan)
    assert ArenaPlan.of(job) == cup.plan
    assert job.total == terms.total == DEFAULT_GAMES


def test_of_too_many_machines_those_entered_most_often_play():
    cup = cup_of(*DEPTHS, DEPTHS[-1], DEPTHS[-2])
    players = cup.plan.terms.players
    assert len(players) == MAX_PLAYERS
    assert {DEPTHS[-1], DEPTHS[-2]} <= set(players)
    assert list(cup.rejected) == DEPTHS[MAX_PLAYERS - 2 : MAX_PLAYERS]
    assert cup.plan.terms.total <= MAX_GAMES


def test_a_full_cup_plays_fewer_games_a_pair_rather_than_too_many():
    terms = cup_of(*DEPTHS[:MAX_PLAYERS], games=100).plan.terms
    assert terms.games == MAX_GAMES // terms.pairs


@pytest.mark.parametrize("machines", [(), ("perfect",), ("perfect",) * 2, ("perfect", "hal")])
def test_a_cup_needs_two_different_machines(machines):
    with pytest.raises(InvalidSpecError, match="a cup needs two different machines"):
        cup_of(*machines)


def test_a_brain_is_entered_by_its_digest(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.training.brain_files.data_dir", lambda: tmp_path)
    brain = brain_at_hand("tictactoe", "menace")
    save(brain, brain_path("mine"))
    cup = cup_of("menace:brain=mine", "random")
    assert cup.plan.terms.players[0] == f"menace:brain={brain.digest}"


def test_what_thinks_more_takes_longer():
    quick, slow = cup_of("random", "perfect"), cup_of("random", "alphabeta")
    slower = replace(slow.plan.terms, limit=Limit(nodes=5000))
    assert quick.seconds < slow.seconds < expected_seconds(slower, 1)
    assert expected_seconds(slow.plan.terms, 2) == slow.seconds / 2
