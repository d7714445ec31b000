"""(1+λ): one parent, several children, the best of all lives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.compute.rng import Luck
from agents.optimisers.box.genomes import WORD, random_genomes
from agents.optimisers.box.one_fifth import adapted
from agents.optimisers.box.one_plus_one import offspring
from agents.optimisers.box.trail import longer
from agents.optimisers.entry import Answers, Arrays, Genomes


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
