"""Learning by gradients: evaluations and their errors in rows, backpropagation and Adam.

Every sum is taken in the order of the rows, so that it does not matter how many are added at once.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner
from agents.compute.vectors import add_product, add_row, add_rows
from agents.networks.layers import (
    Layers,
    Shape,
    Vector,
    Weights,
    fill,
    forward,
    new_layers,
    views,
)

Matrix = NDArray[np.float32]

ROWS = 32  # evaluations whose gradients are added at once: they fit the processor's first cache
DECAY_FIRST, DECAY_SECOND = 0.9, 0.999  # of Adam's two averages (Kingma and Ba 2015)
TINY = 1e-8
WEIGHT_DECAY = 1e-4


class Batch(NamedTuple):
    """Evaluations, [row], and their errors."""

    used: NDArray[np.int64]  # [0] rows
    inputs: NDArray[np.int64]  # [row] -> how many are active
    active: NDArray[np.int32]  # [row, number] -> input
    first: Matrix  # [row, hidden]
    second: Matrix
    logits: Matrix  # [row, move]
    error: Matrix  # [row, move] -> the loss by each logit
    value_error: Vector  # [row] -> the loss by the value's sum
    behind_first: Matrix  # [row, hidden] -> the loss by each unit
    behind_second: Matrix
    value: Vector  # [1], room
    ones: Vector  # [row]


class Turned(NamedTuple):
    """Transposed copies of weights, so that loops run along rows backwards too."""

    second: Matrix
    policy: Matrix  # [move, hidden]


class Learning(NamedTuple):
    """The network and its optimiser."""

    flat: Vector
    weights: Weights  # views of `flat`
    mean: Vector
    spread: Vector
    slope: Vector
    gradient: Weights  # views of `slope`
    layers: Layers
    batch: Batch
    turned: Turned


def new_learning(flat: Vector, mean: Vector, spread: Vector, shape: Shape) -> Learning:
    slope, weights = np.zeros_like(flat), views(flat, shape)
    layers = new_layers(shape)
    turned = Turned(weights.second.T.copy(), weights.policy.T.copy())
    gradient, batch = views(slope, shape), _new_batch(shape)
    return Learning(flat, weights, mean, spread, slope, gradient, layers, batch, turned)


def _new_batch(shape: Shape) -> Batch:
    def matrix(width: int) -> Matrix:
        return np.zeros((ROWS, width), np.float32)

    return Batch(
        used=np.zeros(1, np.int64),
        inputs=np.zeros(ROWS, np.int64),
        active=np.zeros((ROWS, shape.inputs + 1), np.int32),
        first=matrix(shape.hidden),
        second=matrix(shape.hidden),
        logits=matrix(shape.moves),
        error=matrix(shape.moves),
        value_error=np.zeros(ROWS, np.float32),
        behind_first=matrix(shape.hidden),
        behind_second=matrix(shape.hidden),
        value=np.zeros(1, np.float32),
        ones=np.ones(ROWS, np.float32),
    )


@inlined
def evaluate_row(row: int, learning: Learning) -> float:
    """Evaluate the inputs of a row; writes its layers and returns the value."""
    batch = learning.batch
    layers = Layers(
        batch.active[row],
        batch.first[row],
        batch.second[row],
        batch.logits[row],
        batch.value,
    )
    return forward(batch.inputs[row], learning.weights, layers)


@inlined
def close(line: Vector, level: Vector) -> None:
    """No error passes a unit that ReLU has set to 0."""
    zero = np.float32(0.0)
    for unit in range(len(line)):
        line[unit] = line[unit] if level[unit] > zero else zero


@inlined
def add_gradient(batch: Batch, gradient: Weights) -> None:
    """Add the products of what units were and the errors behind them."""
    used = batch.used[0]
    for row in range(used):
        behind, error = batch.behind_second[row], batch.error[row]
        for at in range(batch.inputs[row]):
            add_row(batch.behind_first, row, gradient.first[batch.active[row, at]])
        add_product(batch.first[row], behind, gradient.second)
        add_product(batch.second[row], error, gradient.policy)
        gradient.value_bias[0] += batch.value_error[row]
    ones = batch.ones[:used]
    add_rows(ones, batch.behind_first, gradient.first_bias)
    add_rows(ones, batch.behind_second, gradient.second_bias)
    add_rows(ones, batch.error, gradient.policy_bias)
    add_rows(batch.value_error[:used], batch.second, gradient.value)


@inner
def backward(learning: Learning) -> None:
    """Add the gradients of all rows of the batch, and empty it."""
    batch, turned, value = learning.batch, learning.turned, learning.weights.value
    for row in range(batch.used[0]):
        behind, below = batch.behind_second[row], batch.behind_first[row]
        for unit in range(len(behind)):
            behind[unit] = batch.value_error[row] * value[unit]
        add_rows(batch.error[row], turned.policy, behind)
        close(behind, batch.second[row])
        fill(below, 0.0)
        add_rows(behind, turned.second, below)
        close(below, batch.first[row])
    add_gradient(batch, learning.gradient)
    batch.used[0] = 0


@inlined
def keep_row(value_error: float, learning: Learning) -> None:
    """Count the row that was evaluated last, whose errors are written."""
    batch = learning.batch
    batch.value_error[batch.used[0]] = np.float32(value_error)
    batch.used[0] += 1
    if batch.used[0] == ROWS:
        backward(learning)


@inner
def adam(
    flat: Vector,
    gradient: Vector,
    mean: Vector,
    spread: Vector,
    number: int,
    rate: float,
    decay: float,
) -> None:
    """Update number `number`, from 1 on (Kingma and Ba 2015), with decoupled weight decay."""
    keep_mean, keep_spread = np.float32(DECAY_FIRST), np.float32(DECAY_SECOND)
    new_mean, new_spread = np.float32(1 - DECAY_FIRST), np.float32(1 - DECAY_SECOND)
    step = np.float32(rate * sqrt(1 - DECAY_SECOND**number) / (1 - DECAY_FIRST**number))
    shrink = np.float32(1 - rate * decay)
    tiny = np.float32(TINY)
    for at in range(len(flat)):
        slope = gradient[at]
        mean[at] = keep_mean * mean[at] + new_mean * slope
        spread[at] = keep_spread * spread[at] + new_spread * slope * slope
        flat[at] = shrink * flat[at] - step * mean[at] / (np.sqrt(spread[at]) + tiny)


@inner
def step(number: int, rate: float, learning: Learning) -> None:
    """Update number `number`, from 1 on, by the gradient, which begins anew."""
    backward(learning)
    adam(
        learning.flat,
        learning.slope,
        learning.mean,
        learning.spread,
        number,
        rate,
        WEIGHT_DECAY,
    )
    fill(learning.slope, 0.0)
    turned, weights = learning.turned, learning.weights
    for unit in range(len(turned.second)):
        for other in range(len(turned.second)):
            turned.second[other, unit] = weights.second[unit, other]
        for move in range(len(turned.policy)):
            turned.policy[move, unit] = weights.policy[unit, move]
