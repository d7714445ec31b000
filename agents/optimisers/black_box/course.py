"""The two searches of the course's students, as they published them, and what they published."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, random
from agents.optimisers.black_box.genomes import Genome, has, none_of, random_genomes
from agents.optimisers.black_box.variation import (
    CROSSOVER,
    POINTS,
    SELECTIONS,
    breed,
    cuts_in,
    selection_in,
    survivors,
)
from agents.optimisers.entry import Answers, Arrays, Genomes, box_search
from engine.options import Kind, Option, Values

POPULATION = 10
FIRST_CHILDREN = 5
MAX_IDLE_GENERATIONS = 2_000  # without a gain
GAIN = 0.001  # 0.1 points
MAX_GENERATIONS = 1_000  # of the second

Places = NDArray[np.uint8]  # [place] -> 0 or 1


@dataclass(frozen=True, slots=True)
class CourseFirst:
    """Children of the best replace the worst: crossover, Gaussian mutation."""

    rate: float
    cuts: int
    selection: int
    population: int = POPULATION
    children: int = FIRST_CHILDREN

    @property
    def parents(self) -> int:
        """Those who live on; one at least."""
        return max(1, self.population - self.children)

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(self.population, bits, rng)
        best = slice(self.parents)
        return breed(
            state["living"][best],
            state["values"][best],
            self.children,
            self.selection,
            self.cuts,
            self.rate,
            bits,
            rng,
        )

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        kept = self.parents
        parents = {name: state[name][:kept] for name in ("living", "values") if state}
        return survivors(parents, asked, answers, self.population)

    def living(self, state: Arrays) -> Genomes:
        return state["living"]


def flip_chance(sigma: float) -> float:
    """The chance that a bit plus a normal number, rounded, mod 2, is the other bit."""
    if sigma == 0:
        return 0.0
    noise = NormalDist(0, sigma)
    odd = range(1, 1 + 2 * int(3 * sigma + 3), 2)
    return 2 * sum(noise.cdf(number + 0.5) - noise.cdf(number - 0.5) for number in odd)


@dataclass(frozen=True, slots=True)
class CourseSecond:
    """Begins with ten individuals; of all and their children the best `population` survive."""

    population: int
    offspring: int
    tournament: int
    reorder: float  # chances of a child: to be shuffled, to have a bit flipped, to be crossed
    mutation: float
    crossover: float

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(POPULATION, bits, rng)
        if state["generation"] >= MAX_GENERATIONS:
            return none_of(bits)
        chances = np.array([self.reorder, self.mutation, self.crossover])
        return shuffled_children(
            state["living"], self.offspring, self.tournament, chances, bits, rng
        )

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        generation = np.asarray(state["generation"] + 1 if state else 0)
        return survivors(state, asked, answers, self.population) | {"generation": generation}

    def living(self, state: Arrays) -> Genomes:
        return state["living"]


@kernel
def shuffled_children(
    living: Genomes,  # best first
    many: int,
    tournament: int,
    chances: NDArray[np.float64],  # to be shuffled, to have a bit flipped, to be crossed
    bits: int,
    rng: Stream,
) -> Genomes:
    """Children that are a parent shuffled, with one bit flipped and places of another copied."""
    children = np.zeros((many, living.shape[1]), np.int64)
    child, other = np.zeros(bits, np.uint8), np.zeros(bits, np.uint8)
    for at in range(many):
        unpack(living[winner(len(living), tournament, rng)], child)
        if random(rng) < chances[0]:
            shuffle(child, rng)
        if random(rng) < chances[1]:
            child[below(rng, bits)] ^= 1
        if random(rng) < chances[2]:
            unpack(living[winner(len(living), tournament, rng)], other)
            copy_places(child, other, 1 + below(rng, bits), rng)
        pack(child, children[at])
    return children


@kernel
def winner(alive: int, tournament: int, rng: Stream) -> int:
    """The rank of a parent: the best of so many draws, and of all where fewer are alive."""
    if alive < tournament:
        return 0
    best = below(rng, alive)
    for _ in range(tournament - 1):
        best = min(best, below(rng, alive))
    return best


@kernel
def unpack(genome: Genome, places: Places) -> None:
    """Write a byte for each place."""
    for place in range(len(places)):
        places[place] = has(genome, place)


@kernel
def pack(places: Places, genome: Genome) -> None:
    """Write bytes into the words of a genome, which are zero before."""
    for place in range(len(places)):
        genome[place >> 6] |= np.int64(places[place]) << (63 - (place & 63))


@kernel
def shuffle(places: Places, rng: Stream) -> None:
    for last in range(len(places) - 1, 0, -1):
        other = below(rng, last + 1)
        places[last], places[other] = places[other], places[last]


@kernel
def copy_places(child: Places, parent: Places, many: int, rng: Stream) -> None:
    """Copy `many` random places of the parent."""
    for place in range(len(child)):
        if below(rng, len(child) - place) < many:
            many -= 1
            child[place] = parent[place]


def _course_first(options: Values) -> CourseFirst:
    return CourseFirst(
        flip_chance(options.number("sigma")),
        cuts_in(options),
        selection_in(options),
        options.integer("population"),
        options.integer("children"),
    )


def _course_second(options: Values) -> CourseSecond:
    counts = map(options.integer, ("population", "offspring", "tournament"))
    return CourseSecond(*counts, *map(options.number, ("reorder", "mutation", "crossover")))


def _count(name: str, default: int, what: str) -> Option:
    return Option(name, Kind.INTEGER, default, what, low=1, high=1_000)


def _chance(name: str, what: str) -> Option:
    return Option(name, Kind.NUMBER, 1.0, what, low=0, high=1)


ENTRIES = (
    box_search(
        key="course-first",
        title="The course’s first",
        order=1,
        description=(
            "Ten individuals; each generation five children of the best five replace the worst. "
            "It ends when 2,000 generations have gained nothing."
        ),
        options=(
            Option("population", Kind.INTEGER, POPULATION, "who live", low=2, high=1_000),
            Option(
                "children",
                Kind.INTEGER,
                FIRST_CHILDREN,
                "of each generation, who replace the worst",
                low=1,
                high=1_000,
            ),
            Option(
                "sigma",
                Kind.NUMBER,
                0.2,
                "of the normal number added to each bit before it is rounded",
                low=0,
                high=10,
            ),
            CROSSOVER,
            POINTS,
            Option(
                "selection",
                Kind.CHOICE,
                "any",
                "how parents are chosen among the best: any, or the best of three drawn",
                choices=tuple(SELECTIONS),
            ),
        ),
        make=_course_first,
        patience=MAX_IDLE_GENERATIONS,
        gain=GAIN,
    ),
    box_search(
        key="course-second",
        title="The course’s second",
        order=2,
        description=(
            "Shuffles every child before it copies places from a parent. "
            "All ones do not mind being shuffled, so it does well where they are the answer."
        ),
        options=(
            _count("population", 300, "how many survive a generation; it begins with ten"),
            _count("offspring", 30, "children in a generation"),
            _count("tournament", 300, "drawn to be a parent; the best of them is"),
            _chance("reorder", "the chance that a child's genes are shuffled"),
            _chance("mutation", "the chance that one of its bits is flipped"),
            _chance("crossover", "the chance that it copies places of a second parent"),
        ),
        make=_course_second,
    ),
)


@dataclass(frozen=True, slots=True)
class Published:
    """The published result of one search on one box."""

    best: str  # as they wrote it
    calls: int

    def __str__(self) -> str:
        return f"{self.best} in {self.calls:,} calls"


FIRST = {
    1: Published("0.971", 84_305),
    2: Published("0.476", 18_050),
    5: Published("0.193", 11_900),
    10: Published("0.290", 28_450),
}
SECOND = {
    1: Published("1.0", 1_217),
    2: Published("1.0", 6_302),
    5: Published("0.6", 30_010),
    10: Published("0.38", 30_010),
}
PUBLISHED = {"course-first": FIRST, "course-second": SECOND}  # for boxes that are not sealed
