"""The brains that come with the package: which they are, how an agent finds its own, and how they
are made again, from their seeds."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import Any
from zlib import crc32

from agents.errors import MissingBrainError
from agents.training.brain_files import find
from agents.training.brains import Brain, from_bytes
from agents.training.trainer import SEED, Lasting, Trainer, finish
from engine.core import Game, Options
from engine.options import Option, Role, Values

SHIPPED_FILES = files("agents") / "brains_shipped"

ON_THE_SPOT = 30.0  # seconds that someone may be kept waiting who loads an agent

# Game and agent of every brain that ships, written out by hand.
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
    ("quixo", "quixo-deep"),
    ("quixo", "quixo-evolved"),
    ("nim", "es-rules"),
    ("nim", "es-mix"),
    ("nim", "ea-table"),
    ("nim:last=wins", "ea-table"),
    ("nim:preset=marienbad", "es-rules"),
    ("nim:preset=marienbad", "ea-table"),
    ("nim:preset=normal", "es-rules"),
    ("nim:preset=twenty-one", "es-rules"),
)
# One run is a draw of many: these ship from another seed than 1 (docs/decisions/05-…).
SEEDS = {("quixo", "quixo-evolved"): 3}


def recall(
    agent: str,
    game: Game[Any, Any],
    options: Values,
    train: Trainer,
    seconds: Lasting,
) -> Brain:
    """The brain an agent plays with: one that is there, else one trained here and now.

    Never none: raises MissingBrainError where that would take too many `seconds`.
    """
    if (known := known_brain(agent, game, options)) is not None:
        return known
    if seconds(game, options) > ON_THE_SPOT:
        raise too_long(agent, game)
    plain = {option.name: option.default for option in options.options if _plays(option)}
    return _on_the_spot(agent, game, options.but(plain), train)


def known_brain(agent: str, game: Game[Any, Any], options: Values) -> Brain | None:
    """The one its option `brain` names; else the shipped one trained with these options.

    Raises MissingBrainError or UnreadableBrainError for a name that means no brain of this agent.
    """
    if name := options.text("brain"):
        return find(name).check(agent, game.spec)
    return shipped_brain(agent, game.spec, recipe(options))


def unless_known(agent: str, seconds: Lasting) -> Lasting:
    """How long it trains before it can play: not at all where its brain is there."""

    def lasts(game: Game[Any, Any], options: Values) -> float:
        return 0.0 if known_brain(agent, game, options) is not None else seconds(game, options)

    return lasts


def too_long(agent: str, game: Game[Any, Any]) -> MissingBrainError:
    """What to say where no brain is there and nobody would wait for one."""
    why = (
        f"no brain of {agent} for {game.spec} comes with these options, and training one "
        f"takes too long to do on the spot: run `zermelo train`, then name it with brain="
    )
    return MissingBrainError(agent, why)


def _plays(option: Option) -> bool:
    return option.role is Role.PLAYING


@lru_cache(maxsize=64)
def _on_the_spot(agent: str, game: Game[Any, Any], options: Values, train: Trainer) -> Brain:
    return finish(train(game, options, SEED, None)).check(agent, game.spec)


def recipe(options: Values) -> Options:
    """The options that make a brain what it is: how it learns, and how long."""
    return {**options.of(Role.TRAINING), **options.of(Role.LENGTH)}


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
    file = SHIPPED_FILES / name
    return from_bytes(file.read_bytes(), name) if file.is_file() else None
