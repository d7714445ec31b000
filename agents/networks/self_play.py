"""Self-play and training: the kernel that plays games, keeps their positions and learns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner, kernel
from agents.compute.rng import Stream, below, new_stream, random, seed_stream
from agents.networks.gradient import Learning, evaluate_row, keep_row, step
from agents.networks.gumbel import gumbel_search
from agents.networks.layers import Vector, softmax
from agents.networks.rules import (
    OPEN,
    Rules,
    active_inputs,
    is_legal,
    played,
    result_of,
)
from agents.networks.tree_search import (
    ROOT,
    Tree,
    begin,
    forget,
    is_drawn,
    key_of,
    new_tree,
    score_of,
)

BATCH = 256
OPENING_CHANCE = 0.8  # of a game that begins with random plies
MAX_OPENING = 8  # plies
RESULT_SHARE = 0.75  # of a position's target, beside the search's value
GRAIN = 255.0  # policies are kept in as many steps
POSITIONS, UPDATES = 0, 1  # in `Memory.counts`


class Memory(NamedTuple):
    """The positions learned from, the oldest overwritten first, and how many there have been."""

    own: NDArray[np.int64]
    other: NDArray[np.int64]
    policy: NDArray[np.uint8]  # [position, move] -> chance in steps of 1 / GRAIN
    target: Vector  # value
    counts: NDArray[np.int64]  # positions, updates


class Settings(NamedTuple):
    """How it plays and learns."""

    simulations: int
    considered: int  # moves at the root
    reuse: float  # how often a position is learned from
    rate: float
    half: float  # updates after which the rate has halved


def new_memory(size: int, moves: int) -> Memory:
    return Memory(
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros((size, moves), np.uint8),
        np.zeros(size, np.float32),
        np.zeros(2, np.int64),
    )


def learn(
    first: int,
    games: int,
    seed: int,
    settings: Settings,
    rules: Rules,
    learning: Learning,
    memory: Memory,
) -> None:
    """Play and learn from the games from number `first` on."""
    moves = len(rules.moves)
    tree = new_tree(settings.simulations, moves, rules.plies)
    plies = np.zeros((rules.plies + 1, 2), np.int64)
    learn_games(
        first,
        games,
        seed,
        new_stream(),
        settings,
        rules,
        learning,
        memory,
        tree,
        plies,
        np.zeros((rules.plies + 1, moves), np.float32),
        np.zeros(rules.plies + 1, np.float64),
    )


@kernel
def learn_games(
    first: int,
    games: int,
    seed: int,
    rng: Stream,
    settings: Settings,
    rules: Rules,
    learning: Learning,
    memory: Memory,
    tree: Tree,
    positions: NDArray[np.int64],
    targets: NDArray[np.float32],
    values: NDArray[np.float64],
) -> None:
    """Play each game, keep its positions, then make as many updates as they allow."""
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        play_game(rng, settings, rules, learning, memory, tree, positions, targets, values)
        while (memory.counts[UPDATES] + 1) * BATCH <= memory.counts[POSITIONS] * settings.reuse:
            memory.counts[UPDATES] += 1
            update(rng, settings, rules, learning, memory)
            forget(tree)


@kernel
def play_game(
    rng: Stream,
    settings: Settings,
    rules: Rules,
    learning: Learning,
    memory: Memory,
    tree: Tree,
    positions: NDArray[np.int64],
    targets: NDArray[np.float32],
    values: NDArray[np.float64],
) -> None:
    """One game of the network with itself; what it searched is kept.

    values[ply] is the search's, or 1, 0 or -1 plus 10 where that is proven.
    """
    moves = len(rules.moves)
    noise, standing, ranked = np.zeros(moves), np.zeros(moves), np.zeros(moves, np.int32)
    own, other, ply = rules.start, 0, 0
    opening = opening_plies(OPENING_CHANCE, rng)
    searched_from = -1
    while result_of(own, other, rules) == OPEN and not is_drawn(own, other, ply, rules, tree):
        tree.keys[ply] = key_of(own, other)
        positions[ply, 0], positions[ply, 1] = own, other
        if ply < opening:
            move = random_move(own, other, rng, rules)
        else:
            if searched_from < 0:
                searched_from = ply
            begin(own, other, ply, rules, learning.weights, learning.layers, tree)
            child = gumbel_search(
                settings.simulations,
                settings.considered,
                ply,
                rng,
                rules,
                learning.weights,
                learning.layers,
                tree,
                noise,
                standing,
                ranked,
                targets[ply],
            )
            values[ply] = tree.total[ROOT] / tree.visits[ROOT]
            if tree.proven[ROOT] != OPEN:
                values[ply] = 10.0 + score_of(tree.proven[ROOT])
            move = int(tree.move[child])
        own, other = played(own, other, move, rules)
        ply += 1
    if searched_from < 0:
        return
    result = result_of(own, other, rules)
    score = 0.0 if result == OPEN else score_of(result)  # for the side to move at the end
    for at in range(ply - 1, searched_from - 1, -1):
        score = -score
        keep(at, score, positions, targets, values, memory)


@inlined
def opening_plies(chance: float, rng: Stream) -> int:
    """How many random plies a game begins with: with this chance 1 to MAX_OPENING."""
    return 1 + below(rng, MAX_OPENING) if random(rng) < chance else 0


@inner
def random_move(own: int, other: int, rng: Stream, rules: Rules) -> int:
    """Any legal move."""
    while True:
        move = below(rng, len(rules.moves))
        if is_legal(own, other, move, rules):
            return move


@inner
def keep(
    at: int,
    score: float,
    positions: NDArray[np.int64],
    targets: NDArray[np.float32],
    values: NDArray[np.float64],
    memory: Memory,
) -> None:
    """Write a position into the memory, over the oldest."""
    place = memory.counts[POSITIONS] % len(memory.own)
    memory.counts[POSITIONS] += 1
    memory.own[place], memory.other[place] = positions[at, 0], positions[at, 1]
    for move in range(memory.policy.shape[1]):
        memory.policy[place, move] = np.uint8(GRAIN * targets[at, move] + 0.5)
    target = RESULT_SHARE * score + (1 - RESULT_SHARE) * values[at]
    if values[at] > 5.0:
        target = values[at] - 10.0
    memory.target[place] = target


@inlined
def look(
    own: int, other: int, turn: int, rules: Rules, learning: Learning, legal: NDArray[np.bool_]
) -> tuple[int, float]:
    """Evaluate a position in a symmetry: (row of the batch, value); writes what is legal."""
    row, active = learning.batch.used[0], learning.batch.active[learning.batch.used[0]]
    for move in range(len(rules.moves)):
        legal[rules.turned_moves[turn, move]] = is_legal(own, other, move, rules)
    count = active_inputs(own, other, rules, active)
    for at in range(count):
        active[at] = rules.turned_inputs[turn, active[at]]
    learning.batch.inputs[row] = count
    return row, evaluate_row(row, learning)


@kernel
def update(
    rng: Stream, settings: Settings, rules: Rules, learning: Learning, memory: Memory
) -> None:
    """One step of Adam on a batch of remembered positions, each in a random symmetry."""
    moves = len(rules.moves)
    legal, target = np.zeros(moves, np.bool_), np.zeros(moves, np.float32)
    held = min(memory.counts[POSITIONS], len(memory.own))
    for _ in range(BATCH):
        place = below(rng, held)
        turn = below(rng, len(rules.turned_moves))
        row, value = look(memory.own[place], memory.other[place], turn, rules, learning, legal)
        total = np.float32(0.0)
        for move in range(moves):
            share = np.float32(memory.policy[place, move])
            target[rules.turned_moves[turn, move]] = share
            total += share
        error = learning.batch.error[row]
        softmax(learning.batch.logits[row], legal, error)
        for move in range(moves):
            wrong = error[move] - target[move] / total
            error[move] = wrong / BATCH if legal[move] else 0.0
        off = value - memory.target[place]
        keep_row(2 * off * (1 - value * value) / BATCH, learning)
    number = memory.counts[UPDATES]
    step(number, settings.rate / (1 + number / settings.half), learning)
