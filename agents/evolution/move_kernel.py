"""The (1+λ) evolution strategy that breeds a single move of Nim."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel


@kernel
def evolve(
    fitness: NDArray[np.int64],  # [heap, count - 1]
    most: NDArray[np.int64],  # [heap] -> counts it may take
    children: int,
    generations: int,
    sigma: float,
    rate: float,
    seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Per heap, the count its individual ends with; its fitness by generation; counts tried.

    An individual is weights over counts, and takes the count that weighs most. A child is its
    parent with Gaussian noise on some weights, and takes its place unless it is less fit.
    """
    np.random.seed(seed)
    heaps, counts = fitness.shape
    course = np.full((generations + 1, heaps), -1)
    chosen = np.full(heaps, -1)
    tried = np.zeros((heaps, counts), np.bool_)
    for heap in range(heaps):
        if most[heap] == 0:
            continue
        parent = np.zeros(most[heap])
        count = np.random.randint(most[heap])
        parent[count] = sigma
        for generation in range(generations + 1):
            tried[heap, count] = True
            course[generation, heap] = fitness[heap, count]
            best, best_count = parent, count
            for _ in range(children if generation < generations else 0):
                child = parent.copy()
                for place in range(most[heap]):
                    if np.random.random() < rate:
                        child[place] += np.random.normal(0.0, sigma)
                its_count = np.argmax(child)
                tried[heap, its_count] = True
                if fitness[heap, its_count] >= fitness[heap, best_count]:
                    best, best_count = child, its_count
            parent, count = best, best_count
        chosen[heap] = count
    return chosen, course, tried
