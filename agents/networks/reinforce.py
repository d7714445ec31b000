"""REINFORCE (Williams 1992): the policy gradient, with the network's own value as the baseline.

Every move of a game is made more likely by how much better the game ended than expected. Nothing
but the bonus for entropy keeps it trying other moves: without one it settles on a few lines of
play and learns nothing of the positions it no longer meets.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner, kernel
from agents.compute.rng import Stream, below, new_stream, random, seed_stream
from agents.entry import Entry, Technique
from agents.networks.common import (
    SEARCH,
    NetworkLearner,
    Size,
    hidden_option,
    openings_option,
    optimiser_arrays,
    rate_option,
    refuses_large,
    weights_only,
)
from agents.networks.gradient import Learning, backward, keep_row, step
from agents.networks.layers import Vector, softmax
from agents.networks.rules import (
    DRAWN,
    INPUTS,
    OPEN,
    Rules,
    played,
    result_of,
)
from agents.networks.self_play import look, opening_plies, random_move
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, games_option, kernel_seed
from agents.training.opponents import SELF, Opponents
from engine.core import Game
from engine.options import Kind, Option, Values

BATCH = 16  # games of one update
NOBODY = -1  # a move that is not learned from

BOARD = Size(200_000, Points(5_000), 64, 5.0, 0, 1.5e-5)
NIM = Size(200_000, Points(5_000), 64, 5.0, 0, 1.7e-5)


class Settings(NamedTuple):
    """How it plays and learns."""

    rate: float
    entropy: float  # weight of the policy's entropy, in nats, beside the result
    openings: float  # share of games that begin with random plies
    against_random: bool


class Plies(NamedTuple):
    """The plies of a game."""

    position: NDArray[np.int64]  # [ply] -> own, other
    chosen: NDArray[np.int32]  # [ply] -> the move in the symmetry that was looked at, or NOBODY
    turn: NDArray[np.int32]  # [ply] -> that symmetry


class Room(NamedTuple):
    """Scratch arrays by move."""

    legal: NDArray[np.bool_]
    chances: Vector


@kernel
def learn_games(
    first: int,
    games: int,
    seed: int,
    settings: Settings,
    rules: Rules,
    learning: Learning,
    updates: NDArray[np.int64],
    plies: Plies,
    room: Room,
    rng: Stream,
) -> None:
    """Play the games from number `first` on; an update after every BATCH of them."""
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        length, score = play_game(settings, rules, learning, plies, room, rng)
        add_gradient(length, score, settings, rules, learning, plies, room)
        if (game + 1) % BATCH == 0:
            updates[0] += 1
            step(updates[0], settings.rate, learning)
    backward(learning)


@kernel
def play_game(
    settings: Settings, rules: Rules, learning: Learning, plies: Plies, room: Room, rng: Stream
) -> tuple[int, float]:
    """One game by the policy, each position in a random symmetry: (plies, score of the last
    mover's opponent)."""
    own, other, ply = rules.start, 0, 0
    opening = opening_plies(settings.openings, rng)
    seat = below(rng, 2)
    while result_of(own, other, rules) == OPEN and ply < rules.plies:
        plies.position[ply, 0], plies.position[ply, 1] = own, other
        if ply < opening or (settings.against_random and ply % 2 != seat):
            plies.chosen[ply] = NOBODY
            move = random_move(own, other, rng, rules)
        else:
            plies.turn[ply] = below(rng, len(rules.turned_moves))
            see(own, other, plies.turn[ply], rules, learning, room)
            plies.chosen[ply] = drawn_move(room.chances, rng)
            move = 0
            while rules.turned_moves[plies.turn[ply], move] != plies.chosen[ply]:
                move += 1
        own, other = played(own, other, move, rules)
        ply += 1
    result = result_of(own, other, rules)
    return ply, 0.0 if result in (OPEN, DRAWN) else float(result)


@inlined
def see(
    own: int, other: int, turn: int, rules: Rules, learning: Learning, room: Room
) -> tuple[int, float]:
    """Look at a position in a symmetry: (row, value); writes the policy."""
    row, value = look(own, other, turn, rules, learning, room.legal)
    softmax(learning.batch.logits[row], room.legal, room.chances)
    return row, value


@kernel
def drawn_move(chances: Vector, rng: Stream) -> int:
    """A move by its chance."""
    left, last = random(rng), 0
    for move in range(len(chances)):
        if chances[move] > 0:
            last = move
            left -= chances[move]
            if left < 0:
                break
    return last


@inner
def add_gradient(
    length: int,
    score: float,
    settings: Settings,
    rules: Rules,
    learning: Learning,
    plies: Plies,
    room: Room,
) -> None:
    """Add the gradient of -(score - value) log chance - entropy, and of the value's error."""
    for at in range(length - 1, -1, -1):
        score = -score
        if plies.chosen[at] == NOBODY:
            continue
        own, other = plies.position[at, 0], plies.position[at, 1]
        row, value = see(own, other, plies.turn[at], rules, learning, room)
        entropy = 0.0
        for move in range(len(rules.moves)):
            if room.chances[move] > 0:
                entropy -= room.chances[move] * log(room.chances[move])
        for move in range(len(rules.moves)):
            chance = room.chances[move]
            wrong = (score - value) * (chance - (1.0 if move == plies.chosen[at] else 0.0))
            if chance > 0:
                wrong += settings.entropy * chance * (log(chance) + entropy)
            learning.batch.error[row, move] = wrong / BATCH if room.legal[move] else 0.0
        keep_row(2 * (value - score) * (1 - value * value) / BATCH, learning)


@dataclass(frozen=True)
class PolicyGradient(NetworkLearner):
    """Plays by its policy, and makes more likely what ended better than expected."""

    key = "reinforce"

    def usual(self, game: Game[Any, Any]) -> Size:
        return NIM if game.key == "nim" else BOARD

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        design = self.design(game, options)
        rules, learning = design.rules, design.learning(seed, brain)
        updates = np.zeros(1, np.int64)
        if brain is not None:
            updates[:] = brain.array("updates", (1,), np.int64, low=0)
            learning.slope[:] = design.vector(brain, "slope")
        settings = Settings(
            options.number("rate"),
            options.number("entropy"),
            options.number("openings"),
            options.text("opponent") != SELF,
        )
        root, rng, moves, most = kernel_seed(seed), new_stream(), len(rules.moves), rules.plies
        numbers = (np.zeros(most, np.int32), np.zeros(most, np.int32))
        plies = Plies(np.zeros((most, 2), np.int64), *numbers)
        room = Room(np.zeros(moves, np.bool_), np.zeros(moves, np.float32))

        def learn(first: int, games: int) -> None:
            learn_games(first, games, root, settings, rules, learning, updates, plies, room, rng)

        def arrays() -> Arrays:
            return {**optimiser_arrays(learning), "slope": learning.slope, "updates": updates}

        return Callbacks(learn, lambda: design.metrics(learning.weights), arrays)


def entry(opponents: Opponents) -> Entry:
    return PolicyGradient(opponents).entry(
        title="Policy gradient",
        technique=Technique.NETWORKS,
        order=2,
        description=(
            "A small network that makes a move more likely when the game ended better than it "
            "expected. A bonus keeps it curious; without one it plays the same game for ever."
        ),
        options=(
            games_option(None, what="; none is as many as suit the game"),
            INPUTS,
            Option(
                "opponent",
                Kind.CHOICE,
                SELF,
                "whom it trains against: itself, or random moves",
                choices=(SELF, "random"),
            ),
            Option(
                "entropy",
                Kind.NUMBER,
                0.1,
                "bonus for being undecided: it keeps trying other moves; with 0 it collapses",
                low=0.0,
                high=10.0,
            ),
            rate_option(1e-3),
            openings_option(0.0),
            hidden_option(),
            SEARCH,
        ),
        refuses=refuses_large,
        ships=weights_only,
    )
