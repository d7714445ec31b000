"""What a Nim player can point at: the heaps and their nim-sum in binary, one below the other."""

from __future__ import annotations

from string import ascii_lowercase

from agents.core import Fact
from engine.nim import NimState
from engine.nim_theory import nim_sum, remainders


def binary_facts(state: NimState) -> list[Fact]:
    """Each heap and the xor of them all, written to the same width."""
    left = remainders(state)
    width = max(left).bit_length() or 1
    limit = state.rules.max_take
    modulus = "" if limit is None else f" mod {limit + 1}"
    heaps = [
        Fact(f"heap {ascii_lowercase[heap]}{modulus}", f"{count:0{width}b}")
        for heap, count in enumerate(left)
    ]
    return [*heaps, Fact("nim-sum", f"{nim_sum(state):0{width}b}")]
