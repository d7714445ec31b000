"""An evolution strategy for figures that are noisy: one parent, children about it, and a step.

(μ/μ, λ) with weighted recombination and a step size that adapts to the path of the steps:
Hansen and Ostermeier, "Completely derandomized self-adaptation in evolution strategies", 2001.
The children come in pairs on opposite sides of the parent, so that luck cancels out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Chromosome = NDArray[np.float64]  # [gene]
DIGITS = (
    9  # kept of every figure, so that the last bits of another machine's algebra change nothing
)


@dataclass(frozen=True, eq=False)
class Lineage:
    """Where the evolution stands: the parent, how far children stray, where it has been going."""

    parent: Chromosome
    sigma: float
    path: Chromosome  # an even mean of the last steps, of the length of a random walk's

    def bred(
        self, children: int, fitness: Callable[[NDArray[np.float64]], Chromosome], luck: Generator
    ) -> Lineage:
        """The lineage one generation on; fitness([child, gene]) -> [child], more is better."""
        half = luck.standard_normal((children // 2, len(self.parent)))
        strides = np.concatenate((half, -half))
        order = np.argsort(-fitness(self.parent + self.sigma * strides), kind="stable")
        shares = recombination(len(strides) // 2)
        step = shares @ strides[order[: len(shares)]]
        return self._moved(step, 1 / float(shares @ shares))

    def _moved(self, step: Chromosome, parents: float) -> Lineage:
        """`parents` is how many the shares amount to."""
        genes = len(step)
        memory = (parents + 2) / (genes + parents + 5)
        path = (1 - memory) * self.path + np.sqrt(memory * (2 - memory) * parents) * step
        walked = float(np.linalg.norm(path)) / (np.sqrt(genes) * (1 - 1 / (4 * genes)))
        sigma = self.sigma * np.exp(memory / (1 + memory) * (walked - 1))
        parent = self.parent + self.sigma * step
        return Lineage(parent.round(DIGITS), round(float(sigma), DIGITS), path.round(DIGITS))


def recombination(parents: int) -> Chromosome:
    """[rank] -> how much each of the better half gives to the next parent; they sum to 1."""
    shares = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    return np.asarray(shares / shares.sum())
