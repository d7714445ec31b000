"""Training: a generator of checkpoints, whoever drives it.

A trainer knows nothing of progress bars, files or cancelling: its caller takes checkpoints for
as long as it likes, and may save the brain of any of them. Resumed from that brain, a run ends
exactly as it would have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.training.brains import Brain
from engine.core import Game
from engine.options import Kind, Option, Role, Values

SEED = 1  # of shipped brains, and of those trained on the spot

BRAIN = Option(
    "brain",
    Kind.TEXT,
    "",
    "the name of a brain you trained; leave empty for one trained just as the rest says",
    role=Role.PLAYING,
    technical=True,
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a training is, how good its agent plays now, and all it knows."""

    step: int
    total: int
    metrics: Mapping[str, float]
    brain: Brain

    @property
    def finished(self) -> bool:
        return self.step >= self.total


# train(game, options, seed, resume): options as the roster's entry declares them, resume a brain
# of the same agent and game to go on from, or None.
Trainer = Callable[[Game[Any, Any], Values, int, Brain | None], Iterator[Checkpoint]]

# About how many seconds a training with these options takes.
Lasting = Callable[[Game[Any, Any], Values], float]


def with_length(options: Values, steps: int) -> Values:
    """The options of a learner with another number of steps."""
    return options.but({length_of(options): steps})


def length_of(options: Values) -> str:
    """The name of the option that says how long it learns: `games` or `generations`."""
    names = tuple(options.of(Role.LENGTH))
    if len(names) != 1:
        raise TypeError(f"of a learner's options one has Role.LENGTH, not {len(names)}")
    return names[0]


def finish(checkpoints: Iterator[Checkpoint]) -> Brain:
    """Train to the end and return what was learned."""
    *_, last = checkpoints
    return last.brain
