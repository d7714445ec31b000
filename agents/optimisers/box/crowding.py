"""Diversity kept by distance: a child takes the place only of the one it differs least from
(restricted tournament selection, Harik 1995)."""

from __future__ import annotations

from dataclasses import dataclass

from agents.compute.kernels import kernel
from agents.compute.rng import Luck
from agents.optimisers.box.genomes import distance, random_genomes
from agents.optimisers.box.variation import FROM_ALL, breed
from agents.optimisers.entry import Answers, Arrays, Genomes


@kernel
def settle(living: Genomes, values: Answers, asked: Genomes, answers: Answers) -> None:
    """Let each child replace its nearest, if it is as good at least."""
    for child in range(len(asked)):
        nearest, least = 0, distance(living[0], asked[child])
        for other in range(1, len(living)):
            apart = distance(living[other], asked[child])
            if apart < least:
                nearest, least = other, apart
        if answers[child] >= values[nearest]:
            living[nearest], values[nearest] = asked[child], answers[child]


@dataclass(frozen=True, slots=True)
class Crowding:
    """One population in which nobody gives way but to someone much like them."""

    population: int
    rate: float
    cuts: int

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(self.population, bits, luck)
        living, values = state["living"], state["values"]
        return breed(living, values, self.population, FROM_ALL, self.cuts, self.rate, bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        if not state:
            return {"living": asked, "values": answers}
        living, values = state["living"].copy(), state["values"].copy()
        settle(living, values, asked, answers)
        return {"living": living, "values": values}

    def living(self, state: Arrays) -> Genomes:
        return state["living"]
