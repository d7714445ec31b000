"""Pseudorandom numbers from a seed that is part of a spec: SplitMix64 (Steele, Lea, Flood 2014).

Our own, so that a spec means the same instance on every machine and Python version.
"""

from __future__ import annotations

from collections.abc import Iterator

WORD = 1 << 64
GAMMA = 0x9E3779B97F4A7C15  # the counter's increment: 2^64 over the golden ratio


def stream(seed: int) -> Iterator[int]:
    """An endless stream of integers from 0 to 2^64 - 1."""
    counter = _mixed((seed + GAMMA) % WORD)
    while True:
        counter = (counter + GAMMA) % WORD
        yield _mixed(counter)


def shuffled(count: int, numbers: Iterator[int]) -> list[int]:
    """0 to count - 1, shuffled by these numbers (Fisher and Yates)."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = next(numbers) * (last + 1) // WORD
        order[last], order[other] = order[other], order[last]
    return order


def _mixed(number: int) -> int:
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % WORD
    return number ^ (number >> 31)
