"""One update of the learners: its step is the gradient of their loss, by finite differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents.compute.rng import below, new_stream, seed_stream
from agents.networks import dqn, self_play
from agents.networks.gradient import DECAY_FIRST, Learning, new_learning
from agents.networks.layers import Shape, initial_weights, new_layers, views
from agents.networks.rules import Rules, is_legal, position_of, rules_of
from engine import load_game
from tests.positions import reachable_states

TICTACTOE = load_game("tictactoe")
STATES = [TICTACTOE.start, *reachable_states(TICTACTOE, 30, seed=8)]
SEED, STEP = 5, 1e-5

Batch = list[tuple[int, int]]  # (remembered position, symmetry)
Plain = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]  # weights -> logits, values


def learning_of(rules: Rules) -> tuple[Shape, Learning]:
    """A small network without a step behind it; no unit is at the corner of its ReLU."""
    shape = Shape(rules.inputs, 6, len(rules.moves))
    noise = np.random.default_rng(1).standard_normal(shape.weights) / 5
    flat = (initial_weights(shape, 4, 2) * 2 + noise).astype(np.float32)
    return shape, new_learning(flat, np.zeros_like(flat), np.zeros_like(flat), shape)


def batch_of(size: int, rules: Rules) -> Batch:
    """What an update of so many positions draws with the seed."""
    rng = new_stream()
    seed_stream(rng, SEED, 0)
    return [(below(rng, len(STATES)), below(rng, len(rules.turned_moves))) for _ in range(size)]


def plain(batch: Batch, shape: Shape, rules: Rules) -> Plain:
    """The network in double precision, as any textbook writes it, at a batch."""
    inputs = np.zeros((len(batch), shape.inputs))
    for row, (place, turn) in enumerate(batch):
        own, other = position_of(STATES[place])
        bits = [bit for bit in range(18) if (own | other << 9) >> bit & 1]
        inputs[row, rules.turned_inputs[turn, bits]] = 1

    def outputs(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        parts = views(flat, shape)
        first = np.maximum(inputs @ parts.first + parts.first_bias, 0)
        second = np.maximum(first @ parts.second + parts.second_bias, 0)
        values = np.tanh(second @ parts.value + parts.value_bias[0])
        return second @ parts.policy + parts.policy_bias, values

    return outputs


def legal_moves(batch: Batch, rules: Rules) -> np.ndarray:
    """[row, move], in the symmetry of the row."""
    legal = np.zeros((len(batch), len(rules.moves)), bool)
    for row, (place, turn) in enumerate(batch):
        for move in range(len(rules.moves)):
            is_there = is_legal(*position_of(STATES[place]), move, rules)
            legal[row, rules.turned_moves[turn, move]] = is_there
    return legal


def slopes(loss: Callable[[np.ndarray], float], flat: np.ndarray) -> np.ndarray:
    found = np.zeros(len(flat))
    for at in range(len(flat)):
        up, down = flat.copy(), flat.copy()
        up[at] += STEP
        down[at] -= STEP
        found[at] = (loss(up) - loss(down)) / (2 * STEP)
    return found


def assert_stepped_by(wanted: np.ndarray, learning: Learning) -> None:
    """Adam's first average is a tenth of the first gradient."""
    found = learning.mean / (1 - DECAY_FIRST)
    assert np.abs(wanted).max() > 0.05
    assert found == pytest.approx(wanted, abs=1e-4)


def test_an_update_of_the_network_steps_by_the_gradient_of_its_loss() -> None:
    rules = rules_of(TICTACTOE)
    shape, learning = learning_of(rules)
    start = learning.flat.astype(float)
    luck = np.random.default_rng(3)
    memory = self_play.new_memory(len(STATES), shape.moves)
    for at, state in enumerate(STATES):
        memory.own[at], memory.other[at] = position_of(state)
        for move in state.legal_moves():
            memory.policy[at, TICTACTOE.all_moves.index(move)] = luck.integers(1, 100)
        memory.target[at] = luck.uniform(-1, 1)
    memory.counts[self_play.POSITIONS], memory.counts[self_play.UPDATES] = len(STATES), 1
    batch = batch_of(self_play.BATCH, rules)
    outputs, legal = plain(batch, shape, rules), legal_moves(batch, rules)
    targets, goals = np.zeros(legal.shape), np.zeros(len(batch))
    for row, (place, turn) in enumerate(batch):
        shares = memory.policy[place] / memory.policy[place].sum()
        targets[row, rules.turned_moves[turn]] = shares
        goals[row] = memory.target[place]

    def loss(flat: np.ndarray) -> float:
        logits, values = outputs(flat)
        logits = np.where(legal, logits, -np.inf)
        logs = logits - np.log(np.exp(logits).sum(axis=1))[:, None]
        entropy = -np.where(legal, targets * np.where(legal, logs, 0), 0).sum(axis=1)
        return float((entropy + (values - goals) ** 2).mean())

    rng = new_stream()
    seed_stream(rng, SEED, 0)
    settings = self_play.Settings(1, 1, 1.0, 1e-3, 1_000.0)
    self_play.update(rng, settings, rules, learning, memory)
    assert_stepped_by(slopes(loss, start), learning)


def test_an_update_of_the_deep_q_learner_steps_by_the_gradient_of_its_loss() -> None:
    rules = rules_of(TICTACTOE)
    shape, learning = learning_of(rules)
    start = learning.flat.astype(float)
    older = initial_weights(shape, 4, 9) * np.float32(2)
    target = dqn.Target(older, views(older, shape), new_layers(shape))
    chosen = [state.legal_moves()[at % len(state.legal_moves())] for at, state in enumerate(STATES)]
    moves = [TICTACTOE.all_moves.index(move) for move in chosen]
    memory = np.array([(*position_of(s), m) for s, m in zip(STATES, moves, strict=True)], np.int64)
    counts = np.array([len(STATES), 1], np.int64)
    gamma = 0.9
    batch = batch_of(dqn.BATCH, rules)
    outputs, legal = plain(batch, shape, rules), legal_moves(batch, rules)
    rows = np.arange(len(batch))
    images = np.array([rules.turned_moves[turn, moves[place]] for place, turn in batch])
    goals = np.array([goal(place, moves, gamma, rules, target) for place, _ in batch])
    highest = np.where(legal, outputs(start)[0], -np.inf).max(axis=1)

    def loss(flat: np.ndarray) -> float:
        q, values = outputs(flat)
        errors = (q[rows, images] - goals) ** 2 + (values - np.clip(highest, -1, 1)) ** 2
        return float(errors.mean())

    rng, legal_room = new_stream(), np.zeros(shape.moves, bool)
    seed_stream(rng, SEED, 0)
    settings = dqn.Settings(1e-3, gamma, 0.3, 0.0, 250)
    dqn.update(settings, rules, learning, target, memory, counts, legal_room, rng)
    assert_stepped_by(slopes(loss, start), learning)


def goal(place: int, moves: list[int], gamma: float, rules: Rules, target: Any) -> float:
    """Not turned: the older network is asked about the position as it was remembered."""
    return dqn.goal_of(*position_of(STATES[place]), moves[place], gamma, rules, target)
