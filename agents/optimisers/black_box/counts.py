"""Counts of right bits inferred from the value of a black box.

Each group weighs a tenth of the one before, so the digits of the value are the digits of the
counts, carries included: few counts give the same value. All in integers, never in floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from agents.optimisers.entry import Answers

DECIMALS = 12  # of a value that are exact: enough for ten groups among 1,000 bits
MAX_GROUPS = 10
REACH = 5.5  # standard deviations: a random count is farther from the mean once in 10^7
SLACK = 1e-3  # for rounding errors, in units of the last decimal

Counts = tuple[int, ...]  # of the groups, in descending order


def shares(answers: Answers, bits: int) -> list[int] | None:
    """The values in units of 10^-9 shares of one bit; None where they are no multiples of that."""
    scaled = [float(answer) * 10**DECIMALS for answer in answers]
    whole = [round(number) * bits for number in scaled]
    unit = 10 ** (DECIMALS - MAX_GROUPS + 1)
    exact = all(abs(number - round(number)) <= SLACK for number in scaled)
    if not exact or any(number % unit for number in whole):
        return None
    return [number // unit for number in whole]


def groups_behind(numbers: Sequence[int]) -> int:
    """The number of groups of a box with these values: one, and one more for every decimal."""
    decimals = MAX_GROUPS - 1
    while decimals and all(number % 10 ** (MAX_GROUPS - decimals) == 0 for number in numbers):
        decimals -= 1
    return decimals + 1


def possible_counts(number: int, groups: int, low: int, high: int) -> Iterator[Counts]:
    """All counts from low to high that give this value, for so many groups."""
    number //= 10 ** (MAX_GROUPS - groups)  # in units of the last group's weight
    for tied in range(1, groups + 1):
        behind = groups - tied
        rest, over = divmod(number, 10 ** (tied - 1))
        if not over:
            most = (rest + high * sum(10**place for place in range(behind))) // (tied * 10**behind)
            yield from _counts(rest, behind, tied, low, min(high, most), ())


def _counts(
    number: int, behind: int, tied: int, low: int, high: int, found: Counts
) -> Iterator[Counts]:
    """The last digit gives the last count modulo 10; then the same for the one before."""
    if not behind:
        leading, over = divmod(number, tied)
        if not over and (found[0] < leading if found else low <= leading) and leading <= high:
            yield (*[leading] * tied, *found)
        return
    least = found[0] if found else low
    for count in range(least + (-number - least) % 10, high + 1, 10):
        yield from _counts((number + count) // 10, behind - 1, tied, low, high, (count, *found))


def counts_of_pair(number: int, mirrored: int, groups: int, size: int) -> Counts | None:
    """The counts of a random genome, from its value and its complement's; None where ambiguous.

    The first value determines the last count best, the second the first.
    """
    reach = REACH * sqrt(size) / 2
    low, high = max(0, int(size / 2 - reach)), min(size, int(size / 2 + reach) + 1)
    others = {
        complement(counts, size)
        for counts in possible_counts(mirrored, groups, size - high, size - low)
    }
    agreed = [counts for counts in possible_counts(number, groups, low, high) if counts in others]
    return agreed[0] if len(agreed) == 1 else None


def complement(counts: Counts, size: int) -> Counts:
    """The counts of the genome with every bit flipped."""
    return tuple(size - count for count in reversed(counts))
