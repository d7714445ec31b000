"""The Nim expert: Bouton's theory for normal and misère play and any take limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Fact, Limit, conclude, even_chances
from agents.entry import Entry, Technique, only
from agents.rules.nim_exhibit import binary_facts, columns_exhibit
from engine.core import Seat, State
from engine.nim import NimRules, NimState, Take
from engine.nim_theory import nim_sum, remainders, winning_moves

MAX_ARRANGEMENTS = 10_000  # of the heaps; with more, only the next reply is considered


@dataclass(frozen=True, slots=True)
class NimExpert:
    """Leaves a lost position if it can; in one itself, plays the move hardest to answer."""

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
        survival = {} if winning else survival_chances(state)
        chances = even_chances(moves, _fastest(winning) if winning else _hardest(survival))
        candidates = [
            Candidate(move, 1.0 if move in winning else -1.0, chances[move], proven=True)
            for move in moves
        ]
        return conclude(
            candidates,
            lambda move: _winning_reason(state, move) if winning else _losing_reason(state, move),
            rng,
            evidence=[
                *binary_facts(state),
                Fact("winning moves", len(winning)),
                *_survival_fact(survival),
            ],
            exhibit=columns_exhibit(state, winning, "leaves a lost position") if show else None,
        )


def survival_chances(state: NimState) -> dict[Take, float]:
    """[move of a lost position] -> the chance that a random opponent keeps the win after it."""
    exact = prod(objects + 1 for objects in state.heaps) <= MAX_ARRANGEMENTS
    return {
        move: _survival(_sorted(state.play(move).heaps), state.rules, exact)
        for move in state.legal_moves()
    }


@lru_cache(maxsize=1 << 17)
def _survival(heaps: tuple[int, ...], rules: NimRules, exact: bool) -> float:
    """The chance that a random player, to move in a won position, keeps the win to the end."""
    if not heaps:
        return 1.0
    state = NimState(heaps, Seat.FIRST, rules)
    chance = 0.0
    for move in winning_moves(state):
        right = 1 / (len(heaps) * rules.most(heaps[move.heap]))
        chance += right * (_least_survival(state.play(move), exact) if exact else 1.0)
    return chance


def _least_survival(lost: NimState, exact: bool) -> float:
    """The chance that a random opponent keeps the win after the move that is hardest to answer."""
    after = {_sorted(lost.play(move).heaps) for move in lost.legal_moves()}
    return min((_survival(heaps, lost.rules, exact) for heaps in after), default=1.0)


def _sorted(heaps: tuple[int, ...]) -> tuple[int, ...]:
    """A cache key: the heaps sorted, without empty ones."""
    return tuple(sorted(objects for objects in heaps if objects))


def _fastest(winning: Sequence[Take]) -> list[Take]:
    """The winning moves that take most, for a short game."""
    most = max(move.count for move in winning)
    return [move for move in winning if move.count == most]


def _hardest(survival: dict[Take, float]) -> list[Take]:
    """The moves after which a random opponent is least likely to keep the win.

    Of equals those that take least: a longer game leaves more room for mistakes.
    """
    least = min(survival.values())
    hardest = [move for move, chance in survival.items() if chance == least]
    fewest = min(move.count for move in hardest)
    return [move for move in hardest if move.count == fewest]


def _winning_reason(state: NimState, move: Take) -> str:
    after = state.play(move)
    if after.outcome() is not None:
        return f"{move} takes the last match and wins."
    leaves = f"{move} leaves {after.heaps_text}"
    if sum(after.heaps) == 1:
        return f"{leaves}: the last match has to be taken."
    return f"{leaves}, {_pattern(after)}: it has an answer to every reply."


def _losing_reason(state: NimState, move: Take) -> str:
    stands = f"{state.heaps_text} is {_pattern(state)}, so every move loses against best play"
    after = state.play(move)
    if after.outcome() is not None:
        return f"{stands}; {move} is the last match."
    replies = len(after.legal_moves())
    right = len(winning_moves(after))
    if right == replies:
        return f"{stands}; after {move} no reply can go wrong."
    return f"{stands}; after {move} only {right} of {replies} replies would keep the win."


def _pattern(lost: NimState) -> str:
    """Why a position is lost for the side to move, in the words of the theory."""
    left = remainders(lost)
    limit = lost.rules.max_take
    if len(lost.heaps) == 1 and limit is not None:
        return f"{'a' if left[0] == 0 else 'one more than a'} multiple of {limit + 1}"
    modulus = "" if limit is None else f" mod {limit + 1}"
    if nim_sum(lost) == 0:
        return f"nim-sum 0{modulus}"
    ones = left.count(1)
    if limit is None:
        return "one single match" if ones == 1 else f"{ones} single matches, an odd number"
    return f"{ones} {'row' if ones == 1 else 'rows'} of 1{modulus} and none larger, an odd number"


def _survival_fact(survival: dict[Take, float]) -> list[Fact]:
    """Evidence on the least chance that a random opponent keeps the win, unless that is certain."""
    least = min(survival.values(), default=1.0)
    return [Fact("a random player holds on", f"1 game in {1 / least:,.0f}")] if least < 1 else []


ENTRIES = (
    Entry(
        key="nim-expert",
        title="Nim expert",
        technique=Technique.RULES,
        order=5,
        description=(
            "Knows the whole theory of Nim, for every rule of taking and for both endings. "
            "Where it stands lost, it plays the move that is hardest to answer."
        ),
        make=lambda game, options: NimExpert(),
        refuses=only("nim"),
        shows=True,
    ),
)
