"""Retrograde analysis: from the ends backwards, the exact value of every state, cycles and all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.kernels import kernel
from agents.tables import Tables, tabulate
from engine.core import Game

ENDLESS = -1


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of every tabulated state for the side to move, and the plies to its end."""

    tables: Tables
    value: NDArray[np.int8]  # [state] -> +1 won, 0 drawn, -1 lost
    plies: NDArray[np.int16]  # [state] -> with best play; ENDLESS for a draw nobody need end


def solve(game: Game[Any, Any], root: Any = None) -> Solution:
    """The solution of a game small enough to tabulate; raises TooLargeError."""
    return _solve(tabulate(game, root))


@lru_cache(maxsize=16)
def _solve(tables: Tables) -> Solution:
    first, before = tables.predecessors()
    moves = tables.legal.sum(axis=1).astype(np.int32)
    value, plies = retrograde(first, before, moves, tables.over, tables.outcome)
    count_drawn(first, before, tables.over, value, plies)
    return Solution(tables, value, plies)


@kernel
def retrograde(
    first: NDArray[np.int32],
    before: NDArray[np.int32],
    moves: NDArray[np.int32],
    over: NDArray[np.bool_],
    outcome: NDArray[np.int8],
) -> tuple[NDArray[np.int8], NDArray[np.int16]]:
    """The value of every state, and the plies to the end of those won or lost.

    Breadth first from the ends: a state is won as soon as one move leads to a lost one, and lost
    once every move leads to a won one. The order makes wins quickest and losses slowest. What is
    never reached is drawn: either side can hold on for ever, or to a drawn end.
    """
    states = len(over)
    value = np.zeros(states, np.int8)
    plies = np.full(states, ENDLESS, np.int16)
    escapes = moves.copy()  # moves not yet known to give the opponent a win
    queue = np.empty(states, np.int32)
    tail = 0
    for state in range(states):
        if over[state] and outcome[state] != 0:
            value[state] = outcome[state]
            plies[state] = 0
            queue[tail] = state
            tail += 1
    head = 0
    while head < tail:
        state = queue[head]
        head += 1
        for edge in range(first[state], first[state + 1]):
            earlier = before[edge]
            if plies[earlier] != ENDLESS:
                continue
            if value[state] < 0:
                value[earlier] = 1
            else:
                escapes[earlier] -= 1
                if escapes[earlier] > 0:
                    continue
                value[earlier] = -1
            plies[earlier] = plies[state] + 1
            queue[tail] = earlier
            tail += 1
    return value, plies


@kernel
def count_drawn(
    first: NDArray[np.int32],
    before: NDArray[np.int32],
    over: NDArray[np.bool_],
    value: NDArray[np.int8],
    plies: NDArray[np.int16],
) -> None:
    """Fill in the plies of draws that end on the board, such as a full one: the fewest."""
    states = len(over)
    queue = np.empty(states, np.int32)
    tail = 0
    for state in range(states):
        if over[state] and value[state] == 0:
            plies[state] = 0
            queue[tail] = state
            tail += 1
    head = 0
    while head < tail:
        state = queue[head]
        head += 1
        for edge in range(first[state], first[state + 1]):
            earlier = before[edge]
            if value[earlier] == 0 and plies[earlier] == ENDLESS:
                plies[earlier] = plies[state] + 1
                queue[tail] = earlier
                tail += 1
