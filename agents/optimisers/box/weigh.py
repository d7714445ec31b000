"""Weigh: many bits at once, by a design of coin weighings.

The counts behind a number add up to how many bits are right, whichever group they are in. So every
box is weighed like box 1: 255 sets of places, flipped together, settle 1,000 bits. Where a number
could stand for several totals, the complement is asked too, and counts that fit both are left.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from math import exp

import numpy as np
from numpy.typing import NDArray

from agents.arrays.luck import Luck
from agents.optimisers.box.conversation import Talk
from agents.optimisers.box.counts import (
    Counts,
    complement,
    groups_behind,
    log_chance,
    possible_counts,
    shares,
)
from agents.optimisers.box.genomes import packed, random_genomes, unpacked
from agents.optimisers.box.probe import probe
from agents.optimisers.box.weighing import design
from agents.optimisers.entry import Answers, Genomes

DOUBT = 1e-7  # of a total, at which the complement is asked

Totals = Generator[Genomes, Answers, list[int] | None]


def weigh(bits: int, luck: Luck) -> Talk:
    """Ask all weighings, read the bits, check them; where that fails, probe."""
    plan = design(bits)
    start = unpacked(random_genomes(1, bits, luck), bits)[0]
    asked = np.concatenate([start[None], start ^ plan.rows])
    totals = yield from _totals(asked, (yield packed(asked)))
    if totals is not None:
        # A right bit that is flipped is one less, a wrong one more.
        flipped = plan.rows.sum(axis=1)
        sums = (totals[0] - np.array(totals[1:]) + flipped) // 2
        right = plan.read(sums)
        if right is not None:
            yield packed((start ^ ~right)[None])
    yield from probe(bits, luck)


def _totals(asked: NDArray[np.bool_], answers: Answers) -> Totals:
    """How many bits of each genome are right; None where the numbers do not tell."""
    bits = asked.shape[1]
    numbers = shares(answers, bits)
    if numbers is None or bits % (groups := groups_behind(numbers)):
        return None
    size = bits // groups
    fitting = [list(possible_counts(number, groups, size)) for number in numbers]
    totals = [_total(found, size) for found in fitting]
    doubtful = [at for at, total in enumerate(totals) if total is None]
    if doubtful:
        mirrored = shares((yield packed(~asked[doubtful])), bits)
        if mirrored is None:
            return None
        for at, number in zip(doubtful, mirrored, strict=True):
            others = {complement(found, size) for found in possible_counts(number, groups, size)}
            totals[at] = _total([found for found in fitting[at] if found in others], size)
    return _all(totals)


def _total(fitting: Sequence[Counts], size: int) -> int | None:
    """What these counts add up to, if it is hardly in doubt."""
    if not fitting:
        return None
    chances = [log_chance(counts, size) for counts in fitting]
    most = max(chances)
    weights: defaultdict[int, float] = defaultdict(float)
    for counts, chance in zip(fitting, chances, strict=True):
        weights[sum(counts)] += exp(chance - most)
    best = max(weights, key=lambda total: weights[total])
    others = sum(weight for total, weight in weights.items() if total != best)
    return best if others <= DOUBT * weights[best] else None


def _all(totals: Sequence[int | None]) -> list[int] | None:
    known = [total for total in totals if total is not None]
    return known if len(known) == len(totals) else None
