"""The course's first search: ten individuals, of whom the worst five are replaced each generation.

Published for boxes 1, 2, 5 and 10: 97.1, 47.6, 19.3 and 29.0 % in 84,305, 18,050, 11,900 and
28,450 calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below
from agents.optimisers.black_box.genomes import Genome, has, none_of, random_genomes
from agents.optimisers.black_box.variation import breed, fittest
from agents.optimisers.entry import Answers, Arrays, Genomes

FIRST_POPULATION, FIRST_CHILDREN = 10, 5
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
            return random_genomes(FIRST_POPULATION, bits, luck)
        if state["idle"] >= PATIENCE:
            return none_of(bits)
        best = slice(FIRST_POPULATION - FIRST_CHILDREN)
        return breed(
            state["living"][best],
            state["values"][best],
            FIRST_CHILDREN,
            self.selection,
            self.cuts,
            self.rate,
            bits,
            luck,
        )

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        genomes, values = asked, answers
        if state:
            kept = FIRST_POPULATION - FIRST_CHILDREN
            genomes = np.concatenate([state["living"][:kept], asked])
            values = np.concatenate([state["values"][:kept], answers])
        order = fittest(values, FIRST_POPULATION)
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


SECOND_POPULATION, SECOND_CHILDREN, GENERATIONS = 10, 30, 1_000

Places = NDArray[np.uint8]  # [place] -> 0 or 1


@kernel
def spread_out(genome: Genome, places: Places) -> None:
    """A byte for each place."""
    for place in range(len(places)):
        places[place] = has(genome, place)


@kernel
def gathered(places: Places, genome: Genome) -> None:
    """The same back into words, which are nought before."""
    for place in range(len(places)):
        genome[place >> 6] |= np.int64(places[place]) << (63 - (place & 63))


@kernel
def shuffle(places: Places, luck: Luck) -> None:
    for last in range(len(places) - 1, 0, -1):
        other = below(luck, last + 1)
        places[last], places[other] = places[other], places[last]


@kernel
def copy_places(child: Places, parent: Places, many: int, luck: Luck) -> None:
    """So many places, whichever they are, become as they are in the parent."""
    for place in range(len(child)):
        if below(luck, len(child) - place) < many:
            many -= 1
            child[place] = parent[place]


@kernel
def shuffled_children(living: Genomes, many: int, best: bool, bits: int, luck: Luck) -> Genomes:
    children = np.zeros((many, living.shape[1]), np.int64)
    parent, child = np.zeros(bits, np.uint8), np.zeros(bits, np.uint8)
    for at in range(many):
        spread_out(living[0 if best else below(luck, len(living))], parent)
        child[:] = parent
        shuffle(child, luck)
        child[below(luck, bits)] ^= 1
        copy_places(child, parent, below(luck, bits + 1), luck)
        gathered(child, children[at])
    return children


@dataclass(frozen=True, slots=True)
class CourseSecond:
    """Thirty children a generation, of whom and of the living ten the best ten live on."""

    best: bool  # whether the best is everyone's parent

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(SECOND_POPULATION, bits, luck)
        if state["generation"] >= GENERATIONS:
            return none_of(bits)
        return shuffled_children(state["living"], SECOND_CHILDREN, self.best, bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        genomes, values = asked, answers
        if state:
            genomes = np.concatenate([state["living"], asked])
            values = np.concatenate([state["values"], answers])
        order = fittest(values, SECOND_POPULATION)
        generation = state["generation"] + 1 if state else 0
        return {
            "living": genomes[order],
            "values": values[order],
            "generation": np.asarray(generation),
        }

    def living(self, state: Arrays) -> Genomes:
        return state["living"]
