"""Tabu search (Glover 1986): always on to the best neighbour, even a worse one, and not back to a
place that was flipped lately."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, below
from agents.optimisers.box.genomes import WORD, Genome, flip, random_genomes, unpacked
from agents.optimisers.box.trail import longer
from agents.optimisers.entry import Answers, Arrays, Genomes


@kernel
def free_neighbours(
    genome: Genome, many: int, until: NDArray[np.int64], now: int, luck: Luck
) -> Genomes:
    """So many different neighbours, by flips that are not tabu now; fewer where there are not."""
    free = np.nonzero(until <= now)[0]
    many = min(many, len(free))
    found = np.zeros((many, len(genome)), np.int64)
    for at in range(many):
        other = at + below(luck, len(free) - at)
        free[at], free[other] = free[other], free[at]
        found[at] = genome
        flip(found[at], free[at])
    return found


@dataclass(frozen=True, slots=True)
class Tabu:
    """One place, and a list of what may not be flipped again for a while."""

    neighbours: int  # asked about each time
    tenure: int  # rounds for which a flip is tabu

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        if not state:
            return random_genomes(1, bits, luck)
        here, now = state["trail"][-1], int(state["round"])
        return free_neighbours(here, self.neighbours, state["until"][:bits], now, luck)

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        bits = WORD * asked.shape[1]  # those left over in the last word are never flipped
        if not state:
            return {"trail": asked, "until": np.zeros(bits, np.int64), "round": np.asarray(0)}
        best, here = int(np.argmax(answers)), state["trail"][-1]
        place = int(np.argmax(unpacked((here ^ asked[best])[None], bits)[0]))
        until = state["until"].copy()
        until[place] = int(state["round"]) + self.tenure
        return {
            "trail": longer(state["trail"], asked[best]),
            "until": until,
            "round": state["round"] + 1,
        }

    def living(self, state: Arrays) -> Genomes:
        return state["trail"]
