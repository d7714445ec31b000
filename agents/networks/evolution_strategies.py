"""Two evolution strategies for the weights of a network, as kernels: (μ+λ) and CMA-ES.

CMA-ES in the form of Beyer and Sendhoff ("Simplify your covariance matrix adaptation evolution
strategy", 2017): a matrix is adapted that turns normal numbers into steps, so that no
eigenvectors are needed and the same numbers come out on every machine.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, normal

Genes = NDArray[np.float64]


class Parents(NamedTuple):
    """The parents of (μ+λ), the fittest first once they have been compared."""

    genes: NDArray[np.float64]  # [parent, gene]
    sigma: NDArray[np.float64]  # [parent] -> size of its children's steps


class Distribution(NamedTuple):
    """What CMA-ES draws from."""

    mean: Genes
    path: Genes  # of recent steps, as normal numbers
    matrix: NDArray[np.float64]  # [gene, gene] -> normal numbers to steps
    sigma: NDArray[np.float64]  # [1]


class Weighting(NamedTuple):
    """The constants of CMA-ES for a number of genes and children."""

    share: NDArray[np.float64]  # [rank] -> weight of a parent
    effective: float  # parents
    path: float  # rates
    one: float
    rank: float
    damping: float
    length: float  # expected, of a normal vector


def weighting(genes: int, children: int) -> Weighting:
    """As Beyer and Sendhoff give them."""
    ranks = np.arange(1, children // 2 + 1)
    raw = log(children / 2 + 0.5) - np.log(ranks)
    share = raw / raw.sum()
    effective = 1 / float((share**2).sum())
    path = (effective + 2) / (genes + effective + 5)
    one = 2 / ((genes + 1.3) ** 2 + effective)
    rank = min(1 - one, 2 * (effective + 1 / effective - 2) / ((genes + 2) ** 2 + effective))
    damping = 1 + path + 2 * max(0.0, sqrt((effective - 1) / (genes + 1)) - 1)
    length = sqrt(genes) * (1 - 1 / (4 * genes) + 1 / (21 * genes**2))
    return Weighting(share, effective, path, one, rank, damping, length)


@kernel
def mutated(parents: Parents, child: int, genes: Genes, rng: Stream) -> float:
    """Write a child of one of the parents in turn; returns its own step size (Schwefel 1981)."""
    parent = child % len(parents.genes)
    count = len(genes)
    sigma = parents.sigma[parent] * exp(normal(rng) / sqrt(2.0 * sqrt(float(count))))
    for gene in range(count):
        genes[gene] = parents.genes[parent, gene] + sigma * normal(rng)
    return float(sigma)


@kernel
def drawn(distribution: Distribution, normals: Genes, step: Genes, rng: Stream) -> None:
    """Draw normal numbers and the step that the matrix makes of them."""
    count = len(normals)
    for gene in range(count):
        normals[gene] = normal(rng)
    for row in range(count):
        total = 0.0
        for gene in range(count):
            total += distribution.matrix[row, gene] * normals[gene]
        step[row] = total


@kernel
def adapt(
    distribution: Distribution,
    weights: Weighting,
    ranked: NDArray[np.int64],
    normals: NDArray[np.float64],
    steps: NDArray[np.float64],
) -> None:
    """Move the mean, the path, the matrix and sigma by the fittest children, best first."""
    count = len(distribution.mean)
    parents = len(weights.share)
    mean_normal = np.zeros(count)
    for rank in range(parents):
        child = ranked[rank]
        for gene in range(count):
            mean_normal[gene] += weights.share[rank] * normals[child, gene]
            distribution.mean[gene] += (
                distribution.sigma[0] * weights.share[rank] * steps[child, gene]
            )
    fresh = sqrt(weights.path * (2 - weights.path) * weights.effective)
    square = 0.0
    for gene in range(count):
        distribution.path[gene] = (1 - weights.path) * distribution.path[gene] + (
            fresh * mean_normal[gene]
        )
        square += distribution.path[gene] ** 2
    path_step = np.zeros(count)
    for row in range(count):
        for gene in range(count):
            path_step[row] += distribution.matrix[row, gene] * distribution.path[gene]
    keep = 1 - weights.one / 2 - weights.rank / 2
    for row in range(count):
        for gene in range(count):
            added = weights.one / 2 * path_step[row] * distribution.path[gene]
            for rank in range(parents):
                child = ranked[rank]
                added += (
                    weights.rank / 2 * weights.share[rank] * steps[child, row]
                    * normals[child, gene]
                )  # fmt: skip
            distribution.matrix[row, gene] = keep * distribution.matrix[row, gene] + added
    distribution.sigma[0] *= exp(
        weights.path / weights.damping * (sqrt(square) / weights.length - 1)
    )
