"""Evolving a mixture of three players by the games it wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.arrays.graph import Edges
from agents.compute.kernels import kernel


@kernel
def breed(
    board: Edges,
    players: NDArray[np.float64],  # [player, edge] -> running totals of its chances
    rival: NDArray[np.float64],  # [edge], the same of the opponent
    population: NDArray[np.float64],  # [individual, player], best first when it returns
    parents: int,
    games: int,
    sigma: float,
    generations: int,
    seed: int,
) -> NDArray[np.float64]:
    """A (μ+λ) evolution strategy; returns the share of games each individual won last.

    Everyone plays anew in every generation, parents too: one lucky evening does not last.
    """
    np.random.seed(seed)
    wins = np.zeros(len(population))
    for _ in range(generations):
        for child in range(parents, len(population)):
            parent = population[np.random.randint(parents)]
            for player in range(len(players)):
                noise = np.random.normal(0.0, sigma)
                population[child, player] = max(0.0, parent[player] + noise)
            population[child] /= max(population[child].sum(), 1e-9)
        for at in range(len(population)):
            wins[at] = won(board, players, rival, population[at], games)
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
) -> int:
    """How many of the games the mixture wins, beginning every other one."""
    wins = 0
    for game in range(games):
        state = plies = 0
        while not board.over[state]:
            if plies % 2 == game % 2:
                state = board.after[draw(board, players[who(mixture)], state)]
            else:
                state = board.after[draw(board, rival, state)]
            plies += 1
        own = 1 if plies % 2 == game % 2 else -1  # whether it would be to move now
        wins += own * board.outcome[state] > 0
    return wins


@kernel
def who(mixture: NDArray[np.float64]) -> int:
    """The player whose turn it is, drawn by the mixture."""
    luck = np.random.random()
    player = 0
    while player < len(mixture) - 1 and luck >= mixture[player]:
        luck -= mixture[player]
        player += 1
    return player


@kernel
def draw(board: Edges, odds: NDArray[np.float64], state: int) -> int:
    """The first edge whose odds exceed a random number."""
    edge = board.first[state]
    luck = np.random.random()
    while odds[edge] <= luck:
        edge += 1
    return int(edge)
