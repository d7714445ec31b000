"""Random numbers that follow from a seed and a number: of the game, or of the generation.

Kernels of training draw from here, and begin anew with every game. So the games of a run are the
same however it is cut into stretches. The generator is SplitMix64 (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", 2014): a counter, mixed; to begin anew costs nothing.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel

Luck = NDArray[np.uint64]  # [0], the counter

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # from one number to the next: 2^64 over the golden ratio
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
EXACT = 53  # bits of a float


@kernel
def mixed(counter: np.uint64) -> np.uint64:
    """A number in which every bit hangs on every bit of the counter."""
    counter = (counter ^ (counter >> np.uint64(30))) * FIRST
    counter = (counter ^ (counter >> np.uint64(27))) * SECOND
    return counter ^ (counter >> np.uint64(31))


@kernel
def seed_stream(luck: Luck, seed: int, number: int) -> None:
    """Draw from here on what belongs to this seed and this number."""
    luck[0] = mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)


@kernel
def word(luck: Luck) -> int:
    """64 bits, as a signed number."""
    luck[0] += GAMMA
    return int(np.int64(mixed(luck[0])))


@kernel
def random(luck: Luck) -> float:
    """A number from 0 to below 1."""
    luck[0] += GAMMA
    return np.int64(mixed(luck[0]) >> np.uint64(64 - EXACT)) * (1.0 / (1 << EXACT))


@kernel
def below(luck: Luck, bound: int) -> int:
    """A whole number from 0 to bound - 1."""
    return int(random(luck) * bound)


@kernel
def normal(luck: Luck) -> float:
    """A number from the standard normal distribution (Box and Muller 1958)."""
    radius = sqrt(-2.0 * log(1.0 - random(luck)))
    return radius * cos(2.0 * pi * random(luck))


def new_luck() -> Luck:
    return np.zeros(1, np.uint64)
