"""Traps for a lost Nim position: how likely someone who plays at random is to keep the win.

The model opponent picks a heap and then a count. From a lost position the best hope is the move
after which it is least likely to find every right answer to the end.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from engine.core import Seat
from engine.nim import NimRules, NimState, Take
from engine.nim_theory import winning_moves

FULL_SIGHT = 10_000  # heaps with more arrangements than this are looked at one reply deep


def least_chances(state: NimState) -> dict[Take, float]:
    """For each move of a lost position, the chance that a random opponent never slips after it."""
    sees_all = prod(objects + 1 for objects in state.heaps) <= FULL_SIGHT
    return {
        move: _holds(_sorted(state.play(move).heaps), state.rules, sees_all)
        for move in state.legal_moves()
    }


@lru_cache(maxsize=1 << 17)
def _holds(heaps: tuple[int, ...], rules: NimRules, sees_all: bool) -> float:
    """The chance that a random player, to move in a won position, plays right from here on."""
    if not heaps:
        return 1.0
    state = NimState(heaps, Seat.FIRST, rules)
    chance = 0.0
    for move in winning_moves(state):
        right = 1 / (len(heaps) * rules.most(heaps[move.heap]))
        chance += right * (_worst(state.play(move), sees_all) if sees_all else 1.0)
    return chance


def _worst(lost: NimState, sees_all: bool) -> float:
    """The same from a lost position, after the move that is hardest to answer."""
    after = {_sorted(lost.play(move).heaps) for move in lost.legal_moves()}
    return min((_holds(heaps, lost.rules, sees_all) for heaps in after), default=1.0)


def _sorted(heaps: tuple[int, ...]) -> tuple[int, ...]:
    """The heaps without their order and the empty ones: all that matters here."""
    return tuple(sorted(objects for objects in heaps if objects))
