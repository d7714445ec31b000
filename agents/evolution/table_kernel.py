"""The genetic algorithm of the move tables: tournaments, one-gene mutation, uniform crossover."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below, random, seed_stream

Genotype = NDArray[np.int16]  # [position] -> which of its moves


@kernel
def breed(
    population: NDArray[np.int16],  # [individual, position]
    fitness: NDArray[np.float64],  # [individual]
    first: NDArray[np.int64],  # pay[first[p]:first[p+1]] belongs to the moves of position p
    pay: NDArray[np.float64],
    children: int,
    rivals: int,
    mutation: float,
    changes: int,
    number: int,
    generations: int,
    seed: int,
) -> None:
    """Every generation adds children, and the fittest of old and young stay.

    The generations are those from this number on.
    """
    luck = np.zeros(1, np.uint64)
    positions = population.shape[1]
    brood = np.empty((children, positions), np.int16)
    brood_fitness = np.empty(children)
    for generation in range(number, number + generations):
        seed_stream(luck, seed, generation)
        for child in range(children):
            one = population[winner(fitness, rivals, luck)]
            if random(luck) < mutation:
                brood[child] = one
                for _ in range(changes):
                    place = below(luck, positions)
                    brood[child, place] = below(luck, first[place + 1] - first[place])
            else:
                other = population[winner(fitness, rivals, luck)]
                for place in range(positions):
                    brood[child, place] = (one if random(luck) < 0.5 else other)[place]
            brood_fitness[child] = worth(brood[child], first, pay)
        survive(population, fitness, brood, brood_fitness)


@kernel
def winner(fitness: NDArray[np.float64], rivals: int, luck: Luck) -> int:
    """The fittest of some drawn at random."""
    best = below(luck, len(fitness))
    for _ in range(rivals - 1):
        rival = below(luck, len(fitness))
        if fitness[rival] > fitness[best]:
            best = rival
    return best


@kernel
def worth(genes: Genotype, first: NDArray[np.int64], pay: NDArray[np.float64]) -> float:
    """What all moves of a genotype are paid."""
    total = 0.0
    for place in range(len(genes)):
        total += pay[first[place] + genes[place]]
    return total


@kernel
def survive(
    population: NDArray[np.int16],
    fitness: NDArray[np.float64],
    brood: NDArray[np.int16],
    brood_fitness: NDArray[np.float64],
) -> None:
    """The best children take the places of the worst of the population, while they are better."""
    young = np.argsort(-brood_fitness)
    old = np.argsort(fitness)
    for rank in range(min(len(young), len(old))):
        child, place = young[rank], old[rank]
        if brood_fitness[child] <= fitness[place]:
            break
        population[place] = brood[child]
        fitness[place] = brood_fitness[child]
