"""Boxes asked many genomes at once, and searches written as a generator of such batches."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream
from agents.optimisers.black_box.genomes import from_int, none_of, to_int
from agents.optimisers.entry import Answers, Arrays, Genomes
from agents.quixo.bitboard import ones
from engine.problems.black_box import BITS, RANKS, BlackBox
from engine.problems.entry import Box

Ask = Callable[[Genomes], Answers]


def answering(box: Box) -> Ask:
    """A function from genomes to the values that `box.value` gives one by one."""
    if isinstance(box, BlackBox):
        groups = np.stack([from_int(mask, BITS) for mask in box.groups])
        inverted = from_int(box.inverted, BITS)
        return lambda genomes: values(groups, inverted, genomes)
    return lambda genomes: np.array(
        [box.value(to_int(genome, box.bits)) for genome in genomes], np.float64
    )


@kernel
def values(groups: Genomes, inverted: NDArray[np.int64], genomes: Genomes) -> Answers:
    """The value of each genome: counts in whole numbers, divided only at the end."""
    many = len(groups)
    found = np.zeros(len(genomes), np.float64)
    counts = np.zeros(many, np.int64)
    ranks = min(many - 1, RANKS)
    for at in range(len(genomes)):
        for group in range(many):
            count = 0
            for word in range(len(inverted)):
                count += ones((genomes[at, word] ^ inverted[word]) & groups[group, word])
            place = group
            while place > 0 and counts[place - 1] < count:
                counts[place] = counts[place - 1]
                place -= 1
            counts[place] = count
        tied = 1
        while tied < many and counts[tied] == counts[0]:
            tied += 1
        unit = 10**ranks
        total, share = counts[0] * tied * unit, unit
        for follower in range(tied, min(many, tied + RANKS)):
            share //= 10
            total -= counts[follower] * share
        found[at] = total / (BITS * unit)
    return found


Batches = Generator[Genomes, Answers, None]


@dataclass(frozen=True, slots=True)
class BatchSearch:
    """A search made of a generator, which is replayed from the start for every batch."""

    batches: Callable[[int, Stream], Batches]  # batches(bits, rng)

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        # Every replay draws the random numbers of the first round.
        batches = self.batches(bits, state["luck"].copy() if state else rng.copy())
        try:
            asked = next(batches)
            heard = 0
            while state and heard < len(state["heard"]):
                answers = state["heard"][heard : heard + len(asked)]
                heard += len(asked)
                asked = batches.send(answers)
        except StopIteration:
            return none_of(bits)
        return asked

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        if not state:
            return {"luck": rng.copy(), "heard": answers}
        return state | {"heard": np.concatenate([state["heard"], answers])}

    def living(self, state: Arrays) -> Genomes:
        return np.zeros((0, 0), np.int64)
