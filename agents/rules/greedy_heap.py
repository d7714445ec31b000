"""Greedy on heaps: all of the first heap that has any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase
from typing import Any

from agents.core import Analysis, Candidate, Fact, Limit, Measure, conclude, even_chances
from agents.rules.nim_columns import columns_of
from engine.core import State
from engine.nim import NimState, Take


def greedy_move(state: NimState) -> Take:
    """As many as one turn allows from the first heap that is not empty."""
    heap = next(at for at, objects in enumerate(state.heaps) if objects)
    return Take(heap, state.rules.most(state.heaps[heap]))


@dataclass(frozen=True, slots=True)
class GreedyHeap:
    """The same move every time: it looks at one heap and never at the others."""

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
        greedy = greedy_move(state)
        chances = even_chances(moves, [greedy])
        candidates = [Candidate(move, chance=chances[move]) for move in moves]
        return conclude(
            candidates,
            lambda move: _reason(state, move),
            rng,
            evidence=[Fact("first heap left", ascii_lowercase[greedy.heap])],
            measure=Measure.CHANCE,
            exhibit=columns_of(state, [greedy], "is what it takes, whatever the columns say")
            if show
            else None,
        )


def _reason(state: NimState, move: Take) -> str:
    name, holds = ascii_lowercase[move.heap], state.heaps[move.heap]
    if move.count == holds:
        return f"Heap {name} is the first that is not empty, so all of it goes: {holds}."
    return f"Heap {name} is the first that is not empty; {move.count} is the most a turn may take."
