"""A genetic algorithm as textbooks have it (Eiben and Smith 2015): parents by tournament, n-point
or uniform crossover, few mutations, the best of parents and children live on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.compute.rng import Luck
from agents.optimisers.box.genomes import random_genomes
from agents.optimisers.box.variation import breed, fittest
from agents.optimisers.entry import Answers, Arrays, Genomes


@dataclass(frozen=True, slots=True)
class Genetic:
    """One population."""

    population: int
    rate: float
    cuts: int
    selection: int

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(self.population, bits, luck)
        return breed(
            state["living"],
            state["values"],
            self.population,
            self.selection,
            self.cuts,
            self.rate,
            bits,
            luck,
        )

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        genomes, values = asked, answers
        if state:
            genomes = np.concatenate([state["living"], asked])
            values = np.concatenate([state["values"], answers])
        order = fittest(values, self.population)
        return {"living": genomes[order], "values": values[order]}

    def living(self, state: Arrays) -> Genomes:
        return state["living"]
