"""Local searches: one genome that moves to a neighbour.

By simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983), tabu search (Glover 1989), or (1+λ)
with the one-fifth rule (Rechenberg 1973): the mutation rate rises while more than a fifth of the
children are better than their parent. With one child it is (1+1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, random
from agents.optimisers.black_box.genomes import WORD, Genome, flip, random_genomes, unpacked
from agents.optimisers.black_box.variation import mutate
from agents.optimisers.entry import Answers, Arrays, Genomes, box_search
from engine.options import Kind, Option, Values

ADAPTATION = 1.5  # factor by which the rate grows after a success
MAX_RATE = 0.25
TRAIL = 10  # recent genomes kept, of which diversity is measured


class Trailing:
    """A search whose living are the genomes it was at last."""

    __slots__ = ()

    def living(self, state: Arrays) -> Genomes:
        return state["trail"]


def extended(trail: Genomes, genome: Genome) -> Genomes:
    """The trail with one more genome, and no more than TRAIL of them."""
    return np.concatenate([trail[-(TRAIL - 1) :], genome[None]])


@dataclass(frozen=True, slots=True)
class Annealing(Trailing):
    """Moves to a worse neighbour with a chance that falls with the loss and the temperature."""

    temperature: float  # at the start, in units of the box's value
    half: int  # calls in which it halves
    flips: int

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(1, bits, rng)
        return neighbour(state["trail"][-1], self.flips, bits, rng)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        if not state:
            return {"trail": asked, "value": answers[0], "steps": np.asarray(0)}
        steps, value = state["steps"] + 1, state["value"]
        heat = self.temperature * 0.5 ** (int(steps) / self.half)
        loss = float(value - answers[0])
        if loss > 0 and (heat <= 0 or random(rng) >= exp(-loss / heat)):
            return state | {"steps": steps}
        trail = extended(state["trail"], asked[0])
        return {"trail": trail, "value": answers[0], "steps": steps}


@kernel
def neighbour(genome: Genome, flips: int, bits: int, rng: Stream) -> Genomes:
    """The genome with so many random places flipped, in a batch of one."""
    other = genome.copy().reshape(1, -1)
    for _ in range(flips):
        flip(other[0], below(rng, bits))
    return other


@dataclass(frozen=True, slots=True)
class Tabu(Trailing):
    """Moves to the best of some neighbours; a flipped bit may not be flipped again for a while."""

    neighbours: int  # asked about each time
    tenure: int  # rounds for which a flip is tabu

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(1, bits, rng)
        here, now = state["trail"][-1], int(state["round"])
        return free_neighbours(here, self.neighbours, state["until"][:bits], now, rng)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        bits = WORD * asked.shape[1]  # those left over in the last word are never flipped
        if not state:
            return {"trail": asked, "until": np.zeros(bits, np.int64), "round": np.asarray(0)}
        best, here = int(np.argmax(answers)), state["trail"][-1]
        place = int(np.argmax(unpacked((here ^ asked[best])[None], bits)[0]))
        until = state["until"].copy()
        until[place] = int(state["round"]) + self.tenure
        return {
            "trail": extended(state["trail"], asked[best]),
            "until": until,
            "round": state["round"] + 1,
        }


@kernel
def free_neighbours(
    genome: Genome, many: int, until: NDArray[np.int64], now: int, rng: Stream
) -> Genomes:
    """At most so many different neighbours, by random flips that are not tabu now."""
    free = np.nonzero(until <= now)[0]
    many = min(many, len(free))
    found = np.zeros((many, len(genome)), np.int64)
    for at in range(many):
        other = at + below(rng, len(free) - at)
        free[at], free[other] = free[other], free[at]
        found[at] = genome
        flip(found[at], free[at])
    return found


@dataclass(frozen=True, slots=True)
class OnePlusLambda(Trailing):
    """The best child replaces its parent if it is at least as good."""

    children: int
    rate: float  # at the start

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        if not state:
            return random_genomes(1, bits, rng)
        return offspring(state["trail"][-1], self.children, float(state["rate"]), bits, rng)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        if not state:
            return {"trail": asked, "value": answers[0], "rate": np.asarray(self.rate)}
        better = float(np.mean(answers > state["value"]))
        rate = np.asarray(adapted(float(state["rate"]), better, WORD * asked.shape[1]))
        best = int(np.argmax(answers))
        if answers[best] < state["value"]:
            return state | {"rate": rate}
        trail = extended(state["trail"], asked[best])
        return {"trail": trail, "value": answers[best], "rate": rate}


def adapted(rate: float, better: float, bits: int) -> float:
    """The next mutation rate, given the share of children that were better."""
    factor = float(ADAPTATION ** (better - (1 - better) / 4))  # 1 where a fifth was better
    return min(MAX_RATE, max(1 / bits, rate * factor))


@kernel
def offspring(parent: Genome, many: int, rate: float, bits: int, rng: Stream) -> Genomes:
    """Mutated copies of the parent."""
    children = np.zeros((many, len(parent)), np.int64)
    for at in range(many):
        children[at] = parent
        mutate(children[at], rate, bits, rng)
    return children


def _rate() -> Option:
    what = "the chance of each bit to be flipped, at the start"
    return Option("mutation", Kind.NUMBER, 0.01, what, low=0.0001, high=0.25)


def _annealing(options: Values) -> Annealing:
    temperature = options.number("temperature")
    return Annealing(temperature, options.integer("half"), options.integer("flips"))


ENTRIES = (
    box_search(
        key="one-plus-one",
        title="(1+1), one fifth",
        order=3,
        description=(
            "One parent, one child, and the better of the two lives. "
            "It mutates more while more than a fifth of its children are better."
        ),
        options=(_rate(),),
        make=lambda options: OnePlusLambda(1, options.number("mutation")),
    ),
    box_search(
        key="one-plus-lambda",
        title="(1+λ), one fifth",
        order=4,
        description=(
            "One parent, several children, and the best of all lives. "
            "It mutates more while more than a fifth of the children are better."
        ),
        options=(
            Option("children", Kind.INTEGER, 10, "of each generation", low=2, high=1_000),
            _rate(),
        ),
        make=lambda options: OnePlusLambda(options.integer("children"), options.number("mutation")),
    ),
    box_search(
        key="annealing",
        title="Simulated annealing",
        order=8,
        description=(
            "Sometimes accepts worse bits, and less often as it cools. In the end it only climbs."
        ),
        options=(
            Option("temperature", Kind.NUMBER, 0.002, "at the start", low=0.000001, high=1),
            Option("half", Kind.INTEGER, 2_000, "calls in which it halves", low=1, high=200_000),
            Option("flips", Kind.INTEGER, 1, "bits flipped at a time", low=1, high=100),
        ),
        make=_annealing,
    ),
    box_search(
        key="tabu",
        title="Tabu search",
        order=9,
        description=(
            "Always moves to the best neighbour it looks at, even a worse one. "
            "It may not undo its latest flips."
        ),
        options=(
            Option("neighbours", Kind.INTEGER, 30, "asked about at a time", low=1, high=1_000),
            Option("tenure", Kind.INTEGER, 50, "moves for which a flip is tabu", low=0, high=900),
        ),
        make=lambda options: Tabu(options.integer("neighbours"), options.integer("tenure")),
    ),
)
