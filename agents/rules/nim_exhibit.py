"""The exhibit and evidence of Nim players: the heaps in binary, and when misère play changes."""

from __future__ import annotations

from collections.abc import Collection
from string import ascii_lowercase

from agents.core import Fact
from agents.exhibits import BinaryHeap, Columns
from agents.formats import counted
from engine.nim import NimState, Take
from engine.nim_theory import nim_sum, remainders


def columns_exhibit(state: NimState, wanted: Collection[Take], wants: str) -> Columns:
    """The exhibit of the heaps in binary; `wanted` are the moves that leave what is wanted."""
    left = remainders(state)
    width = max(left).bit_length() or 1
    limit = state.rules.max_take
    return Columns(
        heaps=tuple(
            BinaryHeap(
                name=ascii_lowercase[heap],
                count=state.heaps[heap],
                digits=f"{digits:0{width}b}",
                leaves=tuple(
                    f"{nim_sum(state.play(move)):b}"
                    for move in state.legal_moves()
                    if move.heap == heap
                ),
                wanted=tuple(sorted(move.count for move in wanted if move.heap == heap)),
            )
            for heap, digits in enumerate(left)
        ),
        total=f"{nim_sum(state):0{width}b}",
        total_name="nim-sum"
        if limit is None
        else f"nim-sum of what is left over after {limit + 1}s",
        wants=wants,
        turn=misere_text(state),
    )


def misere_text(state: NimState) -> str:
    """A sentence on how misère play differs here; empty where the last object wins."""
    if state.rules.last == "wins":
        return ""
    left = remainders(state)
    large = sum(count >= 2 for count in left)
    over = "" if state.rules.max_take is None else f", counted modulo {state.rules.max_take + 1}"
    if large > 1:
        return (
            f"The last match loses, but {large} rows are larger than 1{over}: "
            "until one is left, the nim-sum is right all the same."
        )
    if large == 1:
        return (
            f"Here it turns: one row is larger than 1{over}. The player to move wins by leaving "
            "an odd number of rows of 1 and none larger, not by leaving nim-sum 0."
        )
    ones = left.count(1)
    parity, side = ("odd", "loses") if ones % 2 else ("even", "wins")
    return (
        f"It has turned: no row is larger than 1{over}, and {counted(ones, 'is', 'are')} 1: an "
        f"{parity} number, so the player to move {side}."
    )


def binary_facts(state: NimState) -> list[Fact]:
    """Evidence: each heap and their xor, in binary of the same width."""
    left = remainders(state)
    width = max(left).bit_length() or 1
    limit = state.rules.max_take
    modulus = "" if limit is None else f" mod {limit + 1}"
    heaps = [
        Fact(f"row {ascii_lowercase[heap]}{modulus}", f"{count:0{width}b}")
        for heap, count in enumerate(left)
    ]
    return [*heaps, Fact("nim-sum", f"{nim_sum(state):0{width}b}")]
