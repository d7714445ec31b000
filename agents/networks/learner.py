"""The `network` agent's training: self-play with search, as any learner of the project trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agents.entry import Entry, Technique
from agents.networks.common import (
    SEARCH,
    NetworkLearner,
    Size,
    check_positions,
    hidden_option,
    optimiser_arrays,
    rate_option,
    refuses,
    size_option,
    weights_only,
)
from agents.networks.measurement import OPENINGS
from agents.networks.opinions import opinions
from agents.networks.rules import INPUTS, Rules
from agents.networks.self_play import Memory, Settings, learn, new_memory
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, games_option, kernel_seed
from agents.training.opponents import Opponents
from engine.core import Game
from engine.options import Values


class Preset(NamedTuple):
    """What suits a game, where the options do not say."""

    size: Size
    settings: Settings
    memory: int  # positions


FEW_STATES = 1_000  # in fewer than these the last position is learned too, by smaller steps

TICTACTOE = Preset(
    Size(20_000, Points(1_000), 64, 5.0, 0, 2e-4), Settings(25, 8, 20.0, 2e-3, 10_000.0), 20_000
)
SMALL_NIM = Preset(
    Size(40_000, Points(1_000), 128, 5.0, 0, 3e-4), Settings(25, 8, 15.0, 2e-3, 5_000.0), 20_000
)
NIM = Preset(
    Size(20_000, Points(1_000), 128, 5.0, 0, 5e-4), Settings(25, 8, 15.0, 2e-3, 20_000.0), 20_000
)
QUIXO_3 = Preset(
    Size(20_000, Points(1_000), 64, 6.0, 0, 2e-4), Settings(25, 8, 15.0, 2e-3, 10_000.0), 20_000
)
QUIXO_4 = Preset(
    Size(5_000, Points(200), 64, 10.0, 200, 1.2e-3), Settings(32, 16, 8.0, 2e-3, 10_000.0), 40_000
)
QUIXO_5 = Preset(
    Size(5_000, Points(200), 128, 15.0, 200, 6e-3), Settings(32, 16, 6.0, 1e-3, 20_000.0), 50_000
)


def preset_of(game: Game[Any, Any]) -> Preset:
    if game.key == "quixo":
        return {3: QUIXO_3, 4: QUIXO_4, 5: QUIXO_5}[game.start.table.size]
    if game.key == "nim":
        return SMALL_NIM if (game.states or FEW_STATES) < FEW_STATES else NIM
    return TICTACTOE


@dataclass(frozen=True)
class SelfPlay(NetworkLearner):
    """Plays itself with search, and learns what the search found."""

    key = "network"

    def usual(self, game: Game[Any, Any]) -> Size:
        return preset_of(game).size

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        design, preset = self.design(game, options), preset_of(game)
        settings = _settings(preset.settings, options)
        memory = new_memory(preset.memory, design.shape.moves)
        learning = design.learning(seed, brain)
        if brain is not None:
            _recall(brain, memory, design.rules)
        root = kernel_seed(seed)

        def learn_games(first: int, games: int) -> None:
            learn(first, games, root, settings, design.rules, learning, memory)

        def arrays() -> Arrays:
            held = int(min(memory.counts[0], len(memory.own)))
            kept: Arrays = {"own": memory.own, "other": memory.other, "policy": memory.policy}
            return {
                **optimiser_arrays(learning),
                **{name: array[:held] for name, array in kept.items()},
                "target": memory.target[:held],
                "counts": memory.counts,
            }

        def measure() -> dict[str, float]:
            thought = opinions(game, design.rules, learning.weights, design.shape)
            return design.metrics(learning.weights) | thought

        return Callbacks(learn_games, measure, arrays)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        usual = preset_of(game).settings
        share = _settings(usual, options).simulations / usual.simulations
        return super().seconds(game, options) * share


def _settings(usual: Settings, options: Values) -> Settings:
    return usual._replace(
        simulations=options.optional_integer("simulations") or usual.simulations,
        rate=options.optional_number("rate") or usual.rate,
    )


def _recall(brain: Brain, memory: Memory, rules: Rules) -> None:
    """Read the remembered positions; raises UnsuitableBrainError for a brain without them."""
    counts = brain.array("counts", (2,), np.int64, low=0)
    held = min(int(counts[0]), len(memory.own))
    memory.counts[:] = counts
    memory.own[:held] = brain.array("own", (held,), np.int64)
    memory.other[:held] = brain.array("other", (held,), np.int64)
    check_positions(np.column_stack((memory.own[:held], memory.other[:held])), rules, brain)
    memory.policy[:held] = brain.array("policy", (held, memory.policy.shape[1]), np.uint8)
    memory.target[:held] = brain.array("target", (held,), np.float32, low=-1.0, high=1.0)


def entry(opponents: Opponents) -> Entry:
    return SelfPlay(opponents).entry(
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
            hidden_option(),
            size_option("simulations", "simulations for a move while it trains", 1_000),
            rate_option(None),
            SEARCH,
        ),
        refuses=refuses,
        sampled=2 * OPENINGS,
        ships=weights_only,
    )
