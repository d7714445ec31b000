"""The brains that come with the package, and how they are made again: from their seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.roster import read_agent
from agents.training.trainer import SEED, Checkpoint, parameters, shipped_name
from engine.catalog import load_game
from engine.core import Game

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


def retrain(game: Game[Any, Any], spec: str) -> Iterator[Checkpoint]:
    """Train the brain that ships for this agent, exactly as it was trained."""
    entry, options = read_agent(spec, game)
    assert entry.train is not None, f"{spec} ships no brain: it does not learn"
    return entry.train(game, options, SEED, None)


def file_name(game: Game[Any, Any], spec: str) -> str:
    """The file its brain ships in."""
    entry, options = read_agent(spec, game)
    return shipped_name(entry.key, game.spec, parameters(options))


def shipped_games() -> Iterator[tuple[Game[Any, Any], str]]:
    """Every brain that ships, as its game and its agent's spec."""
    return ((load_game(game), spec) for game, spec in SHIPPED)
