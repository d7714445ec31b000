"""The network: two ReLU layers, a policy over all moves and a value.

All weights are one float32 vector; `Weights` are views of its parts. Inputs are 0 or 1, so that
the first layer is a sum of rows, and so is every other: the same additions in the same order on
every machine.
"""

from __future__ import annotations

from math import exp, sqrt, tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner
from agents.compute.vectors import add_row, add_rows
from agents.training.loop import generator_at

Vector = NDArray[np.float32]

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
    value: Vector  # [1], before tanh


def views(flat: Vector, shape: Shape) -> Weights:
    """The parts of a weight vector; a change of one is a change of both."""
    parts, start = [], 0
    for part in shape.parts:
        end = start + int(np.prod(part))
        parts.append(flat[start:end].reshape(part))
        start = end
    return Weights(*parts)


def new_layers(shape: Shape) -> Layers:
    return Layers(
        np.zeros(shape.inputs + 1, np.int32),
        np.zeros(shape.hidden, np.float32),
        np.zeros(shape.hidden, np.float32),
        np.zeros(shape.moves, np.float32),
        np.zeros(1, np.float32),
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


@inlined
def copy(source: Vector, into: Vector) -> None:
    for at in range(len(into)):
        into[at] = source[at]


@inlined
def fill(into: Vector, number: float) -> None:
    for at in range(len(into)):
        into[at] = number


@inlined
def rectify(layer: Vector) -> None:
    """Set negative levels to 0."""
    zero = np.float32(0.0)
    for unit in range(len(layer)):
        layer[unit] = max(layer[unit], zero)


@inner
def forward(count: int, weights: Weights, layers: Layers) -> float:
    """Evaluate the inputs in `layers.active`; writes the layers and returns the value."""
    first, second, logits, value = layers.first, layers.second, layers.logits, layers.value
    copy(weights.first_bias, first)
    for at in range(count):
        add_row(weights.first, layers.active[at], first)
    rectify(first)
    copy(weights.second_bias, second)
    add_rows(first, weights.second, second)
    rectify(second)
    copy(weights.policy_bias, logits)
    add_rows(second, weights.policy, logits)
    copy(weights.value_bias, value)
    add_rows(second, weights.value, value)
    return tanh(value[0])


@inner
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
