"""Lindström's design of coin weighings (1965): k·2^(k-1) bits from 2^k - 1 sums.

A row x is a set of k things that is not empty, and so is a; a has one column for each of its
things. Column j of a is in row x where x ∩ a is one of the first 2^j odd subsets of a. Summed over
the subsets of a with alternating signs, columns of sets that do not hold a cancel out, and column j
of a itself gives -2^j: so, the largest sets first, the sums tell the bits as binary digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Which bits each sum is taken over, and how to read the bits off the sums."""

    rows: NDArray[np.bool_]  # [sum, bit]
    owners: NDArray[np.int64]  # [bit] -> the set a that its column belongs to
    digits: NDArray[np.int64]  # [bit] -> j

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
