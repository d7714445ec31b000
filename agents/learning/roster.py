"""The agents that learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import Any

from agents.core import Agent
from agents.entry import Entry, Technique, only
from agents.learning import menace, qlearning, qsparse, reward_table, state_value
from agents.learning.common import seconds
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain
from agents.training.loop import Points, games_option
from agents.training.opponents import Opponents, opponent_option
from agents.training.shipped import SHIPPED, recall, unless_known
from agents.training.trainer import BRAIN, Checkpoint, Lasting, Trainer
from engine.core import Game
from engine.options import Kind, Option, Role, Values

MAX_STATES = 50_000  # of a game for a table: more would take too long to train


def _why_too_large(game: Game[Any, Any]) -> str | None:
    """Why the game is too large for a table, found without tabulating it."""
    return why_too_many(game, MAX_STATES, "learn")


def _q_refuses(game: Game[Any, Any]) -> str | None:
    """Why Q-learning does not play the game: it is too large and has no shipped brain."""
    return None if (game.spec, qlearning.KEY) in SHIPPED else _why_too_large(game)


def _train_q(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    train = qsparse.train if _why_too_large(game) else qlearning.train
    return train(opponents, game, options, seed, resume)


def _make_q(
    opponents: Opponents, train: Trainer, seconds: Lasting, game: Game[Any, Any], options: Values
) -> Agent[Any, Any]:
    vast = _why_too_large(game) is not None
    brain = recall(qlearning.KEY, game, options, train, seconds)
    looks = options.text("unmet") == "look"
    agent = qsparse.SparseQ if vast else qlearning.QLearner
    return agent.of(opponents, game, brain, looks)


def _q_seconds(opponents: Opponents, game: Game[Any, Any], options: Values) -> float:
    return inf if _why_too_large(game) else qlearning.seconds(opponents, game, options)


def _maker(
    key: str,
    train: Trainer,
    seconds: Lasting,
    of: Callable[[Game[Any, Any], Brain], Agent[Any, Any]],
) -> Callable[[Game[Any, Any], Values], Agent[Any, Any]]:
    return lambda game, options: of(game, recall(key, game, options, train, seconds))


def _seconds(opponents: Opponents, points: Points, game: Game[Any, Any], options: Values) -> float:
    """How long a learner takes whose curve has these points."""
    return seconds(opponents, game, options, options.integer("games"), points)


def _rate(name: str, default: float, what: str) -> Option:
    return Option(name, Kind.NUMBER, default, what, low=0.0, high=1.0)


def _alpha(default: float) -> Option:
    return _rate("alpha", default, "learning rate: how far one result moves a value")


def _gamma(default: float) -> Option:
    return _rate("gamma", default, "what a result is worth one turn earlier")


def _epsilon(default: float) -> Option:
    return _rate("epsilon", default, "chance of a random move while it trains")


def _draw(seat: str) -> Option:
    what = f"what a draw pays it as {seat}, where a win pays 1 and a loss -1"
    return Option(f"draw_{seat}", Kind.NUMBER, 0.0, what, low=-1.0, high=1.0)


def _beads(name: str, default: int, what: str) -> Option:
    return Option(name, Kind.INTEGER, default, what, low=0, high=100)


def learning_entries(opponents: Opponents) -> tuple[Entry, ...]:
    """The learners, who find whom they train against among these opponents."""
    train_q, q_seconds = partial(_train_q, opponents), partial(_q_seconds, opponents)
    train_rewards = partial(reward_table.train, opponents)
    train_values = partial(state_value.train, opponents)
    train_menace = partial(menace.train, opponents)
    reward_seconds, value_seconds, menace_seconds = (
        partial(_seconds, opponents, learner.POINTS)
        for learner in (reward_table, state_value, menace)
    )
    return (
        Entry(
            key=qlearning.KEY,
            title="Q-learner",
            technique=Technique.LEARNING,
            description=(
                "Has played itself a million times and remembers what every move was worth. "
                "Small games it has mastered; on a big board it hardly ever meets a position twice."
            ),
            options=(
                BRAIN,
                games_option(None, what="; none is as many as suit the game"),
                opponent_option("self"),
                _alpha(0.5),
                Option(
                    "half",
                    Kind.NUMBER,
                    50_000.0,
                    "against an opponent: games after which alpha has come down to a half",
                    low=1.0,
                    high=1e9,
                ),
                _gamma(0.95),
                _epsilon(0.4),
                Option(
                    "shape",
                    Kind.CHOICE,
                    "end",
                    "rewards: all at the end, or spread over the moves and larger towards the end",
                    choices=("end", "spread"),
                ),
                _draw("first"),
                _draw("second"),
                Option(
                    "starts",
                    Kind.CHOICE,
                    "anywhere",
                    "where training games begin: the start, "
                    "or (small games) every other one anywhere",
                    choices=("start", "anywhere"),
                ),
                Option(
                    "unmet",
                    Kind.CHOICE,
                    "look",
                    "in a position it never met: look one move ahead, or play at random",
                    choices=("look", "random"),
                    role=Role.PLAYING,
                ),
            ),
            make=partial(_make_q, opponents, train_q, q_seconds),
            refuses=_q_refuses,
            train=train_q,
            lasts=unless_known(qlearning.KEY, q_seconds),
            shows=True,
        ),
        Entry(
            key=reward_table.KEY,
            title="Reward table",
            technique=Technique.LEARNING,
            description=(
                "Pays the moves of a won game, fines those of a lost one, and plays the best paid. "
                "It trained against someone who takes every win, so it has learned to block."
            ),
            options=(
                BRAIN,
                games_option(100_000),
                opponent_option("opportunist"),
                _rate("credit", 0.3, "share of a move's pay that the move before it gets"),
                _epsilon(0.3),
            ),
            make=_maker(
                reward_table.KEY,
                train_rewards,
                reward_seconds,
                partial(reward_table.RewardTable.of, opponents),
            ),
            refuses=only("tictactoe"),
            train=train_rewards,
            lasts=unless_known(reward_table.KEY, reward_seconds),
            shows=True,
        ),
        Entry(
            key=state_value.KEY,
            title="State values",
            technique=Technique.LEARNING,
            description=(
                "Knows what each board is worth and moves to the best one it can reach. "
                "It learned by going back over every game it played, from the end to the start."
            ),
            options=(
                BRAIN,
                games_option(100_000),
                opponent_option("random"),
                _alpha(0.05),
                _gamma(0.9),
                _epsilon(0.3),
            ),
            make=_maker(
                state_value.KEY,
                train_values,
                value_seconds,
                partial(state_value.StateValue.of, opponents),
            ),
            refuses=only("tictactoe"),
            train=train_values,
            lasts=unless_known(state_value.KEY, value_seconds),
            shows=True,
        ),
        Entry(
            key=menace.KEY,
            title="MENACE",
            technique=Technique.LEARNING,
            description=(
                "Donald Michie's machine of 1961: a matchbox for every position, a bead for a "
                "move. Wins and draws add beads, a loss takes one away."
            ),
            options=(
                BRAIN,
                games_option(20_000),
                opponent_option("perfect"),
                _beads("win", 3, "beads added for a win"),
                _beads("draw", 1, "beads added for a draw"),
                _beads("loss", 1, "beads taken for a loss"),
            ),
            make=_maker(
                menace.KEY, train_menace, menace_seconds, partial(menace.Menace.of, opponents)
            ),
            refuses=only("tictactoe"),
            train=train_menace,
            lasts=unless_known(menace.KEY, menace_seconds),
            lessons=True,
            shows=True,
        ),
    )
