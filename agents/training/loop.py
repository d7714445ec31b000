"""The training loop of all learners: steps, measurements, checkpoints.

Its result is independent of where a run ends and how it is cut into slices: random numbers depend
on the seed and the number of a step only, and points of the curve are at fixed steps. The clock
only decides how many steps are taken between two checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from agents.errors import UnsuitableBrainError
from agents.training.brains import Brain, Point
from agents.training.trainer import Checkpoint, length_of
from engine.core import Game
from engine.options import Kind, Option, Role, Values

CHECKPOINT_SECONDS = 0.25  # so that progress bars move and cancellation is prompt
MAX_GROWTH = 8  # of the number of steps from one checkpoint to the next

Arrays = dict[str, NDArray[Any]]


def games_option(default: int | None, high: int = 20_000_000, what: str = "") -> Option:
    """The option for the length of training in games."""
    return Option(
        "games",
        Kind.INTEGER,
        default,
        f"games it learns from{what}",
        low=1,
        high=high,
        optional=default is None,
        role=Role.LENGTH,
    )


def share_option(name: str, default: float, what: str) -> Option:
    """The option for a share or a chance."""
    return Option(name, Kind.NUMBER, default, what, low=0.0, high=1.0)


@dataclass(frozen=True, slots=True)
class Points:
    """The steps at which a curve has a point: 1, 2, 5, 10, 20, 50 …, then multiples of `evenly`.

    `evenly` is itself one of the first. `first` is for learners that learn in batches.
    """

    evenly: int
    first: int = 1

    def after(self, step: int) -> int:
        """The next point after this step."""
        if step < self.first:
            return self.first
        if step >= self.evenly:
            return (step // self.evenly + 1) * self.evenly
        unit = int(10 ** (len(str(step)) - 1))
        return next(unit * times for times in (1, 2, 5, 10) if unit * times > step)

    def stand_at(self, step: int) -> bool:
        return self.after(step - 1) == step

    def up_to(self, step: int) -> int:
        """The number of points up to this step."""
        early, at = 0, 0
        while (at := self.after(at)) <= min(step, self.evenly):
            early += 1
        return early + max(0, step // self.evenly - 1)


@dataclass(frozen=True, slots=True)
class Callbacks:
    """The callbacks of a learner, which share its arrays."""

    learn: Callable[[int, int], None]  # learn(first, count): take `count` steps from `first` on
    measure: Callable[[], Mapping[str, float]]  # current metrics
    arrays: Callable[[], Arrays]  # current state, for the brain
    mark: Callable[[int], None] = lambda _: None  # called at points of the curve


def begin(agent: str, game: Game[Any, Any], options: Values, seed: int, reference: str) -> Brain:
    """An untrained brain."""
    trained, unit = options.of(Role.TRAINING), length_of(options)
    return Brain(agent, game.spec, trained, seed, 0, {}, reference=reference, unit=unit)


def resumed(old: Brain, new: Brain, total: int) -> Brain:
    """The new brain with the old one's state; raises UnsuitableBrainError."""
    old.check(new.agent, new.game)
    if old.steps >= total:
        why = (
            f"this brain has learned from {old.steps:,} {old.unit} already: ask for more than that"
        )
        raise UnsuitableBrainError(old.agent, why)
    return replace(new, steps=old.steps, arrays=old.arrays, curve=old.curve)


def checkpoints(
    brain: Brain, total: int, points: Points, callbacks: Callbacks
) -> Iterator[Checkpoint]:
    """Train to the total, with checkpoints CHECKPOINT_SECONDS apart.

    Between points of the curve a checkpoint repeats the last metrics; the final one is measured.
    """
    size, metrics = 1, dict(brain.curve[-1].metrics) if brain.curve else {}
    while brain.steps < total:
        goal = min(points.after(brain.steps), total)
        count = min(size, goal - brain.steps)
        begun = perf_counter()
        callbacks.learn(brain.steps, count)
        size = _next_size(size, count, perf_counter() - begun)
        step = brain.steps + count
        curve = brain.curve
        if step == goal:
            metrics = dict(callbacks.measure())
        if points.stand_at(step):
            callbacks.mark(step)
            curve = (*curve, Point(step, metrics))
        kept = {name: array.copy() for name, array in callbacks.arrays().items()}
        brain = replace(brain, steps=step, arrays=kept, curve=curve, total=total)
        yield Checkpoint(step, total, metrics, brain)


def _next_size(size: int, count: int, seconds: float) -> int:
    """The number of steps to take next, after `count` steps that took `seconds`."""
    fitting = int(count * CHECKPOINT_SECONDS / max(seconds, 1e-9))
    return max(1, min(fitting, size * MAX_GROWTH))


def kernel_seed(seed: int) -> int:
    """The seed for kernels, which add the number of the step: 63 mixed bits."""
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))


def generator_at(seed: int, step: int) -> Generator:
    """numpy's generator of one step."""
    return np.random.default_rng([seed, step])


def random_at(seed: int, step: int) -> Random:
    """Python's generator of one step."""
    return Random(f"{seed} {step}")
