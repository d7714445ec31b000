"""Genetic operators: selection, crossover, mutation and survival, with the options they have."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, random, word
from agents.optimisers.black_box.genomes import Genome, flip, has
from agents.optimisers.entry import Answers, Arrays, Genomes
from engine.options import Kind, Option, Values

# Crossover: a number of cuts, or one of these.
UNIFORM, NO_CROSSOVER = -1, 0
FROM_ALL, TOURNAMENT = range(2)
SELECTIONS = {"any": FROM_ALL, "tournament": TOURNAMENT}
TOURNAMENT_SIZE = 3

CROSSOVER = Option(
    "crossover",
    Kind.CHOICE,
    "uniform",
    "how two parents are mixed: each bit from either, cut at points, or not at all",
    choices=("uniform", "points", "none"),
)
POINTS = Option("points", Kind.INTEGER, 2, "cuts, where it cuts at points", low=1, high=100)
SELECTION = Option(
    "selection",
    Kind.CHOICE,
    "tournament",
    "how parents are chosen: the best of three drawn, or any",
    choices=tuple(SELECTIONS),
)
MUTATION = Option(
    "mutation", Kind.NUMBER, 0.001, "the chance of each bit to be flipped", low=0, high=0.5
)


@kernel
def mutate(genome: Genome, rate: float, bits: int, rng: Stream) -> None:
    """Flip each bit with probability `rate`, drawing the gaps between flips, not every bit."""
    if rate <= 0.0:
        return
    scale = log(1.0 - rate)
    place = int(log(1.0 - random(rng)) / scale)
    while place < bits:
        flip(genome, place)
        place += 1 + int(log(1.0 - random(rng)) / scale)


@kernel
def cross(child: Genome, other: Genome, cuts: int, bits: int, rng: Stream) -> None:
    """Mix the other parent into the child, which is a copy of the first."""
    if cuts == UNIFORM:
        for at in range(len(child)):
            mask = word(rng)
            child[at] = (child[at] & mask) | (other[at] & ~mask)
        return
    marks = np.zeros(bits + 1, np.uint8)
    for _ in range(cuts):
        marks[below(rng, bits)] ^= 1
    mixing = False
    for place in range(bits):
        mixing = mixing != (marks[place] == 1)
        if mixing and has(child, place) != has(other, place):
            flip(child, place)


@kernel
def select(values: NDArray[np.float64], selection: int, rng: Stream) -> int:
    """Draw the index of a parent."""
    best = below(rng, len(values))
    if selection == TOURNAMENT:
        for _ in range(TOURNAMENT_SIZE - 1):
            other = below(rng, len(values))
            if values[other] > values[best]:
                best = other
    return best


@kernel
def breed(
    parents: Genomes,
    values: NDArray[np.float64],
    many: int,
    selection: int,
    cuts: int,
    rate: float,
    bits: int,
    rng: Stream,
) -> Genomes:
    """`many` children, each of two parents."""
    children = np.zeros((many, parents.shape[1]), np.int64)
    for at in range(many):
        children[at] = parents[select(values, selection, rng)]
        if cuts != NO_CROSSOVER:
            cross(children[at], parents[select(values, selection, rng)], cuts, bits, rng)
        mutate(children[at], rate, bits, rng)
    return children


def fittest(values: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """The indices of the best, best first; of equals the earlier ones."""
    return np.argsort(-values, kind="stable")[:most]


def survivors(state: Arrays, asked: Genomes, answers: Answers, most: int) -> Arrays:
    """`living` and `values` of the best among a population, at first none, and its children."""
    genomes, values = asked, answers
    if state:
        genomes = np.concatenate([state["living"], asked])
        values = np.concatenate([state["values"], answers])
    order = fittest(values, most)
    return {"living": genomes[order], "values": values[order]}


def cuts_in(options: Values) -> int:
    """The `cuts` argument of `breed` for these options."""
    cuts = {"uniform": UNIFORM, "points": options.integer("points"), "none": NO_CROSSOVER}
    return cuts[options.text("crossover")]


def selection_in(options: Values) -> int:
    """The selection that these options name."""
    return SELECTIONS[options.text("selection")]
