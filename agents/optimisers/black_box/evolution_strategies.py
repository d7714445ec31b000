"""(1+1): one parent, one child, the better of the two lives; the textbook's baseline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.compute.kernels import kernel
from agents.compute.rng import Luck
from agents.optimisers.black_box.genomes import WORD, Genome, random_genomes
from agents.optimisers.black_box.local_search import longer
from agents.optimisers.black_box.variation import mutate
from agents.optimisers.entry import Answers, Arrays, Genomes

SPEED = 1.5
MOST = 0.25


def adapted(rate: float, better: float, bits: int) -> float:
    """The next mutation rate, given the share of children that were better."""
    # At one success in five the two cancel out.
    factor = float(SPEED ** (better - (1 - better) / 4))
    return min(MOST, max(1 / bits, rate * factor))


@kernel
def offspring(parent: Genome, many: int, rate: float, bits: int, luck: Luck) -> Genomes:
    """So many mutated copies."""
    children = np.zeros((many, len(parent)), np.int64)
    for at in range(many):
        children[at] = parent
        mutate(children[at], rate, bits, luck)
    return children


@dataclass(frozen=True, slots=True)
class OnePlusOne:
    """A child as good as its parent takes its place; how much it is mutated follows its luck."""

    rate: float  # at the start

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(1, bits, luck)
        return offspring(state["trail"][-1], 1, float(state["rate"]), bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        if not state:
            return {"trail": asked, "value": answers[0], "rate": np.asarray(self.rate)}
        better = answers[0] > state["value"]
        rate = np.asarray(adapted(float(state["rate"]), float(better), WORD * asked.shape[1]))
        if answers[0] < state["value"]:
            return state | {"rate": rate}
        trail = longer(state["trail"], asked[0])
        return {"trail": trail, "value": answers[0], "rate": rate}

    def living(self, state: Arrays) -> Genomes:
        return state["trail"]


@dataclass(frozen=True, slots=True)
class OnePlusLambda:
    """The best child takes its parent's place if it is as good at least."""

    children: int
    rate: float  # at the start

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(1, bits, luck)
        return offspring(state["trail"][-1], self.children, float(state["rate"]), bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        if not state:
            return {"trail": asked, "value": answers[0], "rate": np.asarray(self.rate)}
        better = float(np.mean(answers > state["value"]))
        rate = np.asarray(adapted(float(state["rate"]), better, WORD * asked.shape[1]))
        best = int(np.argmax(answers))
        if answers[best] < state["value"]:
            return state | {"rate": rate}
        trail = longer(state["trail"], asked[best])
        return {"trail": trail, "value": answers[best], "rate": rate}

    def living(self, state: Arrays) -> Genomes:
        return state["trail"]
