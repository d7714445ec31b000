"""Deep Q-learning (Mnih et al. 2015) with a negamax target: the network's outputs are Q.

Q(s, a) moves towards the result, or to what the opponent's best answer leaves, as an older copy of
the network (the target network) sees it. Moves are remembered and learned from many times. The
value learns the highest Q, so that the same search can use it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, new_stream, random, seed_stream
from agents.entry import Entry, Technique
from agents.errors import UnsuitableBrainError
from agents.learning.common import epsilon_option, gamma_option
from agents.networks.common import (
    SEARCH,
    NetworkLearner,
    Size,
    check_positions,
    hidden_option,
    openings_option,
    optimiser_arrays,
    rate_option,
    refuses_large,
    weights_only,
)
from agents.networks.gradient import Learning, keep_row, step
from agents.networks.layers import (
    Layers,
    Vector,
    Weights,
    fill,
    forward,
    new_layers,
    views,
)
from agents.networks.player import QPlayer
from agents.networks.rules import (
    DRAWN,
    INPUTS,
    OPEN,
    Rules,
    active_inputs,
    is_legal,
    played,
    result_of,
)
from agents.networks.self_play import look, opening_plies, random_move
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, games_option, kernel_seed
from agents.training.opponents import Opponents
from engine.core import Game
from engine.options import Kind, Option, Values

BATCH = 64  # moves of one update
REUSE = 8.0  # how often a move is learned from
HALF = 20_000.0  # updates after which the rate has halved
MEMORY = 20_000  # moves
MOVES, UPDATES = 0, 1  # in `counts`

BOARD = Size(40_000, Points(1_000), 64, 5.0, 0, 1.2e-4)
NIM = Size(40_000, Points(1_000), 64, 5.0, 0, 1.3e-4)


class Settings(NamedTuple):
    """How it plays and learns."""

    rate: float
    gamma: float
    epsilon: float
    openings: float  # share of games that begin with random plies
    copied: int  # updates from one copy of the target network to the next


class Target(NamedTuple):
    """The older copy of the network."""

    flat: Vector
    weights: Weights  # views of `flat`
    layers: Layers


@kernel
def best_legal(own: int, other: int, rules: Rules, q: Vector) -> int:
    """The legal move of the highest Q, the first of equals."""
    best = -1
    for move in range(len(q)):
        if is_legal(own, other, move, rules) and (best < 0 or q[move] > q[best]):
            best = move
    return best


@kernel
def learn_games(
    first: int,
    games: int,
    seed: int,
    settings: Settings,
    rules: Rules,
    learning: Learning,
    target: Target,
    memory: NDArray[np.int64],
    counts: NDArray[np.int64],
    rng: Stream,
) -> None:
    """Play the games from number `first` on, and after each as many updates as its moves allow."""
    legal = np.zeros(len(rules.moves), np.bool_)
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        play_game(settings, rules, learning, memory, counts, rng)
        while (counts[UPDATES] + 1) * BATCH <= counts[MOVES] * REUSE:
            counts[UPDATES] += 1
            update(settings, rules, learning, target, memory, counts, legal, rng)
            if counts[UPDATES] % settings.copied == 0:
                target.flat[:] = learning.flat


@kernel
def play_game(
    settings: Settings,
    rules: Rules,
    learning: Learning,
    memory: NDArray[np.int64],
    counts: NDArray[np.int64],
    rng: Stream,
) -> None:
    """One game with itself, by the highest Q or at random; its moves are remembered."""
    own, other, ply = rules.start, 0, 0
    opening = opening_plies(settings.openings, rng)
    while result_of(own, other, rules) == OPEN and ply < rules.plies:
        if ply < opening or random(rng) < settings.epsilon:
            move = random_move(own, other, rng, rules)
        else:
            count = active_inputs(own, other, rules, learning.layers.active)
            forward(count, learning.weights, learning.layers)
            move = best_legal(own, other, rules, learning.layers.logits)
        place = counts[MOVES] % len(memory)
        memory[place, 0], memory[place, 1], memory[place, 2] = own, other, move
        counts[MOVES] += 1
        own, other = played(own, other, move, rules)
        ply += 1


@kernel
def clipped(q: float) -> float:
    """Q within the scale of results."""
    return min(1.0, max(-1.0, float(q)))


@kernel
def goal_of(own: int, other: int, move: int, gamma: float, rules: Rules, target: Target) -> float:
    """What Q of a move moves towards: the result, or minus the opponent's highest Q after it."""
    after, others = played(own, other, move, rules)
    result = result_of(after, others, rules)
    if result == DRAWN:
        return 0.0
    if result != OPEN:
        return -float(result)
    count = active_inputs(after, others, rules, target.layers.active)
    forward(count, target.weights, target.layers)
    best = target.layers.logits[best_legal(after, others, rules, target.layers.logits)]
    return clipped(-gamma * best)


@kernel
def update(
    settings: Settings,
    rules: Rules,
    learning: Learning,
    target: Target,
    memory: NDArray[np.int64],
    counts: NDArray[np.int64],
    legal: NDArray[np.bool_],
    rng: Stream,
) -> None:
    """One step of Adam on a batch of remembered moves, each in a random symmetry.

    The value learns the highest Q, so that a search can use it.
    """
    batch, held = learning.batch, min(counts[MOVES], len(memory))
    for _ in range(BATCH):
        place = below(rng, held)
        turn = below(rng, len(rules.turned_moves))
        own, other, move = memory[place, 0], memory[place, 1], memory[place, 2]
        goal = goal_of(own, other, move, settings.gamma, rules, target)
        row, value = look(own, other, turn, rules, learning, legal)
        q, highest = batch.logits[row], np.float32(-np.inf)
        for each in range(len(rules.moves)):
            if legal[each]:
                highest = max(highest, q[each])
        image = rules.turned_moves[turn, move]
        fill(batch.error[row], 0.0)
        batch.error[row, image] = 2 * (q[image] - goal) / BATCH
        off = value - clipped(float(highest))
        keep_row(2 * off * (1 - value * value) / BATCH, learning)
    number = counts[UPDATES]
    step(number, settings.rate / (1 + number / HALF), learning)


def check_moves(found: NDArray[np.int64], rules: Rules, brain: Brain) -> None:
    """Raises UnsuitableBrainError for remembered [number] -> own, other, move that are illegal."""
    for own, other, move in found.tolist():
        if not (0 <= move < len(rules.moves) and is_legal(own, other, move, rules)):
            raise UnsuitableBrainError(brain.agent, "this brain remembers illegal moves")


@dataclass(frozen=True)
class DeepQ(NetworkLearner):
    """Learns what every move is worth, from moves it remembers."""

    key = "dqn"
    player = QPlayer

    def usual(self, game: Game[Any, Any]) -> Size:
        return NIM if game.key == "nim" else BOARD

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        design = self.design(game, options)
        rules, learning = design.rules, design.learning(seed, brain)
        older = learning.flat.copy() if brain is None else design.vector(brain, "target").copy()
        target = Target(older, views(older, design.shape), new_layers(design.shape))
        memory, counts = np.zeros((MEMORY, 3), np.int64), np.zeros(2, np.int64)
        if brain is not None:
            counts[:] = brain.array("counts", (2,), np.int64, low=0)
            held = min(int(counts[MOVES]), MEMORY)
            memory[:held] = brain.array("memory", (held, 3), np.int64)
            check_positions(memory[:held], rules, brain)
            check_moves(memory[:held], rules, brain)
        settings = Settings(
            options.number("rate"),
            options.number("gamma"),
            options.number("epsilon"),
            options.number("openings"),
            options.integer("copied"),
        )
        root, rng = kernel_seed(seed), new_stream()

        def learn(first: int, games: int) -> None:
            learn_games(first, games, root, settings, rules, learning, target, memory, counts, rng)

        def arrays() -> Arrays:
            held = min(int(counts[MOVES]), MEMORY)
            return {
                **optimiser_arrays(learning),
                "target": older,
                "memory": memory[:held],
                "counts": counts,
            }

        return Callbacks(learn, lambda: design.metrics(learning.weights), arrays)


def entry(opponents: Opponents) -> Entry:
    return DeepQ(opponents).entry(
        title="Deep Q-learner",
        technique=Technique.NETWORKS,
        order=3,
        description=(
            "A small network that guesses what every move is worth. It learned from moves it "
            "remembers, checking its guesses against an older copy of itself."
        ),
        options=(
            games_option(None, what="; none is as many as suit the game"),
            INPUTS,
            epsilon_option(0.3),
            gamma_option(1.0),
            rate_option(2e-3),
            openings_option(0.8),
            Option(
                "copied",
                Kind.INTEGER,
                250,
                "updates after which the target network becomes a copy of the network",
                low=1,
                high=1_000_000,
            ),
            hidden_option(),
            SEARCH,
        ),
        refuses=refuses_large,
        ships=weights_only,
    )
