"""The tournament of the rule genomes: every pair plays twice, and the better half has children."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below, random, seed_stream

ODD, FIRST, ALL = 0, 1, 2  # the genes


@kernel
def breed(
    population: NDArray[np.float64],  # [individual, gene], best first when it returns
    heaps: NDArray[np.int64],
    most: int,
    last_loses: bool,
    mutation: float,
    first: int,
    generations: int,
    seed: int,
) -> NDArray[np.float64]:
    """Evolve the generations from number `first` on.

    Returns the share of its games each individual won last.
    """
    luck = np.zeros(1, np.uint64)
    size = len(population)
    wins = np.zeros(size)
    for generation in range(first, first + generations):
        seed_stream(luck, seed, generation)
        for child in range(size // 2, size):
            one, other = below(luck, size // 2), below(luck, size // 2)
            for gene in range(3):
                parent = one if random(luck) < 0.5 else other
                population[child, gene] = population[parent, gene]
                if random(luck) < mutation:
                    population[child, gene] = random(luck)
        wins = tournament(population, heaps, most, last_loses, luck)
        order = np.argsort(-wins, kind="mergesort")
        population[:] = population[order]
        wins = wins[order]
    return wins / (2 * (size - 1))


@kernel
def tournament(
    population: NDArray[np.float64],
    heaps: NDArray[np.int64],
    most: int,
    last_loses: bool,
    luck: Luck,
) -> NDArray[np.float64]:
    """Every pair plays twice, each beginning once; returns games won by individual."""
    wins = np.zeros(len(population))
    for one in range(len(population)):
        for other in range(len(population)):
            if one != other:
                begun = play(population[one], population[other], heaps, most, last_loses, luck)
                wins[one if begun else other] += 1
    return wins


@kernel
def play(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    heaps: NDArray[np.int64],
    most: int,
    last_loses: bool,
    luck: Luck,
) -> bool:
    """One game; whether the first to move won."""
    left = heaps.copy()
    first_moves = True
    while True:
        genome = first if first_moves else second
        heap = pick(genome, left, luck)
        left[heap] -= min(left[heap], most) if random(luck) < genome[ALL] else 1
        if left.sum() == 0:
            return first_moves != last_loses
        first_moves = not first_moves


@kernel
def pick(genome: NDArray[np.float64], heaps: NDArray[np.int64], luck: Luck) -> int:
    """The heap to play on: the first odd one where many are odd, else the first or the last."""
    odd = 0
    first_odd, first, last = -1, -1, -1
    for heap in range(len(heaps)):
        if heaps[heap] % 2:
            odd += 1
            first_odd = heap if first_odd < 0 else first_odd
        if heaps[heap]:
            first = heap if first < 0 else first
            last = heap
    if odd / len(heaps) > genome[ODD]:
        return first_odd
    return first if random(luck) < genome[FIRST] else last
