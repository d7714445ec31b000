"""The course's second search: every child is shuffled, and then copies places from a parent.

It wins boxes 1 and 2 because all ones do not mind being shuffled; on a sealed box that is gone.
Published for boxes 1, 2, 5 and 10: 1.0 (1,217 calls), 1.0 (6,302), 0.6 and 0.38 (30,010).
Which parent was not said: the best, or any of those that live.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below
from agents.optimisers.box.genomes import Genome, has, none_of, random_genomes
from agents.optimisers.box.variation import fittest
from agents.optimisers.entry import Answers, Arrays, Genomes

LIVING, CHILDREN, GENERATIONS = 10, 30, 1_000

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
            return random_genomes(LIVING, bits, luck)
        if state["generation"] >= GENERATIONS:
            return none_of(bits)
        return shuffled_children(state["living"], CHILDREN, self.best, bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        genomes, values = asked, answers
        if state:
            genomes = np.concatenate([state["living"], asked])
            values = np.concatenate([state["values"], answers])
        order = fittest(values, LIVING)
        generation = state["generation"] + 1 if state else 0
        return {
            "living": genomes[order],
            "values": values[order],
            "generation": np.asarray(generation),
        }

    def living(self, state: Arrays) -> Genomes:
        return state["living"]
