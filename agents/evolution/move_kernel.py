"""The (1+λ) evolution strategy that breeds one move of Nim, as kernels."""

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
    drawn: bool,
    alone: bool,
    seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64]]:
    """(count chosen by heap, fitness by generation and heap, counts tried, weights by heap).

    An individual is weights over counts; it takes the count of the largest weight, or draws one by
    weight. A child is its parent with Gaussian noise on some weights, and replaces it unless it is
    less fit. If `alone`, only the fittest of the first individuals has children.
    """
    np.random.seed(seed)
    heaps, counts = fitness.shape
    course = np.full((generations + 1, heaps), -1)
    chosen = np.full(heaps, -1)
    tried = np.zeros((heaps, counts), np.bool_)
    weights = np.zeros((heaps, counts))
    fittest = -1
    for heap in range(heaps):
        if most[heap] == 0:
            continue
        if drawn:
            weights[heap, : most[heap]] = np.random.random(most[heap])
            chosen[heap] = draw_count(weights[heap, : most[heap]])
        else:
            chosen[heap] = np.random.randint(most[heap])
            weights[heap, chosen[heap]] = sigma
        tried[heap, chosen[heap]] = True
        course[0, heap] = fitness[heap, chosen[heap]]
        if fittest < 0 or course[0, heap] > course[0, fittest]:
            fittest = heap
        if not alone:
            descend(
                heap, fitness, most[heap], children, sigma, rate, drawn,
                chosen, course, tried, weights,
            )  # fmt: skip
    if alone:
        descend(
            fittest, fitness, most[fittest], children, sigma, rate, drawn,
            chosen, course, tried, weights,
        )  # fmt: skip
        line = chosen[fittest]
        chosen[:] = -1
        chosen[fittest] = line
    return chosen, course, tried, weights


@kernel
def descend(
    heap: int,
    fitness: NDArray[np.int64],
    most: int,
    children: int,
    sigma: float,
    rate: float,
    drawn: bool,
    chosen: NDArray[np.int64],
    course: NDArray[np.int64],
    tried: NDArray[np.bool_],
    weights: NDArray[np.float64],
) -> None:
    """All generations of one heap's individual; writes its row of the last four arrays."""
    parent, count = weights[heap, :most].copy(), chosen[heap]
    for generation in range(len(course)):
        course[generation, heap] = fitness[heap, count]
        best, best_count = parent, count
        for _ in range(children if generation < len(course) - 1 else 0):
            child = parent.copy()
            for place in range(most):
                if np.random.random() < rate:
                    child[place] += np.random.normal(0.0, sigma)
            its_count = draw_count(child) if drawn else np.argmax(child)
            tried[heap, its_count] = True
            if fitness[heap, its_count] >= fitness[heap, best_count]:
                best, best_count = child, its_count
        parent, count = best, best_count
    chosen[heap] = count
    weights[heap, :most] = parent


@kernel
def draw_count(weights: NDArray[np.float64]) -> int:
    """A random count - 1, its chance proportional to its weight; one below 0 counts as 0."""
    total = 0.0
    for weight in weights:
        total += max(weight, 0.0)
    left = np.random.random() * total
    last = 0
    for count in range(len(weights)):
        if weights[count] > 0.0:
            last = count
            left -= weights[count]
            if left < 0.0:
                return count
    return last
