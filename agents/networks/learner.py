"""The `network` agent's training: self-play with search, as any learner of the project trains."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from agents.entry import Entry, Technique
from agents.learner import Learner
from agents.networks.layers import Shape, initial_weights
from agents.networks.measurement import (
    OPENINGS,
    REFERENCE,
    duel_metrics,
    exact_metrics,
    is_unsolved,
)
from agents.networks.player import NetworkPlayer
from agents.networks.rules import INPUTS, Rules, rules_of, why_not
from agents.networks.self_play import Memory, Settings, learn, new_learning, new_memory
from agents.perfect.oracles import why_unsolved
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, games_option, kernel_seed
from agents.training.opponents import Opponents
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


class Preset(NamedTuple):
    """What suits a game, where the options do not say."""

    games: int
    points: Points
    hidden: int
    settings: Settings
    memory: int  # positions
    active: float  # inputs that are 1, on average
    search: int  # simulations when it plays
    game_seconds: float  # of training, measured


TICTACTOE = Preset(
    20_000, Points(1_000), 64, Settings(25, 8, 20.0, 2e-3, 10_000.0), 20_000, 5.0, 0, 5e-4
)
NIM = Preset(
    20_000, Points(1_000), 128, Settings(25, 8, 15.0, 2e-3, 20_000.0), 20_000, 5.0, 0, 1.3e-3
)
QUIXO_3 = Preset(
    20_000, Points(1_000), 64, Settings(25, 8, 15.0, 2e-3, 10_000.0), 20_000, 6.0, 0, 6e-4
)
QUIXO_4 = Preset(
    5_000, Points(200), 64, Settings(32, 16, 8.0, 2e-3, 10_000.0), 40_000, 10.0, 200, 5e-3
)
QUIXO_5 = Preset(
    5_000, Points(200), 128, Settings(32, 16, 6.0, 1e-3, 20_000.0), 50_000, 15.0, 200, 22e-3
)


def preset_of(game: Game[Any, Any]) -> Preset:
    if game.key == "quixo":
        return {3: QUIXO_3, 4: QUIXO_4, 5: QUIXO_5}[game.start.table.size]
    return NIM if game.key == "nim" else TICTACTOE


@dataclass(frozen=True, eq=False)
class Design:
    """A network for a game, as the options want it."""

    game: Game[Any, Any]
    options: Values

    @cached_property
    def preset(self) -> Preset:
        preset = preset_of(self.game)
        settings = preset.settings
        simulations = self.options.optional_integer("simulations") or settings.simulations
        rate = self.options.optional_number("rate") or settings.rate
        return preset._replace(
            games=self.options.optional_integer("games") or preset.games,
            hidden=self.options.optional_integer("hidden") or preset.hidden,
            settings=settings._replace(simulations=simulations, rate=rate),
        )

    @cached_property
    def rules(self) -> Rules:
        return rules_of(self.game, self.options.text("inputs"))

    @cached_property
    def shape(self) -> Shape:
        return Shape(self.rules.inputs, self.preset.hidden, len(self.rules.moves))


@dataclass(frozen=True)
class NetworkLearner(Learner):
    """Plays itself with search, and learns what the search found."""

    key = "network"

    def reference_for(self, game: Game[Any, Any]) -> str:
        return REFERENCE if is_unsolved(game) else ""

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        preset = Design(game, options).preset
        return preset.games, preset.points

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        design = Design(game, options)
        rules, shape, preset = design.rules, design.shape, design.preset
        memory = new_memory(preset.memory, shape.moves)
        if brain is None:
            flat = initial_weights(shape, preset.active, seed)
            mean, spread = np.zeros_like(flat), np.zeros_like(flat)
        else:
            flat, mean, spread = (
                brain.array(name, (shape.weights,), np.float32).copy()
                for name in ("weights", "mean", "spread")
            )
            _recall(brain, memory)
        learning = new_learning(flat, mean, spread, shape)
        root = kernel_seed(seed)

        def learn_games(first: int, games: int) -> None:
            learn(first, games, root, preset.settings, rules, learning, memory)

        def measure() -> dict[str, float]:
            if is_unsolved(game):
                return duel_metrics(rules, learning.weights, shape)
            return exact_metrics(game, rules, learning.weights, shape)

        def arrays() -> Arrays:
            held = int(min(memory.counts[0], len(memory.own)))
            kept: Arrays = {"own": memory.own, "other": memory.other, "policy": memory.policy}
            return {
                "weights": flat,
                "mean": mean,
                "spread": spread,
                **{name: array[:held] for name, array in kept.items()},
                "target": memory.target[:held],
                "counts": memory.counts,
            }

        return Callbacks(learn_games, measure, arrays)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> NetworkPlayer:
        design = Design(game, options.but(_trained(brain, options)))
        flat = brain.array("weights", (design.shape.weights,), np.float32)
        asked = options.optional_integer("search")
        simulations = design.preset.search if asked is None else asked
        return NetworkPlayer(game, design.rules, design.shape, flat, simulations, brain)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        preset = Design(game, options).preset
        usual = preset_of(game)
        share = preset.settings.simulations / usual.settings.simulations
        return preset.games * preset.game_seconds * share * max(1, preset.hidden / usual.hidden)


def _trained(brain: Brain, options: Values) -> dict[str, Any]:
    """The brain's options of training: a named brain may be of another size."""
    return {name: value for name, value in brain.parameters.items() if name in options}


def _recall(brain: Brain, memory: Memory) -> None:
    """Read the remembered positions; raises UnsuitableBrainError for a brain without them."""
    counts = brain.array("counts", (2,), np.int64, low=0)
    held = min(int(counts[0]), len(memory.own))
    memory.counts[:] = counts
    memory.own[:held] = brain.array("own", (held,), np.int64)
    memory.other[:held] = brain.array("other", (held,), np.int64)
    memory.policy[:held] = brain.array("policy", (held, memory.policy.shape[1]), np.uint8)
    memory.target[:held] = brain.array("target", (held,), np.float32, low=-1.0, high=1.0)


def weights_only(brain: Brain) -> Brain:
    """What ships of a brain: what it plays by, without what it needs to go on learning."""
    return replace(brain, arrays={"weights": brain.arrays["weights"]})


def refuses(game: Game[Any, Any]) -> str | None:
    """Why no network is trained for a game: it cannot be seen, or its moves cannot be judged."""
    return why_not(game) or why_unsolved(game)


def entry(opponents: Opponents) -> Entry:
    return NetworkLearner(opponents).entry(
        title="Network",
        technique=Technique.NETWORKS,
        order=1,
        description=(
            "A small neural network that has only ever played itself, looking ahead as it did. "
            "What it sees of a position becomes a favourite move and a guess who wins."
        ),
        options=(
            games_option(None, high=1_000_000, what="; none is as many as suit the game"),
            INPUTS,
            size_option("hidden", "units in each of its two layers", 512),
            size_option("simulations", "simulations for a move while it trains", 1_000),
            Option(
                "rate",
                Kind.NUMBER,
                None,
                "learning rate at first; none is what suits the game",
                low=1e-6,
                high=0.1,
                optional=True,
            ),
            SEARCH,
        ),
        refuses=refuses,
        sampled=2 * OPENINGS,
        ships=weights_only,
    )


def size_option(name: str, what: str, high: int) -> Option:
    """The option for a size, which by default suits the game."""
    text = f"{what}; none is as many as suit the game"
    return Option(name, Kind.INTEGER, None, text, low=1, high=high, optional=True)
