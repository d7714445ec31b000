"""Entries become one arena: merged, bounded, brains pinned, its duration estimated."""

import pytest

from agents.contest.arena import MOST_PLAYERS
from agents.training.brain_files import brain_path, save
from engine.errors import InvalidSpecError
from webapp.classroom.cup import CupEntry, expected_seconds, plan_cup
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.lab.arena.forms import MOST_GAMES
from webapp.questions.learning import brain_at_hand


def entries(*specs):
    return [CupEntry(f"student {at}", spec) for at, spec in enumerate(specs, start=1)]


def test_equal_machines_are_one_entrant():
    cup = plan_cup("tictactoe", entries("minimax", "perfect", "minimax:depth=3", "menace"), seed=1)
    assert [(one.spec, one.students) for one in cup.entrants] == [
        ("minimax", ("student 1", "student 3")),
        ("perfect", ("student 2",)),
        ("menace", ("student 4",)),
    ]
    assert cup.rejected == ()


def test_the_arena_is_limited_in_positions_and_repeats_itself():
    cup = plan_cup("tictactoe", entries("alphabeta", "mcts"), seed=7, nodes=200)
    terms = cup.plan.terms
    assert (terms.limit.nodes, terms.limit.seconds, terms.seed) == (200, None, 7)
    assert terms.repeats
    job = arena_job("teacher", "The cup", cup.plan)
    assert ArenaPlan.of(job) == cup.plan
    assert job.total == terms.total == 4


def test_who_cannot_play_is_left_out_with_the_reason():
    cup = plan_cup("tictactoe", entries("random", "nim-sum", "menac", "perfect"), seed=1)
    first, second = cup.rejected
    assert first.why.startswith("nim-sum cannot play tictactoe: ")
    assert (second.student, second.why) == (
        "student 3",
        "unknown agent 'menac': did you mean 'menace'?",
    )


def test_of_too_many_machines_those_entered_most_often_play():
    specs = [f"alphabeta:depth={depth}" for depth in range(1, MOST_PLAYERS + 3)]
    cup = plan_cup("tictactoe", entries(*specs, specs[-1], specs[-2]), seed=1)
    players = cup.plan.terms.players
    assert len(players) == MOST_PLAYERS
    assert {specs[-1], specs[-2]} <= set(players)
    assert [one.spec for one in cup.rejected] == specs[MOST_PLAYERS - 2 : MOST_PLAYERS]
    assert cup.plan.terms.total <= MOST_GAMES


def test_a_full_cup_plays_fewer_games_a_pair_rather_than_too_many():
    specs = [f"alphabeta:depth={depth}" for depth in range(1, MOST_PLAYERS + 1)]
    cup = plan_cup("tictactoe", entries(*specs), seed=1, games=100)
    assert cup.plan.terms.games == MOST_GAMES // cup.plan.terms.pairs


@pytest.mark.parametrize("specs", [(), ("perfect",), ("perfect", "perfect"), ("perfect", "hal")])
def test_a_cup_needs_two_different_machines(specs):
    with pytest.raises(InvalidSpecError, match="a cup needs two different machines"):
        plan_cup("tictactoe", entries(*specs), seed=1)


def test_a_brain_is_entered_by_its_digest(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.training.brain_files.data_dir", lambda: tmp_path)
    brain = brain_at_hand("tictactoe", "menace")
    save(brain, brain_path("mine"))
    cup = plan_cup("tictactoe", entries("menace:brain=mine", "random"), seed=1)
    assert cup.entrants[0].spec == f"menace:brain={brain.digest}"


def test_what_thinks_more_takes_longer():
    quick = plan_cup("tictactoe", entries("random", "perfect"), seed=1)
    slow = plan_cup("tictactoe", entries("random", "alphabeta"), seed=1)
    slower = plan_cup("tictactoe", entries("random", "alphabeta"), seed=1, nodes=5000)
    assert quick.seconds < slow.seconds < slower.seconds
    assert expected_seconds(slow.plan.terms, 2) == slow.seconds / 2
