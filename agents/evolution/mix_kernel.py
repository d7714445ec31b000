"""Evolving a mixture of three players by the games it wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below, draw, normal, random, seed_stream
from agents.tabular.graph import Edges


@kernel
def breed(
    board: Edges,
    players: NDArray[np.float64],  # [player, edge] -> running totals of its chances
    rival: NDArray[np.float64],  # [edge], the same of the opponent
    population: NDArray[np.float64],  # [individual, player], best first when it returns
    parents: int,
    games: int,
    sigma: float,
    first: int,
    generations: int,
    seed: int,
) -> NDArray[np.float64]:
    """A (μ+λ) evolution strategy; returns the share of games each individual won last.

    The generations are those from number `first` on. Everyone plays anew in each of them, parents
    too: one lucky evening does not last.
    """
    luck = np.zeros(1, np.uint64)
    wins = np.zeros(len(population))
    for generation in range(first, first + generations):
        seed_stream(luck, seed, generation)
        for child in range(parents, len(population)):
            parent = population[below(luck, parents)]
            for player in range(len(players)):
                noise = sigma * normal(luck)
                population[child, player] = max(0.0, parent[player] + noise)
            population[child] /= max(population[child].sum(), 1e-9)
        for at in range(len(population)):
            wins[at] = won(board, players, rival, population[at], games, luck)
        order = np.argsort(-wins, kind="mergesort")
        population[:] = population[order]
        wins = wins[order]
    return wins / games


@kernel
def won(
    board: Edges,
    players: NDArray[np.float64],
    rival: NDArray[np.float64],
    mixture: NDArray[np.float64],
    games: int,
    luck: Luck,
) -> int:
    """How many of the games the mixture wins, beginning every other one."""
    wins = 0
    for game in range(games):
        state = plies = 0
        while not board.over[state]:
            if plies % 2 == game % 2:
                state = board.after[draw(board, players[who(mixture, luck)], state, luck)]
            else:
                state = board.after[draw(board, rival, state, luck)]
            plies += 1
        own = 1 if plies % 2 == game % 2 else -1  # whether it would be to move now
        wins += own * board.outcome[state] > 0
    return wins


@kernel
def who(mixture: NDArray[np.float64], luck: Luck) -> int:
    """The player whose turn it is, drawn by the mixture."""
    chance = random(luck)
    player = 0
    while player < len(mixture) - 1 and chance >= mixture[player]:
        chance -= mixture[player]
        player += 1
    return player
