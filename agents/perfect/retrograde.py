"""Retrograde analysis: from the ends backwards, the exact value of every state, cycles and all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.tabular.tables import Tables, tabulate
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
    """Ply by ply from the ends: a state is won as soon as one move leads to a lost one, and lost
    once every move leads to a won one. So wins come out quickest and losses slowest. What is
    never settled is drawn: either side can hold on for ever, or to a drawn end.
    """
    value = tables.outcome.copy()
    plies = np.where(tables.over, 0, ENDLESS).astype(np.int16)
    unsettled = np.flatnonzero(~tables.over)
    ply = 0
    while unsettled.size:
        ply += 1
        after = tables.successor[unsettled]  # [unsettled state, move]
        legal, settled = after >= 0, plies[after] != ENDLESS
        won = (legal & settled & (value[after] < 0)).any(axis=1)
        lost = (~legal | settled & (value[after] > 0)).all(axis=1)
        if not (won | lost).any():
            break
        value[unsettled[won]] = 1
        value[unsettled[lost]] = -1
        plies[unsettled[won | lost]] = ply
        unsettled = unsettled[~(won | lost)]
    _count_drawn(tables, value, plies)
    return Solution(tables, value, plies)


def _count_drawn(tables: Tables, value: NDArray[np.int8], plies: NDArray[np.int16]) -> None:
    """Fill in the plies of draws that end on the board, such as a full one: the fewest."""
    uncounted = np.flatnonzero(plies == ENDLESS)
    ply = 0
    while uncounted.size:
        ply += 1
        after = tables.successor[uncounted]
        drawn_next = (after >= 0) & (value[after] == 0) & (plies[after] == ply - 1)
        nearer = drawn_next.any(axis=1)
        if not nearer.any():
            break
        plies[uncounted[nearer]] = ply
        uncounted = uncounted[~nearer]
