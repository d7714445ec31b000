"""How many of its games each of many rule genomes wins: every position worked out, none sampled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.evolution.rules_kernel import ALL, FIRST, ODD
from agents.tabular.graph import Edges


class Heaps(NamedTuple):
    """What a rule genome looks at in every position and every move of it."""

    order: NDArray[np.int64]  # [place] -> state, those with fewer objects first
    mover: NDArray[np.int8]  # [state] -> seat
    share: NDArray[np.float64]  # [state] -> of the heaps, how many are odd
    odd: NDArray[np.int64]  # [state] -> the first odd heap, -1 for none
    first: NDArray[np.int64]  # [state] -> the first heap that is not empty
    last: NDArray[np.int64]  # [state] -> the last
    heap: NDArray[np.int64]  # [edge] -> the heap played on
    most: NDArray[np.bool_]  # [edge] -> takes all it may
    one: NDArray[np.bool_]  # [edge] -> takes one


@kernel
def win_shares(
    board: Edges,
    heaps: Heaps,
    theirs: NDArray[np.float64],  # [edge] -> the opponent's chance
    genomes: NDArray[np.float64],  # [genome, gene]
) -> NDArray[np.float64]:
    """[genome] -> the share of games it wins, half of them in either seat."""
    wins = np.zeros(len(genomes))
    value = np.zeros(len(board.over))  # [state] -> the chance of winning from there
    for at in range(len(genomes)):
        odd, first, everything = genomes[at, ODD], genomes[at, FIRST], genomes[at, ALL]
        for seat in range(2):
            for state in heaps.order:
                own = heaps.mover[state] == seat
                if board.over[state]:
                    result = board.outcome[state] if own else -board.outcome[state]
                    value[state] = 1.0 if result > 0 else 0.0
                    continue
                speaks = heaps.share[state] > odd
                total = 0.0
                for edge in range(board.first[state], board.first[state + 1]):
                    chance = theirs[edge]
                    if own:
                        chance = where(heaps, state, edge, speaks, first)
                        chance *= everything * heaps.most[edge] + (1 - everything) * heaps.one[edge]
                    total += chance * value[board.after[edge]]
                value[state] = total
            wins[at] += value[0] / 2
    return wins


@kernel
def where(heaps: Heaps, state: int, edge: int, speaks: bool, first: float) -> float:
    """The chance of playing on the heap of a move, as `rules_kernel.pick` draws it."""
    heap = heaps.heap[edge]
    if speaks:
        return 1.0 if heap == heaps.odd[state] else 0.0
    chance = first if heap == heaps.first[state] else 0.0
    return chance + 1.0 - first if heap == heaps.last[state] else chance
