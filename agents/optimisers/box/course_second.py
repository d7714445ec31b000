"""The course's second search: every child is shuffled, and then copies places from a parent.

It wins boxes 1 and 2 because all ones do not mind being shuffled; on a sealed box that is gone.
Published for boxes 1, 2, 5 and 10: 1.0 (1,217 calls), 1.0 (6,302), 0.6 and 0.38 (30,010).
Which parent was not said: the best, or any of those that live.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.arrays.luck import Luck, below
from agents.compute.kernels import kernel
from agents.optimisers.box.genomes import Genome, flip, has, none_of, random_genomes
from agents.optimisers.box.variation import fittest
from agents.optimisers.entry import Answers, Arrays, Genomes

LIVING, CHILDREN, GENERATIONS = 10, 30, 1_000


@kernel
def shuffle(genome: Genome, bits: int, luck: Luck) -> None:
    """Its bits in any order."""
    for last in range(bits - 1, 0, -1):
        other = below(luck, last + 1)
        if has(genome, last) != has(genome, other):
            flip(genome, last)
            flip(genome, other)


@kernel
def copy_places(child: Genome, parent: Genome, many: int, bits: int, luck: Luck) -> None:
    """So many places, whichever they are, become as they are in the parent."""
    for place in range(bits):
        if below(luck, bits - place) < many:
            many -= 1
            if has(child, place) != has(parent, place):
                flip(child, place)


@kernel
def shuffled_children(living: Genomes, many: int, best: bool, bits: int, luck: Luck) -> Genomes:
    children = np.zeros((many, living.shape[1]), np.int64)
    for at in range(many):
        parent = living[0 if best else below(luck, len(living))]
        children[at] = parent
        shuffle(children[at], bits, luck)
        flip(children[at], below(luck, bits))
        copy_places(children[at], parent, below(luck, bits + 1), bits, luck)
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
