"""The network's layers: the gradient is that of finite differences, Adam that of the paper."""

from math import log

import numpy as np
import pytest

from agents.networks.gradient import (
    ROWS,
    adam,
    backward,
    evaluate_row,
    keep_row,
    new_learning,
)
from agents.networks.layers import (
    Shape,
    forward,
    initial_weights,
    new_layers,
    softmax,
    views,
)

SHAPE = Shape(inputs=7, hidden=6, moves=4)
ACTIVE = [0, 3, 6]
LEGAL = np.array([True, False, True, True])
TARGET = np.array([0.5, 0.0, 0.2, 0.3])
WANTED = 0.3


def plain_evaluation(flat: np.ndarray) -> tuple[np.ndarray, float]:
    """(logits, value) in double precision, as in any textbook."""
    parts = views(flat, SHAPE)
    inputs = np.zeros(SHAPE.inputs)
    inputs[ACTIVE] = 1
    first = np.maximum(inputs @ parts.first + parts.first_bias, 0)
    second = np.maximum(first @ parts.second + parts.second_bias, 0)
    value = np.tanh(second @ parts.value + parts.value_bias[0])
    return second @ parts.policy + parts.policy_bias, float(value)


def loss(flat: np.ndarray) -> float:
    """Cross-entropy over the legal moves plus the squared error of the value."""
    logits, value = plain_evaluation(flat)
    chances = np.where(LEGAL, np.exp(logits), 0)
    chances /= chances.sum()
    entropy = -sum(
        target * log(chance)
        for target, chance, legal in zip(TARGET, chances, LEGAL, strict=True)
        if legal
    )
    return entropy + (value - WANTED) ** 2


def random_weights(seed: int) -> np.ndarray:
    """Of ordinary size, so that every part of the gradient counts."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(SHAPE.weights) * 0.5).astype(np.float32)


def gradient(flat: np.ndarray, times: int = 1) -> np.ndarray:
    """The gradient of one position, looked at so many times."""
    learning = new_learning(flat, np.zeros_like(flat), np.zeros_like(flat), SHAPE)
    batch = learning.batch
    for _ in range(times):
        row = batch.used[0]
        batch.active[row, : len(ACTIVE)], batch.inputs[row] = ACTIVE, len(ACTIVE)
        value = evaluate_row(row, learning)
        error = np.zeros(SHAPE.moves, np.float32)
        softmax(batch.logits[row], LEGAL, error)
        batch.error[row] = np.where(LEGAL, error - TARGET, 0)
        keep_row(2 * (value - WANTED) * (1 - value * value), learning)
    backward(learning)
    return learning.slope


@pytest.mark.parametrize("seed", range(3))
def test_it_evaluates_as_the_textbook_does(seed: int) -> None:
    flat, layers = random_weights(seed), new_layers(SHAPE)
    layers.active[: len(ACTIVE)] = ACTIVE
    value = forward(len(ACTIVE), views(flat, SHAPE), layers)
    logits, wanted = plain_evaluation(flat.astype(np.float64))
    assert value == pytest.approx(wanted, abs=1e-5)
    assert layers.logits == pytest.approx(logits, abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_that_of_finite_differences(seed: int) -> None:
    flat = random_weights(seed)
    found, exact, step = gradient(flat), flat.astype(np.float64), 1e-5
    differences = []
    for at in range(len(flat)):
        sides = []
        for sign in (1, -1):
            moved = exact.copy()
            moved[at] += sign * step
            sides.append(loss(moved))
        differences.append((sides[0] - sides[1]) / (2 * step))
    assert np.abs(found).max() > 0.1
    assert found == pytest.approx(np.array(differences), abs=1e-4)


@pytest.mark.parametrize("times", [3, ROWS, ROWS + 5])
def test_gradients_of_many_evaluations_are_added(times: int) -> None:
    flat = random_weights(5)
    assert gradient(flat, times) == pytest.approx(times * gradient(flat), rel=1e-4, abs=1e-5)


def test_adam_takes_the_steps_of_its_paper() -> None:
    rng = np.random.default_rng(4)
    flat = rng.standard_normal(5).astype(np.float32)
    mean, spread = np.zeros(5, np.float32), np.zeros(5, np.float32)
    wanted, first, second = flat.astype(np.float64), np.zeros(5), np.zeros(5)
    for number in range(1, 6):
        slope = rng.standard_normal(5)
        adam(flat, slope.astype(np.float32), mean, spread, number, 0.01, 0.1)
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        step = (first / (1 - 0.9**number)) / np.sqrt(second / (1 - 0.999**number))
        wanted = wanted * (1 - 0.01 * 0.1) - 0.01 * step
    assert flat == pytest.approx(wanted, abs=1e-5)


def test_an_untrained_network_has_hardly_an_opinion() -> None:
    flat, layers = initial_weights(SHAPE, len(ACTIVE), 1), new_layers(SHAPE)
    layers.active[: len(ACTIVE)] = ACTIVE
    value = forward(len(ACTIVE), views(flat, SHAPE), layers)
    assert abs(value) < 0.3
    assert np.ptp(layers.logits) < 0.6
