"""(1+λ) with the one-fifth rule (Rechenberg 1973): the mutation rate rises while more than a fifth
of the children are better than their parent. With one child it is (1+1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.compute.kernels import kernel
from agents.compute.rng import Stream
from agents.optimisers.black_box.genomes import WORD, Genome, random_genomes
from agents.optimisers.black_box.local_search import extended
from agents.optimisers.black_box.variation import mutate
from agents.optimisers.entry import Answers, Arrays, Genomes, SearchEntry
from engine.options import Kind, Option
from engine.problems.entry import ProblemShape

ADAPTATION = 1.5  # factor by which the rate grows after a success
MAX_RATE = 0.25


@dataclass(frozen=True, slots=True)
class OnePlusLambda:
    """The best child replaces its parent if it is at least as good."""

    children: int
    rate: float  # at the start

    def propose(self, state: Arrays, bits: int, luck: Stream) -> Genomes:
        if not state:
            return random_genomes(1, bits, luck)
        return offspring(state["trail"][-1], self.children, float(state["rate"]), bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Stream) -> Arrays:
        if not state:
            return {"trail": asked, "value": answers[0], "rate": np.asarray(self.rate)}
        better = float(np.mean(answers > state["value"]))
        rate = np.asarray(adapted(float(state["rate"]), better, WORD * asked.shape[1]))
        best = int(np.argmax(answers))
        if answers[best] < state["value"]:
            return state | {"rate": rate}
        trail = extended(state["trail"], asked[best])
        return {"trail": trail, "value": answers[best], "rate": rate}

    def living(self, state: Arrays) -> Genomes:
        return state["trail"]


def adapted(rate: float, better: float, bits: int) -> float:
    """The next mutation rate, given the share of children that were better."""
    factor = float(ADAPTATION ** (better - (1 - better) / 4))  # 1 where a fifth was better
    return min(MAX_RATE, max(1 / bits, rate * factor))


@kernel
def offspring(parent: Genome, many: int, rate: float, bits: int, luck: Stream) -> Genomes:
    """Mutated copies of the parent."""
    children = np.zeros((many, len(parent)), np.int64)
    for at in range(many):
        children[at] = parent
        mutate(children[at], rate, bits, luck)
    return children


def _rate() -> Option:
    what = "the chance of each bit to be flipped, at the start"
    return Option("mutation", Kind.NUMBER, 0.01, what, low=0.0001, high=0.25)


ENTRIES = (
    SearchEntry(
        key="one-plus-one",
        title="(1+1), one fifth",
        shape=ProblemShape.BOX,
        order=3,
        description=(
            "One parent, one child, and the better of the two lives. "
            "It mutates more while more than a fifth of its children are better."
        ),
        options=(_rate(),),
        make=lambda options: OnePlusLambda(1, options.number("mutation")),
    ),
    SearchEntry(
        key="one-plus-lambda",
        title="(1+λ), one fifth",
        shape=ProblemShape.BOX,
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
)
