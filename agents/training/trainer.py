"""Training: a generator of checkpoints, whoever drives it.

A trainer knows nothing of progress bars, files or cancelling: its caller takes checkpoints for
as long as it likes, and may save the brain of any of them. Resumed from that brain, a run ends
exactly as it would have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any

from agents.training.brains import Brain, Point, from_bytes, to_bytes
from engine.catalog import load_game
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Kind, Option, Role, Values

SEED = 1  # of shipped brains, and of those trained on the spot
STRETCH_SECONDS = 1.0
PASSING, KEPT = 1, 4  # how hard brains on the way are packed: a kernel learns a lot meanwhile

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


@dataclass(frozen=True, slots=True)
class Milestone:
    """The brain that a point of the curve is: its digest, and the bytes of those that are kept."""

    point: Point
    digest: str
    brain: bytes | None  # at 1, 2, 5, 10, 20, 50 … steps


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a training, done: the brain as the bytes of its file, and what it showed."""

    brain: bytes
    digest: str
    step: int
    metrics: Mapping[str, float]
    marks: tuple[Milestone, ...]  # of the points that its curve has gained
    reference: str = ""  # whom the curve is measured against

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(mark.point for mark in self.marks)


def stretch(
    game: str,
    agent: str,
    seed: int,
    brain: bytes | None,
    until: int,
    seconds: float = STRETCH_SECONDS,
) -> Stretch:
    """Train for about so many seconds, up to the step `until` at most; texts and bytes only.

    A training is a fold of stretches in whatever process: the brain after a step is the same
    however many led there. One step is taken at least, and a generation may last longer.
    """
    known = None if brain is None else from_bytes(brain)
    if brain is not None and known is not None and known.steps >= until:
        metrics = known.curve[-1].metrics if known.curve else {}
        return Stretch(brain, known.digest, known.steps, metrics, (), known.reference)
    rules = load_game(game)
    _, train, options = read_learner(agent, rules)
    marks, end = [], inf
    for last in train(rules, with_length(options, until), seed, known):
        end = min(end, perf_counter() + seconds)  # from the first step on: kernels may compile
        if (mark := _mark(last.brain)) is not None:
            marks.append(mark)
        if perf_counter() >= end:
            break
    packed = to_bytes(last.brain, PASSING)
    done = last.brain
    return Stretch(packed, done.digest, last.step, last.metrics, tuple(marks), done.reference)


def is_kept(step: int) -> bool:
    """Whether the brain after so many steps is kept on the way: at 1, 2, 5, 10, 20, 50 …"""
    return step > 0 and str(step).rstrip("0") in ("1", "2", "5")


def _mark(brain: Brain) -> Milestone | None:
    """The point that the brain stands at, if there is one."""
    if not brain.curve or brain.curve[-1].step != brain.steps:
        return None
    kept = to_bytes(brain, KEPT) if is_kept(brain.steps) else None
    return Milestone(brain.curve[-1], brain.digest, kept)


def read_learner(spec: str, game: Game[Any, Any]) -> tuple[str, Trainer, Values]:
    """(key, trainer, options) of an agent that learns; raises as `read_agent` does."""
    from agents.roster import read_agent  # the roster lists the learners, so not at the top

    entry, options = read_agent(spec, game)
    if entry.train is None:
        raise InvalidSpecError(spec, f"{entry.key} does not learn, so there is nothing to train")
    return entry.key, entry.train, options


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
