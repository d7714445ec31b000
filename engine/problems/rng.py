"""Numbers that follow from a seed, the same on every machine and with every Python.

The engine knows no chance: a seed is part of what a spec names, and these are what it means.
The generator is SplitMix64 (Steele, Lea and Flood 2014).
"""

from __future__ import annotations

from collections.abc import Iterator

WORD = 1 << 64
GAMMA = 0x9E3779B97F4A7C15  # from one number to the next: 2^64 over the golden ratio


def stream(seed: int) -> Iterator[int]:
    """Whole numbers from 0 to 2^64 - 1, without end."""
    counter = _mixed((seed + GAMMA) % WORD)
    while True:
        counter = (counter + GAMMA) % WORD
        yield _mixed(counter)


def shuffled(count: int, numbers: Iterator[int]) -> list[int]:
    """0 to count - 1 in an order that these numbers decide (Fisher and Yates)."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = next(numbers) * (last + 1) // WORD
        order[last], order[other] = order[other], order[last]
    return order


def _mixed(number: int) -> int:
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    number = (number ^ (number >> 27)) * 0x94D049BB133111EB % WORD
    return number ^ (number >> 31)
