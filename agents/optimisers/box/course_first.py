"""The course's first search: ten individuals, of whom the worst five are replaced each generation.

Published for boxes 1, 2, 5 and 10: 97.1, 47.6, 19.3 and 29.0 % in 84,305, 18,050, 11,900 and
28,450 calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from agents.compute.rng import Luck
from agents.optimisers.box.genomes import none_of, random_genomes
from agents.optimisers.box.variation import breed, fittest
from agents.optimisers.entry import Answers, Arrays, Genomes

LIVING, CHILDREN = 10, 5
PATIENCE = 2_000  # generations without a gain
GAIN = 0.001  # 0.1 points
SLACK = 1e-9  # what a float may lack of that


def flip_chance(sigma: float) -> float:
    """The chance that a bit and a normal number, rounded, mod 2, are the other bit."""
    if sigma == 0:
        return 0.0
    noise = NormalDist(0, sigma)
    odd = range(1, 1 + 2 * int(3 * sigma + 3), 2)
    return 2 * sum(noise.cdf(number + 0.5) - noise.cdf(number - 0.5) for number in odd)


@dataclass(frozen=True, slots=True)
class CourseFirst:
    """Parents come from the best five, children by crossover and Gaussian mutation."""

    rate: float
    cuts: int
    selection: int

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(LIVING, bits, luck)
        if state["idle"] >= PATIENCE:
            return none_of(bits)
        best = slice(LIVING - CHILDREN)
        return breed(
            state["living"][best],
            state["values"][best],
            CHILDREN,
            self.selection,
            self.cuts,
            self.rate,
            bits,
            luck,
        )

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        genomes, values = asked, answers
        if state:
            kept = LIVING - CHILDREN
            genomes = np.concatenate([state["living"][:kept], asked])
            values = np.concatenate([state["values"][:kept], answers])
        order = fittest(values, LIVING)
        top = values[order[0]]
        mark = state["mark"] if state else top
        gained = top >= mark + GAIN - SLACK
        return {
            "living": genomes[order],
            "values": values[order],
            "mark": np.asarray(top if gained else mark),
            "idle": np.asarray(0 if gained or not state else state["idle"] + 1),
        }

    def living(self, state: Arrays) -> Genomes:
        return state["living"]
