"""Bouton's theory of Nim, for any heaps, last object and take limit."""

from __future__ import annotations

from functools import reduce
from operator import xor

from engine.core import Verdict
from engine.nim import NimRules, NimState, Take


def remainders(state: NimState) -> tuple[int, ...]:
    """The heaps, mod (k + 1) where at most k objects may be taken."""
    limit = state.rules.max_take
    return state.heaps if limit is None else tuple(heap % (limit + 1) for heap in state.heaps)


def nim_sum(state: NimState) -> int:
    """The xor of the remainders (Bouton 1901)."""
    return reduce(xor, remainders(state), 0)


def is_lost(state: NimState) -> bool:
    """Whether the side to move loses against best play."""
    left = remainders(state)
    if _is_parity_reversed(state.rules, left):
        return sum(left) % 2 == 1
    return nim_sum(state) == 0


def verdict(state: NimState) -> Verdict:
    """Who wins with best play; the plies to the end are unknown before the end."""
    if (outcome := state.outcome()) is not None:
        return Verdict(outcome.score(state.to_move), 0)
    return Verdict(-1 if is_lost(state) else 1, None)


def verdicts(state: NimState) -> dict[Take, Verdict]:
    """The verdict on every move for its player, without playing them."""
    wins, loses = Verdict(1, None), Verdict(-1, None)
    found = dict.fromkeys(state.legal_moves(), loses) | dict.fromkeys(winning_moves(state), wins)
    left = sum(state.heaps)
    ending = (move for move in found if move.count == left)
    return found | {move: Verdict(found[move].value, 1) for move in ending}


def _is_parity_reversed(rules: NimRules, left: tuple[int, ...]) -> bool:
    """Whether every remainder is 0 or 1 in misère play, where parity decides the other way."""
    return rules.last == "loses" and max(left) <= 1


def winning_moves(state: NimState) -> tuple[Take, ...]:
    """The moves that leave a lost position, at most one per heap."""
    limit = state.rules.max_take
    left = remainders(state)
    total = nim_sum(state)
    moves = []
    for heap, objects in enumerate(state.heaps):
        others = (*left[:heap], *left[heap + 1 :])
        needed = total ^ left[heap]  # the remainder that makes the xor 0
        if _is_parity_reversed(state.rules, (0, *others)):
            needed ^= 1
        count = objects - needed
        if limit is not None:
            # Some xors are no remainder: 2 ^ 1 is 3, but nothing is 3 mod 3.
            count = count % (limit + 1) if needed <= limit else 0
        if 1 <= count <= objects:
            moves.append(Take(heap, count))
    return tuple(moves)
