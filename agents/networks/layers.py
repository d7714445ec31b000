"""The network: two ReLU layers, a policy over all moves and a value, with its gradient and Adam.

All weights are one float32 vector; `Weights` are views of its parts. Inputs are 0 or 1, so that
the first layer is a sum of rows. Inner loops run along rows, which compiles to vector
instructions without changing the order of additions: the same weights on every machine.
"""

from __future__ import annotations

from math import exp, sqrt, tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.training.loop import generator_at

Vector = NDArray[np.float32]

DECAY_FIRST, DECAY_SECOND = 0.9, 0.999  # of Adam's two averages (Kingma and Ba 2015)
TINY = 1e-8
HEAD_SCALE = 0.1  # of the heads' first weights: an untrained network has no opinion


class Shape(NamedTuple):
    """Sizes of the layers."""

    inputs: int
    hidden: int
    moves: int

    @property
    def weights(self) -> int:
        return sum(int(np.prod(part)) for part in self.parts)

    @property
    def parts(self) -> tuple[tuple[int, ...], ...]:
        """The shape of each field of `Weights`, in order."""
        inputs, hidden, moves = self
        return (
            (inputs, hidden),
            (hidden,),
            (hidden, hidden),
            (hidden,),
            (hidden, moves),
            (moves,),
            (hidden,),
            (1,),
        )


class Weights(NamedTuple):
    """The parts of a weight vector, or of its gradient."""

    first: NDArray[np.float32]  # [input, hidden]
    first_bias: Vector
    second: NDArray[np.float32]  # [hidden, hidden]
    second_bias: Vector
    policy: NDArray[np.float32]  # [hidden, move]
    policy_bias: Vector
    value: Vector  # [hidden]
    value_bias: Vector  # [1]


class Layers(NamedTuple):
    """What one evaluation writes."""

    active: NDArray[np.int32]  # the inputs that are 1
    first: Vector  # [hidden], after ReLU
    second: Vector
    logits: Vector  # [move]


def views(flat: Vector, shape: Shape) -> Weights:
    """The parts of a weight vector; a change of one is a change of both."""
    parts, start = [], 0
    for part in shape.parts:
        end = start + int(np.prod(part))
        parts.append(flat[start:end].reshape(part))
        start = end
    return Weights(*parts)


def new_layers(shape: Shape) -> Layers:
    hidden = shape.hidden
    return Layers(
        np.zeros(shape.inputs + 1, np.int32),
        np.zeros(hidden, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(shape.moves, np.float32),
    )


def initial_weights(shape: Shape, active: float, seed: int) -> Vector:
    """Random weights: He initialisation by the number of active inputs, small heads, no bias."""
    rng = generator_at(seed, 0)
    flat = np.zeros(shape.weights, np.float32)
    parts = views(flat, shape)
    hidden = sqrt(shape.hidden)
    for part, scale in (
        (parts.first, sqrt(2 / max(1.0, active))),
        (parts.second, sqrt(2) / hidden),
        (parts.policy, HEAD_SCALE / hidden),
        (parts.value, HEAD_SCALE / hidden),
    ):
        part[:] = rng.standard_normal(part.shape) * scale
    return flat


@kernel
def forward(count: int, weights: Weights, layers: Layers) -> float:
    """Evaluate the inputs in `layers.active`; writes the layers and returns the value."""
    zero = np.float32(0.0)
    first, second, logits = layers.first, layers.second, layers.logits
    hidden = len(first)
    first[:] = weights.first_bias
    for at in range(count):
        row = weights.first[layers.active[at]]
        for unit in range(hidden):
            first[unit] += row[unit]
    for unit in range(hidden):
        first[unit] = max(first[unit], zero)
    second[:] = weights.second_bias
    for at in range(hidden):
        level = first[at]
        if level > zero:
            row = weights.second[at]
            for unit in range(hidden):
                second[unit] += level * row[unit]
    for unit in range(hidden):
        second[unit] = max(second[unit], zero)
    logits[:] = weights.policy_bias
    total = weights.value_bias[0]
    for at in range(hidden):
        level = second[at]
        if level > zero:
            row = weights.policy[at]
            for move in range(len(logits)):
                logits[move] += level * row[move]
            total += level * weights.value[at]
    return tanh(total)


@kernel
def backward(  # noqa: PLR0912 - one loop for each part of the weights
    count: int,
    error: Vector,
    value_error: np.float32,
    layers: Layers,
    second_turned: NDArray[np.float32],
    policy_turned: NDArray[np.float32],
    value: Vector,
    back: Layers,
    gradient: Weights,
) -> None:
    """Add the gradient of one evaluation, given the loss by each logit and by the value's sum.

    The turned weights are transposed copies, so that these loops run along rows too.
    """
    zero = np.float32(0.0)
    hidden = len(layers.first)
    moves = len(error)
    behind_second, behind_first = back.second, back.first
    for unit in range(hidden):
        behind_second[unit] = value_error * value[unit]
    for move in range(moves):
        wrong = error[move]
        if wrong != zero:
            gradient.policy_bias[move] += wrong
            row = policy_turned[move]
            for unit in range(hidden):
                behind_second[unit] += wrong * row[unit]
    gradient.value_bias[0] += value_error
    for at in range(hidden):
        level = layers.second[at]
        if level > zero:
            row = gradient.policy[at]
            for move in range(moves):
                row[move] += level * error[move]
            gradient.value[at] += level * value_error
        else:
            behind_second[at] = zero
    behind_first[:] = zero
    for at in range(hidden):
        wrong = behind_second[at]
        if wrong != zero:
            gradient.second_bias[at] += wrong
            row = second_turned[at]
            for unit in range(hidden):
                behind_first[unit] += wrong * row[unit]
    for at in range(hidden):
        level = layers.first[at]
        if level > zero:
            row = gradient.second[at]
            for unit in range(hidden):
                row[unit] += level * behind_second[unit]
        else:
            behind_first[at] = zero
    for unit in range(hidden):
        gradient.first_bias[unit] += behind_first[unit]
    for at in range(count):
        row = gradient.first[layers.active[at]]
        for unit in range(hidden):
            row[unit] += behind_first[unit]


@kernel
def softmax(logits: Vector, legal: NDArray[np.bool_], chances: Vector) -> None:
    """Chances of the legal moves by their logits; 0 for the others."""
    highest = np.float32(-np.inf)
    for move in range(len(logits)):
        if legal[move]:
            highest = max(highest, logits[move])
    total = np.float32(0.0)
    for move in range(len(logits)):
        chances[move] = np.float32(exp(logits[move] - highest)) if legal[move] else np.float32(0.0)
        total += chances[move]
    for move in range(len(logits)):
        chances[move] /= total


@kernel
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
