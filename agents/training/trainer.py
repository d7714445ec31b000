"""Training: a generator of checkpoints, whoever drives it, and where an agent's brain is found.

A trainer knows nothing of progress bars, files or cancelling: its caller takes checkpoints for
as long as it likes, and may save the brain of any of them. Resumed from that brain, a run ends
exactly as it would have ended, because every stretch has a seed of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from agents.compute.places import data_dir
from agents.errors import MissingBrainError
from agents.training import brains
from agents.training.brains import Brain
from engine.core import Game, Options
from engine.errors import InvalidSpecError, quoted, unknown
from engine.options import Kind, Option

SEED = 1  # of shipped brains, and of those trained on the spot
SHIPPED = files("agents") / "brains_shipped"

BRAIN = Option(
    "brain",
    Kind.TEXT,
    "",
    "the name of a brain you trained; leave empty for one trained just as the rest says",
)
# Options that say how a brain is played with and nothing about how it was trained.
NOT_TRAINED = (
    "brain",
    "skill",
    "level",
    "depth",
    "nodes",
    "seconds",
    "contempt",
    "table",
    "evaluation",
    "unmet",
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
Trainer = Callable[[Game[Any, Any], Options, int, Brain | None], Iterator[Checkpoint]]


def parameters(options: Options) -> Options:
    """The options that say how a brain was trained, without those that say how it is played."""
    return {name: value for name, value in options.items() if name not in NOT_TRAINED}


def stretch_seed(seed: int, step: int) -> int:
    """The seed of the stretch that begins at this step, 32 bits: what a resumed run needs."""
    return int(np.random.SeedSequence([seed, step]).generate_state(1)[0])


def finish(checkpoints: Iterator[Checkpoint]) -> Brain:
    """Train to the end and return what was learned."""
    *_, last = checkpoints
    return last.brain


def recall(
    agent: str, game: Game[Any, Any], options: Options, train: Trainer, *, affordable: bool
) -> Brain:
    """The brain an agent plays with.

    The one its option `brain` names; else the shipped one trained with these options; else one
    trained here and now, if that is `affordable`. Never none: raises MissingBrainError.
    """
    name = options["brain"]
    if isinstance(name, str) and name:
        return find(name).check(agent, game.spec)
    trained = parameters(options)
    if (shipped := shipped_brain(agent, game.spec, trained)) is not None:
        return shipped
    if not affordable:
        why = (
            f"no brain of {agent} for {game.spec} comes with these options, and training one "
            f"takes too long to do on the spot: run `zermelo train`, then name it with brain="
        )
        raise MissingBrainError(agent, why)
    return _on_the_spot(agent, game, tuple(options.items()), train)


@lru_cache(maxsize=64)
def _on_the_spot(
    agent: str, game: Game[Any, Any], options: tuple[tuple[str, Any], ...], train: Trainer
) -> Brain:
    return finish(train(game, dict(options), SEED, None)).check(agent, game.spec)


def shipped_name(agent: str, game: str, trained: Options) -> str:
    """The file of a shipped brain: one for an agent, a game and the way it was trained."""
    told = "-".join(f"{name}={value}" for name, value in sorted(trained.items()))
    digest = crc32(told.encode())
    return f"{agent}.{slug(game)}.{digest:08x}.npz"


def slug(spec: str) -> str:
    """A spec as part of a file's name: `nim:heaps=3-4,last=wins` as `nim-heaps-3-4-last-wins`."""
    return re.sub("[^a-z0-9]+", "-", spec.lower()).strip("-")


def shipped_brain(agent: str, game: str, trained: Options) -> Brain | None:
    """The brain that comes with the package for exactly this training, if there is one."""
    return _shipped(shipped_name(agent, game, trained))


@lru_cache(maxsize=64)
def _shipped(name: str) -> Brain | None:
    file = SHIPPED / name
    return brains.from_bytes(file.read_bytes(), name) if file.is_file() else None


def home() -> Path:
    """Where brains are kept."""
    return data_dir() / "brains"


def brain_path(name: str, directory: Path | None = None) -> Path:
    """The file of the brain with this name; raises InvalidSpecError for a name that is none."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}", name):
        why = f"{quoted(name)} is no name for a brain: up to 60 letters, digits, '-', '_' and '.'"
        raise InvalidSpecError(name, why)
    return (directory or home()) / f"{name}.npz"


def find(name: str, directory: Path | None = None) -> Brain:
    """A brain that was saved under this name; raises MissingBrainError or UnreadableBrainError."""
    path = brain_path(name, directory)
    if not path.is_file():
        known = sorted(file.stem for file in path.parent.glob("[!.]*.npz"))
        raise MissingBrainError(name, unknown(f"brain in {path.parent}", name, known))
    return brains.load(path)
