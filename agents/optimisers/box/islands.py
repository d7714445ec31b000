"""Islands: several populations that breed apart, and now and then send their best to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.compute.rng import Luck
from agents.optimisers.box.genomes import random_genomes
from agents.optimisers.box.variation import breed, fittest
from agents.optimisers.entry import Answers, Arrays, Genomes


@dataclass(frozen=True, slots=True)
class Islands:
    """A ring of islands, each with a population of its own."""

    islands: int
    population: int  # of each island
    every: int  # generations from one exchange to the next
    rate: float
    cuts: int
    selection: int

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(self.islands * self.population, bits, luck)
        bred = [
            breed(
                state["living"][shore],
                state["values"][shore],
                self.population,
                self.selection,
                self.cuts,
                self.rate,
                bits,
                luck,
            )
            for shore in self._shores()
        ]
        return np.concatenate(bred)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        generation = int(state["generation"]) + 1 if state else 0
        # A batch that was cut short ends the run: islands that got no answer stay as they were.
        living = state["living"].copy() if state else asked.copy()
        values = state["values"].copy() if state else answers.copy()
        for shore in self._shores() if state else ():
            genomes = np.concatenate([living[shore], asked[shore]])
            found = np.concatenate([values[shore], answers[shore]])
            order = fittest(found, self.population)
            living[shore], values[shore] = genomes[order], found[order]
        if state and generation % self.every == 0:
            # Each island is sorted, so its best stands first and its worst last.
            first = np.arange(self.islands) * self.population
            last = np.roll(first, -1) + self.population - 1
            living[last], values[last] = living[first], values[first]
        return {"living": living, "values": values, "generation": np.asarray(generation)}

    def living(self, state: Arrays) -> Genomes:
        return state["living"]

    def _shores(self) -> list[slice]:
        """The places of each island's population."""
        size = self.population
        return [slice(at * size, (at + 1) * size) for at in range(self.islands)]
