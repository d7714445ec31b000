"""What one number of a black box says about the counts behind it.

Groups weigh a tenth of the one before, so the digits of the number are the digits of the counts,
carries included: few counts give the same number. All on whole numbers, never on floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from agents.optimisers.entry import Answers

EXACT = 12  # decimals of a number that can be told apart: those of ten groups among 1,000 bits
MOST_GROUPS = 10
REACH = 5.5  # standard deviations: what is drawn is farther from the mean once in 10^7
SLACK = 1e-3  # of the last of those decimals

Counts = tuple[int, ...]  # of the groups, in descending order


def shares(answers: Answers, bits: int) -> list[int] | None:
    """The numbers in units of 10^-9 shares of one bit; None where they are no such numbers."""
    scaled = [float(answer) * 10**EXACT for answer in answers]
    whole = [round(number) * bits for number in scaled]
    unit = 10 ** (EXACT - MOST_GROUPS + 1)
    exact = all(abs(number - round(number)) <= SLACK for number in scaled)
    if not exact or any(number % unit for number in whole):
        return None
    return [number // unit for number in whole]


def groups_behind(numbers: Sequence[int]) -> int:
    """How many groups must be behind the numbers: one, and one more for every decimal."""
    decimals = MOST_GROUPS - 1
    while decimals and all(number % 10 ** (MOST_GROUPS - decimals) == 0 for number in numbers):
        decimals -= 1
    return decimals + 1


def possible_counts(number: int, groups: int, low: int, high: int) -> Iterator[Counts]:
    """All counts from low to high that give this number, for so many groups."""
    number //= 10 ** (MOST_GROUPS - groups)  # in units of what the last group takes off
    for tied in range(1, groups + 1):
        behind = groups - tied
        rest, over = divmod(number, 10 ** (tied - 1))
        if not over:
            most = (rest + high * sum(10**place for place in range(behind))) // (tied * 10**behind)
            yield from _counts(rest, behind, tied, low, min(high, most), ())


def _counts(
    number: int, behind: int, tied: int, low: int, high: int, found: Counts
) -> Iterator[Counts]:
    """The last digit tells the last count up to tens; and so on to the front."""
    if not behind:
        leading, over = divmod(number, tied)
        if not over and (found[0] < leading if found else low <= leading) and leading <= high:
            yield (*[leading] * tied, *found)
        return
    least = found[0] if found else low
    for count in range(least + (-number - least) % 10, high + 1, 10):
        yield from _counts((number + count) // 10, behind - 1, tied, low, high, (count, *found))


def counts_of_pair(number: int, mirrored: int, groups: int, size: int) -> Counts | None:
    """The counts of a random genome, from its number and that of its complement.

    The first tells the last count best, the second the first; None where they leave a doubt.
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
