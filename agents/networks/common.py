"""What learners of a network share: its size, its measurement, the agent that plays by it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.entry import Entry
from agents.errors import UnsuitableBrainError
from agents.learner import Learner
from agents.networks.gradient import Learning, new_learning
from agents.networks.layers import Shape, Vector, Weights, initial_weights
from agents.networks.measurement import (
    MAX_STATES,
    REFERENCE,
    duel_metrics,
    exact_metrics,
    is_unsolved,
)
from agents.networks.player import NetworkPlayer
from agents.networks.rules import Rules, are_positions, rules_of, why_not
from agents.networks.source import source_of
from agents.perfect.oracles import why_unsolved
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain
from agents.training.loop import Arrays, Points, share_option
from engine.core import Game
from engine.options import Kind, Option, Role, Values

SEARCH = Option(
    "search",
    Kind.INTEGER,
    None,
    "simulations it looks ahead before it moves; 0: the network alone; none: as suits the game",
    low=0,
    high=20_000,
    optional=True,
    role=Role.PLAYING,
)


class Size(NamedTuple):
    """What suits a game, where the options do not say."""

    games: int
    points: Points
    hidden: int
    active: float  # inputs that are 1, on average
    search: int  # simulations when it plays
    game_seconds: float  # of training, measured


@dataclass(frozen=True, eq=False)
class Design:
    """A network for a game, as the options want it."""

    game: Game[Any, Any]
    options: Values
    usual: Size

    @cached_property
    def size(self) -> Size:
        return self.usual._replace(
            games=self.options.optional_integer("games") or self.usual.games,
            hidden=self.options.optional_integer("hidden") or self.usual.hidden,
        )

    @cached_property
    def rules(self) -> Rules:
        return rules_of(self.game, self.options.text("inputs"))

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.rules.inputs, self.size.hidden, len(self.rules.moves))

    def learning(self, seed: int, brain: Brain | None) -> Learning:
        """The network and its optimiser, new or from a brain; raises UnsuitableBrainError."""
        shape = self.shape
        if brain is None:
            flat = initial_weights(shape, self.size.active, seed)
            return new_learning(flat, np.zeros_like(flat), np.zeros_like(flat), shape)
        flat, mean, spread = (
            self.vector(brain, name).copy() for name in ("weights", "mean", "spread")
        )
        return new_learning(flat, mean, spread, shape)

    def vector(self, brain: Brain, name: str) -> Vector:
        """An array of a brain with a number for every weight; raises UnsuitableBrainError."""
        return brain.array(name, (self.shape.weights,), np.float32)

    def metrics(self, weights: Weights) -> dict[str, float]:
        """The point of a curve."""
        if is_unsolved(self.game):
            return duel_metrics(self.rules, weights, self.shape)
        return exact_metrics(self.game, self.rules, weights, self.shape)


@dataclass(frozen=True)
class NetworkLearner(Learner):
    """Learns the weights of a network by gradients; its curve is of positions played right."""

    @abstractmethod
    def usual(self, game: Game[Any, Any]) -> Size:
        """What suits a game."""

    def design(self, game: Game[Any, Any], options: Values) -> Design:
        return Design(game, options, self.usual(game))

    def reference_for(self, game: Game[Any, Any]) -> str:
        return REFERENCE if is_unsolved(game) else ""

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        size = self.design(game, options).size
        return size.games, size.points

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> NetworkPlayer:
        design = self.design(game, options.but(_trained(brain, options)))
        asked = options.optional_integer("search")
        simulations = design.size.search if asked is None else asked
        flat = design.vector(brain, "weights")
        return self.player(game, design.rules, design.shape, flat, simulations, brain)

    player = NetworkPlayer

    def entry(self, *, options: tuple[Option, ...], **fields: Any) -> Entry:
        return super().entry(options=options, source=source_of(self), **fields)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        size, usual = self.design(game, options).size, self.usual(game)
        return size.games * size.game_seconds * max(1, size.hidden / usual.hidden)


def optimiser_arrays(learning: Learning) -> Arrays:
    """The network and its optimiser, for a brain."""
    return {"weights": learning.flat, "mean": learning.mean, "spread": learning.spread}


def check_positions(found: NDArray[np.int64], rules: Rules, brain: Brain) -> None:
    """Raises UnsuitableBrainError for remembered [number] -> own, other that no game comes to:
    kernels read the weights where a position points them."""
    if not are_positions(found, rules):
        raise UnsuitableBrainError(brain.agent, "this brain remembers positions that cannot be")


def _trained(brain: Brain, options: Values) -> dict[str, Any]:
    """The brain's options of training: a named brain may be of another size."""
    return {name: value for name, value in brain.parameters.items() if name in options}


def weights_only(brain: Brain) -> Brain:
    """What ships of a brain: what it plays by, without what it needs to go on learning."""
    return replace(brain, arrays={"weights": brain.arrays["weights"]})


def refuses(game: Game[Any, Any]) -> str | None:
    """Why no network is trained for a game: it cannot be seen, or its moves cannot be judged."""
    return why_not(game) or why_unsolved(game)


def refuses_large(game: Game[Any, Any]) -> str | None:
    """The same, and games of more positions than are learned without a search."""
    return refuses(game) or why_too_many(game, MAX_STATES, "learn")


def size_option(name: str, what: str, high: int) -> Option:
    """The option for a size, which by default suits the game."""
    text = f"{what}; none is as many as suit the game"
    return Option(name, Kind.INTEGER, None, text, low=1, high=high, optional=True)


def hidden_option() -> Option:
    return size_option("hidden", "units in each of its two layers", 512)


def rate_option(default: float | None) -> Option:
    what = "learning rate" if default else "learning rate at first; none is what suits the game"
    return Option("rate", Kind.NUMBER, default, what, low=1e-6, high=0.1, optional=default is None)


def openings_option(default: float) -> Option:
    return share_option(
        "openings", default, "share of training games that begin with 1 to 8 random moves"
    )
