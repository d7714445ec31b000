"""Boards as bit masks: what every kernel of Quixo does with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel


@kernel
def ones(mask: int) -> int:
    """How many bits are set. The compiler knows this idiom: it becomes one instruction."""
    mask -= (mask >> 1) & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56


@kernel
def slid(mask: int, slide: Sequence[int]) -> int:
    """The mask after the cubes of a push have slid, the pushed one still in the hand.

    A slide is a row of `slides_of`: source, stay, sliding, up, down, entry.
    """
    return (mask & slide[1]) | (mask & slide[2]) << slide[3] >> slide[4]


@kernel
def has_line(mask: int, lines: NDArray[np.int64]) -> bool:
    """Whether the mask holds a whole row, column or main diagonal."""
    for line in lines:  # noqa: SIM110 - numba compiles no generator
        if mask & line == line:
            return True
    return False
