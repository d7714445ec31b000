"""The Nim expert: Bouton's theory for normal and misère play and any take limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Fact, Limit, conclude, even_chances
from agents.rules.nim_columns import binary_facts, columns_of
from engine.core import Seat, State
from engine.nim import NimRules, NimState, Take
from engine.nim_theory import nim_sum, remainders, winning_moves

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


@dataclass(frozen=True, slots=True)
class NimExpert:
    """Plays to a lost position wherever it can; in one itself, it sets the best trap."""

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        moves = state.legal_moves()
        winning = winning_moves(state)
        holds = {} if winning else least_chances(state)
        chances = even_chances(moves, _fastest(winning) if winning else _hardest(holds))
        candidates = [
            Candidate(move, 1.0 if move in winning else -1.0, chances[move], proven=True)
            for move in moves
        ]
        return conclude(
            candidates,
            lambda move: _why_it_wins(state, move) if winning else _why_it_hopes(state, move),
            rng,
            evidence=[
                *binary_facts(state),
                Fact("winning moves", len(winning)),
                *_hope(holds),
            ],
            exhibit=columns_of(state, winning, "leaves a lost position") if show else None,
        )


def _fastest(winning: Sequence[Take]) -> list[Take]:
    """Of the winning moves those that take most: they all win, so the game may as well be short."""
    most = max(move.count for move in winning)
    return [move for move in winning if move.count == most]


def _hardest(holds: dict[Take, float]) -> list[Take]:
    """The moves after which a random opponent is least likely to play right to the end.

    Where several come to the same, those that take least: a longer game has more room for slips.
    """
    least = min(holds.values())
    hardest = [move for move, chance in holds.items() if chance == least]
    fewest = min(move.count for move in hardest)
    return [move for move in hardest if move.count == fewest]


def _why_it_wins(state: NimState, move: Take) -> str:
    after = state.play(move)
    if after.outcome() is not None:
        return f"{move} takes the last object and wins."
    leaves = f"{move} leaves {after.heaps_text}"
    if sum(after.heaps) == 1:
        return f"{leaves}: the last object has to be taken."
    return f"{leaves}, {_pattern(after)}: every reply can be answered."


def _why_it_hopes(state: NimState, move: Take) -> str:
    stands = f"{state.heaps_text} is {_pattern(state)}, so every move loses against best play"
    after = state.play(move)
    if after.outcome() is not None:
        return f"{stands}; {move} is the last object."
    replies = len(after.legal_moves())
    right = len(winning_moves(after))
    if right == replies:
        return f"{stands}; after {move} no reply can go wrong."
    return f"{stands}; after {move} only {right} of {replies} replies would keep the win."


def _pattern(lost: NimState) -> str:
    """What makes a position lost for whoever moves, in the words of the theory."""
    left = remainders(lost)
    limit = lost.rules.max_take
    if len(lost.heaps) == 1 and limit is not None:
        return f"{'a' if left[0] == 0 else 'one more than a'} multiple of {limit + 1}"
    modulus = "" if limit is None else f" mod {limit + 1}"
    if nim_sum(lost) == 0:
        return f"nim-sum 0{modulus}"
    ones = left.count(1)
    if limit is None:
        return "one single object" if ones == 1 else f"{ones} single objects, an odd number"
    return f"{ones} {'heap' if ones == 1 else 'heaps'} of 1{modulus} and none larger, an odd number"


def _hope(holds: dict[Take, float]) -> list[Fact]:
    """How rarely someone who plays at random would still win, where there is such a hope."""
    least = min(holds.values(), default=1.0)
    return [Fact("a random player holds on", f"1 game in {1 / least:,.0f}")] if least < 1 else []
