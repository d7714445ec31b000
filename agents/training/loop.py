"""The loop every learner shares: some steps, a look at how good it is now, a checkpoint.

Nothing in it hangs on where the run will end or how it was cut: random numbers follow from the
seed and the number of a step, points of the curve stand at fixed steps. Only how many steps are
taken between two checkpoints follows the clock, and that changes nothing.
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

BETWEEN_CHECKPOINTS = 0.25  # seconds: a bar that moves, a stop that is heeded
FASTER = 8  # times as many steps at most than before the last checkpoint

Arrays = dict[str, NDArray[Any]]


def games_option(default: int | None, high: int = 20_000_000, what: str = "") -> Option:
    """How long a learner learns, in games."""
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


@dataclass(frozen=True, slots=True)
class Points:
    """The steps at which a curve has a point: 1, 2, 5, 10, 20, 50 … and from `evenly` on, evenly.

    `evenly` is itself one of those. A learner that knows nothing before its first batch begins
    its curve there.
    """

    evenly: int
    first: int = 1

    def after(self, step: int) -> int:
        """The next of them."""
        if step < self.first:
            return self.first
        if step >= self.evenly:
            return (step // self.evenly + 1) * self.evenly
        unit = int(10 ** (len(str(step)) - 1))
        return next(unit * times for times in (1, 2, 5, 10) if unit * times > step)

    def stand_at(self, step: int) -> bool:
        return self.after(step - 1) == step

    def up_to(self, step: int) -> int:
        """How many there are by this step."""
        early, at = 0, 0
        while (at := self.after(at)) <= min(step, self.evenly):
            early += 1
        return early + max(0, step // self.evenly - 1)


@dataclass(frozen=True, slots=True)
class Lessons:
    """What a learner does, each part changing or reading what it knows by now."""

    learn: Callable[[int, int], None]  # learn(first, count): take the steps from this number on
    measure: Callable[[], Mapping[str, float]]  # how good it is
    arrays: Callable[[], Arrays]  # all it knows
    mark: Callable[[int], None] = lambda _: None  # called at points, to keep what curves need


def begin(agent: str, game: Game[Any, Any], options: Values, seed: int, reference: str) -> Brain:
    """A brain that knows nothing yet."""
    trained, unit = options.of(Role.TRAINING), length_of(options)
    return Brain(agent, game.spec, trained, seed, 0, {}, reference=reference, unit=unit)


def resumed(old: Brain, new: Brain, total: int) -> Brain:
    """The new brain with what the old one knows; raises UnsuitableBrainError."""
    old.check(new.agent, new.game)
    if old.steps >= total:
        why = (
            f"this brain has learned from {old.steps:,} {old.unit} already: ask for more than that"
        )
        raise UnsuitableBrainError(old.agent, why)
    return replace(new, steps=old.steps, arrays=old.arrays, curve=old.curve)


def course(brain: Brain, total: int, points: Points, lessons: Lessons) -> Iterator[Checkpoint]:
    """Train to the total, with checkpoints a fraction of a second apart.

    Between points a checkpoint tells what was measured last; the last one is measured anew.
    """
    size, metrics = 1, dict(brain.curve[-1].metrics) if brain.curve else {}
    while brain.steps < total:
        goal = min(points.after(brain.steps), total)
        count = min(size, goal - brain.steps)
        begun = perf_counter()
        lessons.learn(brain.steps, count)
        size = _paced(size, count, perf_counter() - begun)
        step = brain.steps + count
        curve = brain.curve
        if step == goal:
            metrics = dict(lessons.measure())
        if points.stand_at(step):
            lessons.mark(step)
            curve = (*curve, Point(step, metrics))
        kept = {name: array.copy() for name, array in lessons.arrays().items()}
        brain = replace(brain, steps=step, arrays=kept, curve=curve, total=total)
        yield Checkpoint(step, total, metrics, brain)


def _paced(size: int, count: int, seconds: float) -> int:
    """How many steps to take next, after `count` steps that took so long."""
    fitting = int(count * BETWEEN_CHECKPOINTS / max(seconds, 1e-9))
    return max(1, min(fitting, size * FASTER))


def kernel_seed(seed: int) -> int:
    """The seed as kernels take it, which add the number of the step: 63 bits, spread out."""
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))


def luck_at(seed: int, step: int) -> Generator:
    """numpy's random numbers of one step."""
    return np.random.default_rng([seed, step])


def random_at(seed: int, step: int) -> Random:
    """Python's random numbers of one step."""
    return Random(f"{seed} {step}")
