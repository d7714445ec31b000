"""The `Trainer` interface: a generator of checkpoints.

Progress bars, files and cancellation are up to the caller, who may stop after any checkpoint and
save its brain. Resumed from it, a run ends exactly as it would have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.training.brains import Brain
from engine.core import Game
from engine.options import Kind, Option, Role, Values

SEED = 1  # of shipped brains and of those trained by `recall`

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
    """The progress of a training, its metrics and its brain."""

    step: int
    total: int
    metrics: Mapping[str, float]
    brain: Brain


# train(game, options, seed, resume): options as declared by the roster entry; resume is a brain of
# the same agent and game to continue from, or None.
Trainer = Callable[[Game[Any, Any], Values, int, Brain | None], Iterator[Checkpoint]]

# Estimated seconds of a training with these options.
TrainingSeconds = Callable[[Game[Any, Any], Values], float]


def with_length(options: Values, steps: int) -> Values:
    """The options with another length of training."""
    return options.but({length_of(options): steps})


def length_of(options: Values) -> str:
    """The name of the option for the length of training: `games` or `generations`."""
    names = tuple(options.of(Role.LENGTH))
    if len(names) != 1:
        raise TypeError(f"of a learner's options one has Role.LENGTH, not {len(names)}")
    return names[0]


def finish(checkpoints: Iterator[Checkpoint]) -> Brain:
    """Train to the end and return the brain."""
    *_, last = checkpoints
    return last.brain
