"""How quixo-deep learns, and the brain it comes with."""

from random import Random

import numpy as np
import pytest

from agents import load_agent
from agents.arrays.quixo import kinds_of_lines
from agents.errors import MissingBrainError, UnsuitableBrainError
from agents.roster import find_agent
from agents.search.quixo.lines import course_evaluation
from agents.search.quixo.training import (
    Belief,
    FixedDepth,
    evaluation_of,
    lessons_of,
    log_loss,
    self_play,
    train,
)
from agents.training.shipped import file_name
from agents.training.trainer import SHIPPED, brains, finish
from engine import load_game

GAME = load_game("quixo")


def shipped() -> brains.Brain:
    name = file_name(GAME, "quixo-deep")
    return brains.from_bytes((SHIPPED / name).read_bytes(), name)


def test_lines_come_in_four_kinds() -> None:
    assert kinds_of_lines(5) == (0, 1, 2, 1, 0, 0, 1, 2, 1, 0, 3, 3)


def test_a_run_stopped_and_resumed_ends_as_one_that_was_not() -> None:
    whole = finish(train(GAME, {"games": 130}, 5))
    first = next(train(GAME, {"games": 130}, 5)).brain
    resumed = finish(train(GAME, {"games": 130}, 5, first))
    assert first.steps == 100
    assert brains.to_bytes(resumed) == brains.to_bytes(whole)


def test_a_brain_that_has_learned_enough_is_not_trained_further() -> None:
    with pytest.raises(UnsuitableBrainError, match="learned from 2,000 games already"):
        next(train(GAME, {"games": 100}, 1, shipped()))


def test_what_it_learned_foresees_results_it_has_never_seen_better_than_the_course() -> None:
    rng = Random(99)
    players = (FixedDepth.of(5, course_evaluation(5), 3),) * 2
    matches = [self_play(GAME, players, 6, 0.1, rng) for _ in range(60)]
    learned = log_loss(evaluation_of(shipped(), 5), matches)
    assert learned < log_loss(course_evaluation(5), matches) < 1
    assert learned < np.log(2)


def test_a_belief_finds_the_weights_that_made_the_results() -> None:
    rng = np.random.default_rng(3)
    true = np.zeros(4 * 36)
    true[:3] = 1.0, -2.0, 0.5
    x = rng.integers(0, 3, (20_000, true.size)).astype(float)
    x[:, 3:] = 0
    y = (rng.random(len(x)) < 1 / (1 + np.exp(-x @ true))).astype(float)
    assert Belief.blank(5).updated(x, y).weights == pytest.approx(true, abs=0.1)


def test_every_position_of_a_game_is_a_lesson_with_twelve_lines() -> None:
    players = (FixedDepth.of(5, course_evaluation(5), 1),) * 2
    match = self_play(GAME, players, 2, 0.1, Random(1))
    x, y = lessons_of([match])
    assert len(x) == len(y) == match.ply
    assert set(x.sum(axis=1)) == {12.0}
    assert set(y) == {0.0, 1.0}


def test_the_agent_plays_with_the_brain_that_ships() -> None:
    agent = load_agent("quixo-deep", GAME)
    assert agent.evaluation.name == "learned"  # type: ignore[attr-defined]
    assert load_agent("quixo-deep:evaluation=course", GAME).evaluation.name == "c·3^c"  # type: ignore[attr-defined]


def test_a_training_nobody_did_is_asked_for_by_name() -> None:
    with pytest.raises(MissingBrainError, match="run `zermelo train`"):
        load_agent("quixo-deep:games=7", GAME)


def test_it_is_one_of_those_that_learn() -> None:
    assert find_agent("quixo-deep").train is not None
