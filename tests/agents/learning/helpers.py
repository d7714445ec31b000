"""Helpers that train and measure learners."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.roster import read_agent
from agents.tabular.exact import Policy, best_response
from agents.tabular.tables import Tables, tabulate
from agents.training.brains import Brain
from agents.training.shipped import recipe, shipped_brain
from agents.training.trainer import finish
from engine import load_game
from engine.core import Game, Seat

TICTACTOE = load_game("tictactoe")

# Every learner with few games to learn from, on a game it plays.
TABULAR = [
    ("tictactoe", "qlearning:games=2000"),
    ("tictactoe", "qlearning:games=2000,opponent=random,shape=spread,starts=start"),
    ("nim:heaps=2-3", "qlearning:games=2000"),
    # 32,027 positions in which play can repeat: exact figures take a while.
    pytest.param("quixo:size=3", "qlearning:games=20", marks=pytest.mark.soak),
    ("tictactoe", "reward-table:games=2000"),
    ("tictactoe", "state-value:games=2000"),
    ("tictactoe", "state-value:games=2000,opponent=self"),
    ("tictactoe", "menace:games=2000,opponent=random"),
]
LEARNERS = [*TABULAR, ("quixo:size=4", "qlearning:games=8")]


def training(game: str, spec: str, seed: int = 1, resume: Brain | None = None) -> Any:
    """The checkpoints of the agent with this spec."""
    entry, options = read_agent(spec, load_game(game))
    assert entry.train is not None
    return entry.train(load_game(game), options, seed, resume)


@cache
def trained(game: str, spec: str, seed: int = 1) -> Brain:
    return finish(training(game, spec, seed))


def shipped(spec: str, game: Game[Any, Any]) -> Brain:
    entry, options = read_agent(spec, game)
    brain = shipped_brain(entry.key, game.spec, recipe(options))
    assert brain is not None
    return brain


def tables_of(game: str) -> Tables:
    return tabulate(load_game(game))


@cache
def policy_of(game: str, spec: str) -> Policy:
    """The agent's policy, from its analysis of every position."""
    return tables_of(game).policy(load_agent(spec, load_game(game)))


def can_lose(tables: Tables, policy: Policy, seat: Seat) -> bool:
    """Whether some replies beat the policy in that seat: the best there is wins now and then."""
    return best_response(tables, policy, seat.other, loss=0.0)[0] > 0


def same_arrays(one: Brain, other: Brain) -> bool:
    return one.arrays.keys() == other.arrays.keys() and all(
        np.array_equal(array, other.arrays[name]) for name, array in one.arrays.items()
    )


def after(game: Game[Any, Any], moves: str) -> Any:
    """The state after these moves: `b2 a1 c3`."""
    state = game.start
    for text in moves.split():
        state = state.play(game.parse_move(text))
    return state
