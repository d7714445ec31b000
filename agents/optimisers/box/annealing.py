"""Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): a step to something worse is taken
with a chance that falls with the loss and with the temperature."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below, random
from agents.optimisers.box.genomes import Genome, flip, random_genomes
from agents.optimisers.box.trail import longer
from agents.optimisers.entry import Answers, Arrays, Genomes


@kernel
def neighbour(genome: Genome, flips: int, bits: int, luck: Luck) -> Genomes:
    """The genome with so many places flipped, in a batch of one."""
    other = genome.copy().reshape(1, -1)
    for _ in range(flips):
        flip(other[0], below(luck, bits))
    return other


@dataclass(frozen=True, slots=True)
class Annealing:
    """One place, and a temperature that halves again and again."""

    temperature: float  # at the start, in units of the box's number
    half: int  # calls in which it halves
    flips: int

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(1, bits, luck)
        return neighbour(state["trail"][-1], self.flips, bits, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        if not state:
            return {"trail": asked, "value": answers[0], "steps": np.asarray(0)}
        steps, value = state["steps"] + 1, state["value"]
        heat = self.temperature * 0.5 ** (int(steps) / self.half)
        loss = float(value - answers[0])
        if loss > 0 and (heat <= 0 or random(luck) >= exp(-loss / heat)):
            return state | {"steps": steps}
        trail = longer(state["trail"], asked[0])
        return {"trail": trail, "value": answers[0], "steps": steps}

    def living(self, state: Arrays) -> Genomes:
        return state["trail"]
