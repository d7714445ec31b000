"""The training of quixo-deep and its shipped brain."""

from random import Random

import numpy as np
import pytest

from agents import load_agent
from agents.errors import UnsuitableBrainError
from agents.quixo.bitboard import kinds_of_lines
from agents.quixo.evaluation import course_evaluation
from agents.runs import shipped_file_name
from agents.search.quixo.training import (
    Belief,
    FixedDepth,
    evaluation_of,
    features_of,
    log_loss,
    positions_of,
    self_play,
)
from agents.training import brains
from agents.training.shipped import SHIPPED_FILES
from engine import load_game
from tests.agents.learning.helpers import trained, training

GAME = load_game("quixo")


def shipped() -> brains.Brain:
    name = shipped_file_name(GAME, "quixo-deep")
    return brains.from_bytes((SHIPPED_FILES / name).read_bytes(), name)


@pytest.mark.slow
def test_games_since_the_last_update_are_kept_until_the_next() -> None:
    one, other = (trained("quixo", f"quixo-deep:games={games}", 5) for games in (100, 103))
    assert (one.arrays.keys(), other.arrays.keys()) == (
        {"weights", "precision"},
        {"weights", "precision", "played"},
    )
    assert np.array_equal(one.arrays["weights"], other.arrays["weights"])
    assert set(other.arrays["played"][:, 0]) == {0, 1, 2}


def test_a_brain_that_has_learned_enough_is_not_trained_further() -> None:
    with pytest.raises(UnsuitableBrainError, match="learned from 2,000 games already"):
        next(training("quixo", "quixo-deep:games=100", 1, shipped()))


def test_on_held_out_games_its_loss_is_below_the_courses() -> None:
    rng = Random(99)
    players = (FixedDepth.of(5, course_evaluation(5), 3),) * 2
    matches = [self_play(GAME, players, 6, 0.1, rng) for _ in range(60)]
    positions = np.concatenate([positions_of(match) for match in matches])
    learned = log_loss(evaluation_of(shipped(), 5), 5, positions)
    assert learned < log_loss(course_evaluation(5), 5, positions) < 1
    assert learned < np.log(2)


@pytest.mark.slow
def test_a_belief_finds_the_weights_that_made_the_results() -> None:
    rng = np.random.default_rng(3)
    true = np.zeros(4 * 36)
    true[:3] = 1.0, -2.0, 0.5
    x = rng.integers(0, 3, (20_000, true.size)).astype(float)
    x[:, 3:] = 0
    y = (rng.random(len(x)) < 1 / (1 + np.exp(-x @ true))).astype(float)
    assert Belief.blank(5).updated(x, y).weights == pytest.approx(true, abs=0.1)


def test_every_position_of_a_game_has_twelve_lines() -> None:
    players = (FixedDepth.of(5, course_evaluation(5), 1),) * 2
    match = self_play(GAME, players, 2, 0.1, Random(1))
    x, y = features_of(5, positions_of(match))
    assert len(x) == len(y) == match.ply
    assert set(x.sum(axis=1)) == {12.0}
    assert kinds_of_lines(5) == (0, 1, 2, 1, 0, 0, 1, 2, 1, 0, 3, 3)
    assert set(y) == {0.0, 1.0}


def test_the_agent_plays_with_the_brain_that_ships() -> None:
    agent = load_agent("quixo-deep", GAME)
    assert agent.agent.evaluation.name == "learned"  # type: ignore[attr-defined]
    assert load_agent("quixo-deep:evaluation=course", GAME).agent.evaluation.name == "c·3^c"  # type: ignore[attr-defined]
