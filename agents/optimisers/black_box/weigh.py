"""Weigh: many bits at once, by designs of coin weighings (Lindström 1965).

The counts behind a value add up to the number of right bits, whichever groups they are in. So box 1
takes one design, 255 sums for all of its 1,000 bits. In other boxes a value may stand for totals
some twenty apart; there bits are weighed in blocks, small enough for the wrong totals to be
unlikely. Where they are not, the complement is asked too. If no bits give the sums of a block, one
of its totals was misread: complements of the doubtful ones are asked until the sums fit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from dataclasses import dataclass
from functools import lru_cache
from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import Stream
from agents.optimisers.black_box.batches import Batches, BatchSearch
from agents.optimisers.black_box.counts import (
    REACH,
    Counts,
    complement,
    counts_of_pair,
    groups_behind,
    possible_counts,
    shares,
)
from agents.optimisers.black_box.genomes import packed, random_genomes, unpacked
from agents.optimisers.black_box.probe import probe
from agents.optimisers.entry import Answers, Genomes, box_search

STARTS = 3  # each with its complement: enough for one to give its counts, and all the groups
BLOCKS = (448, 192, 80, 32, 12, 4, 1)  # bits found by 127, 63, 31, 15, 7, 3 and 1 sums
# Bits of a block: for each group, and at least. With more its totals are too often in doubt.
GROUP_BITS, MIN_BITS = 25, 80
MAX_DOUBT = 0.01  # of a total, above which the complement is asked in any case
COMPLEMENTS = 4  # more of them asked at a time for a block that does not fit

Places = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The bits that each sum is taken over, and how the bits follow from the sums.

    Every column belongs to a set of rows, its owner, and is one binary digit of a number that the
    sums over the owner's subsets give.
    """

    rows: NDArray[np.bool_]  # [sum, bit]
    owners: NDArray[np.int64]  # [bit] -> the set of its column, as a bit mask
    digits: NDArray[np.int64]  # [bit] -> the digit of its column

    def read(self, sums: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """The bits that give these sums; None where no bits do."""
        left = np.concatenate([[0], sums])  # [row], that of the empty set first
        signs = np.array([-1 if row.bit_count() % 2 else 1 for row in range(len(left))])
        rows = np.arange(len(left))
        bits = np.zeros(len(self.owners), np.bool_)
        for owner in dict.fromkeys(self.owners.tolist()):
            inside = (rows & ~owner) == 0
            number = -int((signs[inside] * left[inside]).sum())
            columns = np.flatnonzero(self.owners == owner)
            if not 0 <= number < 1 << owner.bit_count():
                return None
            bits[columns] = number >> self.digits[columns] & 1
            left[1:] -= self.rows[:, columns].astype(np.int64) @ bits[columns]
        return bits if not left.any() else None


@lru_cache(maxsize=4)
def design(bits: int) -> Design:
    """The smallest design for so many bits."""
    k = 1
    while k << (k - 1) < bits:
        k += 1
    rows = np.arange(1, 1 << k)
    columns, owners, digits = [], [], []
    for owner in sorted(range(1, 1 << k), key=int.bit_count, reverse=True):
        odd = [part for part in rows.tolist() if not part & ~owner and part.bit_count() % 2]
        place = np.full(1 << k, 1 << k)
        place[odd] = np.arange(len(odd))
        for digit in range(owner.bit_count()):
            columns.append(place[rows & owner] < 1 << digit)
            owners.append(owner)
            digits.append(digit)
    return Design(
        np.stack(columns[:bits], axis=1), np.array(owners[:bits]), np.array(digits[:bits])
    )


@dataclass(frozen=True, slots=True)
class Base:
    """The genome in which places are flipped, with its counts."""

    genome: Places
    counts: Counts

    @property
    def size(self) -> int:
        return len(self.genome) // len(self.counts)

    def fitting(self, number: int, flipped: int) -> dict[Counts, float]:
        """The counts that give this value after so many flips, with their likelihood."""
        # A group has its share of the flips, each of which changes its count by one either way.
        variance = flipped / len(self.counts)
        reach = int(REACH * sqrt(variance)) + 1
        low, high = self.counts[-1] - reach, self.counts[0] + reach
        parity = (sum(self.counts) + flipped) % 2
        return {
            counts: exp(-self._squares(counts) / (2 * variance))
            for counts in possible_counts(number, len(self.counts), max(0, low), high)
            if sum(counts) % 2 == parity
        }

    def _squares(self, counts: Counts) -> int:
        return sum((now - was) ** 2 for now, was in zip(counts, self.counts, strict=True))


@dataclass(frozen=True, slots=True)
class Block:
    """Some places, and the design by which they are flipped."""

    places: NDArray[np.int64]
    plan: Design

    def questions(self, genome: Places) -> Places:
        """The genomes to ask about, [sum, place]."""
        asked = np.repeat(genome[None], len(self.plan.rows), axis=0)
        asked[:, self.places] ^= self.plan.rows
        return asked

    def right(self, total: int, totals: list[int]) -> NDArray[np.bool_] | None:
        """Which of its places are right, given the right bits before and after each set of flips;
        None where that is contradictory."""
        flipped = self.plan.rows.sum(axis=1)
        return self.plan.read((total - np.array(totals) + flipped) // 2)


def weigh(bits: int, rng: Stream) -> Batches:
    """Find a base, weigh its bits and ask about the result; fall back on `probe`."""
    base = yield from _base(bits, rng)
    if base is not None:
        wrong = yield from _wrong(base)
        if wrong is not None:
            yield packed((base.genome ^ wrong)[None])
    yield from probe(bits, rng)


def _base(bits: int, rng: Stream) -> Generator[Genomes, Answers, Base | None]:
    """A random genome whose value and complement give its counts."""
    starts = unpacked(random_genomes(STARTS, bits, rng), bits)
    numbers = shares((yield packed(np.concatenate([starts, ~starts]))), bits)
    if numbers is None or bits % (groups := groups_behind(numbers)):
        return None
    for at, genome in enumerate(starts):
        number, mirrored = numbers[at], numbers[at + STARTS]
        counts = counts_of_pair(number, mirrored, groups, bits // groups)
        if counts is not None:
            return Base(genome, counts)
    return None


def _wrong(base: Base) -> Generator[Genomes, Answers, Places | None]:
    """Which places are wrong; None where that cannot be found."""
    blocks = _blocks(len(base.genome), len(base.counts))
    asked = [block.questions(base.genome) for block in blocks]
    answers = yield packed(np.concatenate(asked))
    wrong = np.zeros(len(base.genome), np.bool_)
    begun = 0
    for block, questions in zip(blocks, asked, strict=True):
        part = slice(begun, begun + len(questions))
        begun = part.stop
        right = yield from _right_places(base, block, questions, answers[part])
        if right is None:
            return None
        wrong[block.places] = ~right
    return wrong


def _right_places(
    base: Base, block: Block, asked: Places, answers: Answers
) -> Generator[Genomes, Answers, NDArray[np.bool_] | None]:
    """Which places of a block are right, asking complements until the totals fit."""
    numbers = shares(answers, len(base.genome))
    if numbers is None:
        return None
    flipped = block.plan.rows.sum(axis=1)
    fitting = [
        base.fitting(number, int(flips)) for number, flips in zip(numbers, flipped, strict=True)
    ]
    doubts = np.array([_doubt(found) for found in fitting])
    doubtful = np.flatnonzero(doubts > MAX_DOUBT)
    while True:
        if len(doubtful):
            mirrored = shares((yield packed(~asked[doubtful])), len(base.genome))
            if mirrored is None:
                return None
            for at, number in zip(doubtful.tolist(), mirrored, strict=True):
                fitting[at] = _agreed(base, fitting[at], number)
            doubts[doubtful] = 0.0
        totals = [_total(found) for found in fitting]
        known = [total for total in totals if total is not None]
        right = block.right(sum(base.counts), known) if len(known) == len(totals) else None
        if right is not None:
            return right
        doubtful = np.argsort(-doubts)[:COMPLEMENTS]
        doubtful = doubtful[doubts[doubtful] > 0]
        if not len(doubtful):
            return None


def _blocks(bits: int, groups: int) -> list[Block]:
    if groups == 1:
        return [Block(np.arange(bits), design(bits))]
    blocks, begun = [], 0
    while begun < bits:
        most = min(bits - begun, max(MIN_BITS, GROUP_BITS * groups))
        size = next(size for size in BLOCKS if size <= most)
        blocks.append(Block(np.arange(begun, begun + size), design(size)))
        begun += size
    return blocks


def _agreed(base: Base, fitting: dict[Counts, float], mirrored: int) -> dict[Counts, float]:
    """Those counts whose complements give the complement's value."""
    low, high = min(map(min, fitting), default=0), max(map(max, fitting), default=0)
    size = base.size
    others = {
        complement(counts, size)
        for counts in possible_counts(mirrored, len(base.counts), size - high, size - low)
    }
    return {counts: weight for counts, weight in fitting.items() if counts in others}


def _weights(fitting: dict[Counts, float]) -> dict[int, float]:
    """The likelihood of each total."""
    weights: defaultdict[int, float] = defaultdict(float)
    for counts, weight in fitting.items():
        weights[sum(counts)] += weight
    return weights


def _total(fitting: dict[Counts, float]) -> int | None:
    """The likeliest total."""
    weights = _weights(fitting)
    return max(weights, key=lambda total: weights[total]) if weights else None


def _doubt(fitting: dict[Counts, float]) -> float:
    """The probability that the likeliest total is wrong; 1 where no counts fit."""
    weights = sorted(_weights(fitting).values())
    return sum(weights[:-1]) / sum(weights) if weights else 1.0


ENTRIES = (
    box_search(
        key="weigh",
        title="Weigh",
        order=11,
        description=(
            "Flips many bits at once, by a plan that finds false coins in few weighings. "
            "Each answer tells how many of the flipped bits are right."
        ),
        make=lambda _: BatchSearch(weigh),
    ),
)
