"""Shipped brains, and `recall`, by which a learner finds or trains its brain."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Any
from zlib import crc32

from agents.errors import MissingBrainError
from agents.training.brain_files import find
from agents.training.brains import Brain, from_bytes
from agents.training.trainer import SEED, Trainer, TrainingSeconds, finish
from engine.core import Game, Options
from engine.options import Role, Values

SHIPPED_FILES = files("agents") / "brains_shipped"

ON_THE_SPOT = 30.0  # seconds that training may take when an agent is loaded

# Game and agent of every shipped brain.
SHIPPED = (
    ("tictactoe", "qlearning"),
    ("tictactoe", "reward-table"),
    ("tictactoe", "state-value"),
    ("tictactoe", "menace"),
    ("nim", "qlearning"),
    ("nim:preset=marienbad", "qlearning"),
    ("nim:preset=twenty-one", "qlearning"),
    ("nim:preset=normal", "qlearning"),
    ("quixo", "qlearning"),
    ("quixo:size=3", "qlearning"),
    ("quixo:size=4", "qlearning"),
    ("tictactoe", "network"),
    ("nim", "network"),
    ("nim", "network:inputs=binary"),
    ("nim:preset=marienbad", "network"),
    ("nim:preset=twenty-one", "network"),
    ("nim:preset=normal", "network"),
    ("quixo", "network"),
    ("quixo:size=3", "network"),
    ("quixo:size=4", "network"),
    ("tictactoe", "reinforce"),
    ("nim", "reinforce"),
    ("nim:preset=marienbad", "reinforce"),
    ("nim:preset=twenty-one", "reinforce"),
    ("nim:preset=normal", "reinforce"),
    ("quixo:size=3", "reinforce"),
    ("tictactoe", "dqn"),
    ("nim", "dqn"),
    ("nim:preset=marienbad", "dqn"),
    ("nim:preset=twenty-one", "dqn"),
    ("nim:preset=normal", "dqn"),
    ("quixo:size=3", "dqn"),
    ("tictactoe", "neuroevolution"),
    ("nim", "neuroevolution"),
    ("nim:preset=marienbad", "neuroevolution"),
    ("nim:preset=twenty-one", "neuroevolution"),
    ("nim:preset=normal", "neuroevolution"),
    ("quixo:size=3", "neuroevolution"),
    ("quixo", "ntuple"),
    ("quixo:size=3", "ntuple"),
    ("quixo:size=4", "ntuple"),
    ("quixo", "quixo-deep"),
    ("quixo", "quixo-evolved"),
    ("nim", "es-rules"),
    ("nim", "es-rules:genes=traits"),
    ("nim", "es-mix"),
    ("nim", "ea-table"),
    ("nim:last=wins", "ea-table"),
    ("nim:preset=marienbad", "es-rules"),
    ("nim:preset=marienbad", "ea-table"),
    ("nim:preset=normal", "es-rules"),
    ("nim:preset=twenty-one", "es-rules"),
)
# Runs that ship from another seed than SEED (docs/decisions/05-training-repeats.md).
SEEDS = {("quixo", "quixo-evolved"): 3}


def recall(
    agent: str, game: Game[Any, Any], options: Values, train: Trainer, seconds: TrainingSeconds
) -> Brain:
    """The brain an agent plays with: an existing one, else one trained now (cached).

    Raises MissingBrainError if training would take more than ON_THE_SPOT seconds.
    """
    if (brain := known_brain(agent, game, options)) is not None:
        return brain
    if seconds(game, options) > ON_THE_SPOT:
        raise missing_brain_error(agent, game)
    playing = {
        option.name: option.default
        for option in options.options
        if option.role is Role.PLAYING  # no part of the cache key
    }
    return _train_now(agent, game, options.but(playing), train)


def known_brain(agent: str, game: Game[Any, Any], options: Values) -> Brain | None:
    """The brain named by the option `brain`, else the shipped one trained with these options.

    Raises MissingBrainError, UnreadableBrainError or UnsuitableBrainError for a named brain.
    """
    if name := options.text("brain"):
        return find(name).check(agent, game.spec)
    return shipped_brain(agent, game.spec, recipe(options))


def unless_known(agent: str, seconds: TrainingSeconds) -> TrainingSeconds:
    """Wrap an estimate of training seconds: 0 where the brain exists."""

    def lasts(game: Game[Any, Any], options: Values) -> float:
        return 0.0 if known_brain(agent, game, options) is not None else seconds(game, options)

    return lasts


def missing_brain_error(agent: str, game: Game[Any, Any]) -> MissingBrainError:
    """The error for a missing brain that takes too long to train on request."""
    why = (
        f"no brain of {agent} for {game.spec} comes with these options, and training one "
        f"takes too long to do on the spot: run `zermelo train`, then name it with brain="
    )
    return MissingBrainError(agent, why)


@lru_cache(maxsize=64)
def _train_now(agent: str, game: Game[Any, Any], options: Values, train: Trainer) -> Brain:
    return finish(train(game, options, SEED, None)).check(agent, game.spec)


def recipe(options: Values) -> Options:
    """The options that determine a brain: those of training and its length."""
    return {**options.of(Role.TRAINING), **options.of(Role.LENGTH)}


def shipped_name(agent: str, game: str, trained: Options) -> str:
    """The file name of a shipped brain, by agent, game and options of training."""
    options = "-".join(f"{name}={value}" for name, value in sorted(trained.items()))
    return f"{agent}.{slug(game)}.{crc32(options.encode()):08x}.npz"


def slug(spec: str) -> str:
    """A spec for a file name: `nim-heaps-3-4-last-wins` for `nim:heaps=3-4,last=wins`."""
    return re.sub("[^a-z0-9]+", "-", spec.lower()).strip("-")


def shipped_brain(agent: str, game: str, trained: Options) -> Brain | None:
    """The shipped brain for exactly these options of training, if there is one."""
    return _shipped(shipped_name(agent, game, trained))


@lru_cache(maxsize=64)
def _shipped(name: str) -> Brain | None:
    file = SHIPPED_FILES / name
    return from_bytes(file.read_bytes(), name) if file.is_file() else None
