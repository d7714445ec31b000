"""Genetic algorithms (Eiben and Smith 2015): parents by tournament, n-point or uniform crossover,
mutation; the best of parents and children survive. One population, one with crowding, islands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.compute.kernels import kernel
from agents.compute.rng import Stream
from agents.optimisers.black_box.genomes import distance, random_genomes
from agents.optimisers.black_box.variation import (
    CROSSOVER,
    FROM_ALL,
    MUTATION,
    POINTS,
    SELECTION,
    breed,
    cuts_in,
    fittest,
    selection_in,
    survivors,
)
from agents.optimisers.entry import Answers, Arrays, Genomes, box_search
from engine.options import Kind, Option, Values


@dataclass(frozen=True, slots=True)
class Genetic:
    """One population."""

    population: int
    rate: float
    cuts: int
    selection: int

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(self.population, bits, rng)
        return self._bred(state["living"], state["values"], bits, rng)

    def _bred(self, living: Genomes, values: Answers, bits: int, rng: Stream) -> Genomes:
        size, selection = self.population, self.selection
        return breed(living, values, size, selection, self.cuts, self.rate, bits, rng)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        return survivors(state, asked, answers, self.population)

    def living(self, state: Arrays) -> Genomes:
        return state["living"]


@dataclass(frozen=True, slots=True)
class Crowding(Genetic):
    """One population in which a child can only replace the individual nearest to it."""

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        if not state:
            return {"living": asked, "values": answers}
        living, values = state["living"].copy(), state["values"].copy()
        replace_nearest(living, values, asked, answers)
        return {"living": living, "values": values}


@kernel
def replace_nearest(living: Genomes, values: Answers, asked: Genomes, answers: Answers) -> None:
    """Let each child replace its nearest individual, if it is at least as good."""
    for child in range(len(asked)):
        nearest, least = 0, distance(living[0], asked[child])
        for other in range(1, len(living)):
            apart = distance(living[other], asked[child])
            if apart < least:
                nearest, least = other, apart
        if answers[child] >= values[nearest]:
            living[nearest], values[nearest] = asked[child], answers[child]


@dataclass(frozen=True, slots=True)
class Islands(Genetic):
    """Several populations in a ring, each of which sends its best to the next now and then."""

    islands: int
    every: int  # generations between migrations

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(self.islands * self.population, bits, rng)
        living, values = state["living"], state["values"]
        bred = [self._bred(living[each], values[each], bits, rng) for each in self._slices()]
        return np.concatenate(bred)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        generation = int(state["generation"]) + 1 if state else 0
        # A batch that was cut short ends the run: islands that got no answer stay as they were.
        living = state["living"].copy() if state else asked.copy()
        values = state["values"].copy() if state else answers.copy()
        for island in self._slices() if state else ():
            genomes = np.concatenate([living[island], asked[island]])
            found = np.concatenate([values[island], answers[island]])
            order = fittest(found, self.population)
            living[island], values[island] = genomes[order], found[order]
        if state and generation % self.every == 0:
            # Each island is sorted: its best comes first, its worst last.
            first = np.arange(self.islands) * self.population
            last = np.roll(first, -1) + self.population - 1
            living[last], values[last] = living[first], values[first]
        return {"living": living, "values": values, "generation": np.asarray(generation)}

    def _slices(self) -> list[slice]:
        """The part of the arrays that is each island's."""
        size = self.population
        return [slice(at * size, (at + 1) * size) for at in range(self.islands)]


def _population(default: int, what: str) -> Option:
    return Option("population", Kind.INTEGER, default, what, low=2, high=1_000)


def _breeding(options: Values) -> tuple[int, float, int]:
    """(population, rate, cuts)."""
    return options.integer("population"), options.number("mutation"), cuts_in(options)


def _islands(options: Values) -> Islands:
    numbers = options.integer("islands"), options.integer("every")
    return Islands(*_breeding(options), selection_in(options), *numbers)


ENTRIES = (
    box_search(
        key="genetic",
        title="Genetic algorithm",
        order=5,
        description=(
            "Crosses the best of a population and mutates their children a little. "
            "The best of parents and children live on."
        ),
        options=(
            _population(50, "who live, and how many children a generation has"),
            MUTATION,
            CROSSOVER,
            POINTS,
            SELECTION,
        ),
        make=lambda options: Genetic(*_breeding(options), selection_in(options)),
    ),
    box_search(
        key="islands",
        title="Islands",
        order=6,
        description=(
            "Several populations that breed apart. "
            "Now and then the best of each goes over to the next."
        ),
        options=(
            Option("islands", Kind.INTEGER, 5, "how many there are", low=2, high=50),
            _population(20, "of each island"),
            Option(
                "every",
                Kind.INTEGER,
                25,
                "generations from one exchange to the next",
                low=1,
                high=10_000,
            ),
            MUTATION,
            CROSSOVER,
            POINTS,
            SELECTION,
        ),
        make=_islands,
    ),
    box_search(
        key="crowding",
        title="Kept apart",
        order=7,
        description=(
            "A child can replace only the one that is most like it. "
            "That keeps the population varied."
        ),
        options=(
            _population(50, "who live, and how many children a generation has"),
            MUTATION,
            CROSSOVER,
            POINTS,
        ),
        make=lambda options: Crowding(*_breeding(options), FROM_ALL),
    ),
)
