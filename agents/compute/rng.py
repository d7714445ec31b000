"""Random numbers for kernels: a stream per seed and step (a game or a generation).

Kernels reseed with every step, so that a run is the same however it is cut into slices. The
generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
2014), a mixed counter, which costs nothing to reseed.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel

Stream = NDArray[np.uint64]  # [0], the counter

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # the counter's increment: 2^64 over the golden ratio
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
EXACT = 53  # bits of a float's mantissa


@kernel
def mixed(counter: np.uint64) -> np.uint64:
    """Mix the counter so that every bit depends on every other."""
    counter = (counter ^ (counter >> np.uint64(30))) * FIRST
    counter = (counter ^ (counter >> np.uint64(27))) * SECOND
    return counter ^ (counter >> np.uint64(31))


@kernel
def seed_stream(rng: Stream, seed: int, number: int) -> None:
    """Reset the stream to that of this seed and number."""
    rng[0] = mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)


@kernel
def word(rng: Stream) -> int:
    """64 random bits as a signed integer."""
    rng[0] += GAMMA
    return int(np.int64(mixed(rng[0])))


@kernel
def random(rng: Stream) -> float:
    """A uniform number in [0, 1)."""
    rng[0] += GAMMA
    return np.int64(mixed(rng[0]) >> np.uint64(64 - EXACT)) * (1.0 / (1 << EXACT))


@kernel
def below(rng: Stream, bound: int) -> int:
    """A uniform integer from 0 to bound - 1."""
    return int(random(rng) * bound)


@kernel
def normal(rng: Stream) -> float:
    """A standard normal number (Box and Muller 1958)."""
    radius = sqrt(-2.0 * log(1.0 - random(rng)))
    return radius * cos(2.0 * pi * random(rng))


def new_stream() -> Stream:
    return np.zeros(1, np.uint64)
