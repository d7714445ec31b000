"""The two searches of the course's students, as they published them, and what they published."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below
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
from agents.optimisers.entry import Answers, Arrays, Genomes, SearchEntry
from engine.options import Kind, Option, Values
from engine.problems.entry import ProblemShape

POPULATION = 10
FIRST_CHILDREN = 5
MAX_IDLE_GENERATIONS = 2_000  # without a gain
GAIN = 0.001  # 0.1 points
SLACK = 1e-9  # for rounding errors of the gain
SECOND_CHILDREN, MAX_GENERATIONS = 30, 1_000

Places = NDArray[np.uint8]  # [place] -> 0 or 1


@dataclass(frozen=True, slots=True)
class CourseFirst:
    """Five children of the best five replace the worst five: crossover, Gaussian mutation."""

    rate: float
    cuts: int
    selection: int

    def propose(self, state: Arrays, bits: int, luck: Stream) -> Genomes:
        if not state:
            return random_genomes(POPULATION, bits, luck)
        if state["idle"] >= MAX_IDLE_GENERATIONS:
            return none_of(bits)
        best = slice(POPULATION - FIRST_CHILDREN)
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

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Stream) -> Arrays:
        kept = POPULATION - FIRST_CHILDREN
        parents = {name: state[name][:kept] for name in ("living", "values") if state}
        population = survivors(parents, asked, answers, POPULATION)
        top = population["values"][0]
        mark = state["mark"] if state else top
        gained = top >= mark + GAIN - SLACK
        return population | {
            "mark": np.asarray(top if gained else mark),
            "idle": np.asarray(0 if gained or not state else state["idle"] + 1),
        }

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
    """Of ten individuals and their thirty children the best ten survive."""

    best: bool  # whether the best is the parent of all children

    def propose(self, state: Arrays, bits: int, luck: Stream) -> Genomes:
        if not state:
            return random_genomes(POPULATION, bits, luck)
        if state["generation"] >= MAX_GENERATIONS:
            return none_of(bits)
        return shuffled_children(state["living"], SECOND_CHILDREN, self.best, bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Stream) -> Arrays:
        generation = np.asarray(state["generation"] + 1 if state else 0)
        return survivors(state, asked, answers, POPULATION) | {"generation": generation}

    def living(self, state: Arrays) -> Genomes:
        return state["living"]


@kernel
def shuffled_children(living: Genomes, many: int, best: bool, bits: int, luck: Stream) -> Genomes:
    """Children that are a parent shuffled, with one bit flipped and some places copied back."""
    children = np.zeros((many, living.shape[1]), np.int64)
    parent, child = np.zeros(bits, np.uint8), np.zeros(bits, np.uint8)
    for at in range(many):
        unpack(living[0 if best else below(luck, len(living))], parent)
        child[:] = parent
        shuffle(child, luck)
        child[below(luck, bits)] ^= 1
        copy_places(child, parent, below(luck, bits + 1), luck)
        pack(child, children[at])
    return children


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
def shuffle(places: Places, luck: Stream) -> None:
    for last in range(len(places) - 1, 0, -1):
        other = below(luck, last + 1)
        places[last], places[other] = places[other], places[last]


@kernel
def copy_places(child: Places, parent: Places, many: int, luck: Stream) -> None:
    """Copy `many` random places of the parent."""
    for place in range(len(child)):
        if below(luck, len(child) - place) < many:
            many -= 1
            child[place] = parent[place]


def _course_first(options: Values) -> CourseFirst:
    return CourseFirst(
        flip_chance(options.number("sigma")), cuts_in(options), selection_in(options)
    )


ENTRIES = (
    SearchEntry(
        key="course-first",
        title="The course’s first",
        shape=ProblemShape.BOX,
        order=1,
        description=(
            "Ten individuals; each generation five children of the best five replace the worst. "
            "It ends when 2,000 generations have gained nothing."
        ),
        options=(
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
                "how parents are chosen among the best five: any, or the best of three drawn",
                choices=tuple(SELECTIONS),
            ),
        ),
        make=_course_first,
    ),
    SearchEntry(
        key="course-second",
        title="The course’s second",
        shape=ProblemShape.BOX,
        order=2,
        description=(
            "Shuffles every child before it copies places from a parent. "
            "All ones do not mind being shuffled, so it does well where they are the answer."
        ),
        options=(
            Option(
                "parents",
                Kind.CHOICE,
                "best",
                "whom children are made of: the best, or any of the ten",
                choices=("best", "uniform"),
            ),
        ),
        make=lambda options: CourseSecond(options.text("parents") == "best"),
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
