"""Set covers as arrays for kernels, in words of 64 bits, and estimates of the sets needed."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import ones
from engine.problems.set_cover import SetCover

Words = NDArray[np.int64]
WORD = 64  # bits

# Estimates of how many more sets are needed.
NO_ESTIMATE, LARGEST, GAIN, GAINS, AVERAGE = range(5)


class Sets(NamedTuple):
    """The things of each set and the sets of each thing, as bit masks."""

    masks: Words  # [set, word] -> its things
    rows: Words  # [thing, word] -> the sets that contain it
    rarest: NDArray[np.int32]  # things, those in the fewest sets first
    everything: Words  # [word]
    largest: int  # things of the largest set


@lru_cache(maxsize=16)
def sets_of(problem: SetCover) -> Sets:
    """The arrays of an instance."""
    rows = [0] * problem.things
    for at, found in enumerate(problem.sets):
        for thing in found:
            rows[thing] |= 1 << at
    counts = [row.bit_count() for row in rows]
    return Sets(
        words(problem.masks, problem.things),
        words(rows, len(problem.masks)),
        np.array(sorted(range(problem.things), key=lambda thing: counts[thing]), np.int32),
        words([problem.everything], problem.things)[0],
        max(mask.bit_count() for mask in problem.masks),
    )


def words(masks: list[int] | tuple[int, ...], bits: int) -> Words:
    """[mask, word], the lowest 64 bits in the first word."""
    size = 8 * (-(-bits // WORD))
    data = b"".join(mask.to_bytes(size, "little") for mask in masks)
    return np.frombuffer(data, "<i8").astype(np.int64).reshape(len(masks), size // 8)


@kernel
def counted(mask: Words) -> int:
    """The number of bits set."""
    total = 0
    for word in mask:
        total += ones(word)
    return total


@kernel
def gain_of(mask: Words, missing: Words) -> int:
    """The number of missing things in a set."""
    total = 0
    for at in range(len(missing)):
        total += ones(mask[at] & missing[at])
    return total


@kernel
def fewest(gains: NDArray[np.int64], wanted: int) -> int:
    """The number of largest gains whose sum reaches `wanted`; `gains[n]` sets gain n.

    More than there are sets where all of them together do not.
    """
    taken = 0
    for gain in range(len(gains) - 1, 0, -1):
        many = gains[gain]
        if many * gain >= wanted:
            return taken + (wanted + gain - 1) // gain
        taken += many
        wanted -= many * gain
    return taken + 1 if wanted > 0 else taken


@kernel
def estimated(sets: Sets, missing: Words, how: int) -> int:
    """How many more sets are needed, by this estimate; 0 where nothing is missing."""
    wanted = counted(missing)
    if wanted == 0 or how == NO_ESTIMATE:
        return 0
    if how == LARGEST:
        return (wanted + sets.largest - 1) // sets.largest
    gains = np.zeros(sets.largest + 1, np.int64)
    most, total, having = 0, 0, 0
    for at in range(len(sets.masks)):
        gain = gain_of(sets.masks[at], missing)
        gains[gain] += 1
        total += gain
        having += gain > 0
        most = max(most, gain)
    if how == GAIN:
        return (wanted + most - 1) // most
    if how == GAINS:
        return fewest(gains, wanted)
    return (wanted * having + total - 1) // total


def greedy_cover(problem: SetCover) -> tuple[int, ...]:
    """The greedy cover; of equals the first set."""
    missing, chosen = problem.everything, []
    while missing:
        chosen.append(largest_gain(problem, missing))
        missing &= ~problem.masks[chosen[-1]]
    return tuple(chosen)


def largest_gain(problem: SetCover, missing: int) -> int:
    """The first set that has most of the missing things."""
    gains = [(mask & missing).bit_count() for mask in problem.masks]
    return gains.index(max(gains))
