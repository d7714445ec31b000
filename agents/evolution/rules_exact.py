"""How many of its games a rule genome wins, exactly, for many genomes at once.

Nothing is sampled, so what a generation did can be set beside the best that three genes can do.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.evolution.wins_kernel import Heaps, win_shares
from agents.tabular.graph import graph_of
from agents.tabular.policies import policy_of
from engine.core import Game

FINE = 3  # steps of the grid over `first` and `all`


@lru_cache(maxsize=4)
def heaps_of(game: Game[Any, Any]) -> Heaps:
    """Every position and move of a game of Nim as rule genomes see it."""
    graph = graph_of(game)
    tables = graph.tables
    objects = np.array([state.heaps for state in tables.states])  # [state, heap]
    heap = np.array([take.heap for take in game.all_moves])[graph.move]
    count = np.array([take.count for take in game.all_moves])[graph.move]
    most = np.array([game.start.rules.most(held) for held in range(objects.max() + 1)])
    odd, filled = objects % 2 == 1, objects > 0
    return Heaps(
        order=np.argsort(objects.sum(axis=1), kind="stable"),
        mover=tables.mover,
        share=odd.mean(axis=1),
        odd=np.where(odd.any(axis=1), odd.argmax(axis=1), -1),
        first=filled.argmax(axis=1),
        last=objects.shape[1] - 1 - filled[:, ::-1].argmax(axis=1),
        heap=heap,
        most=count == most[objects[graph.state, heap]],
        one=count == 1,
    )


def wins_of(
    game: Game[Any, Any], reference: str, genomes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[genome] -> the share of games won against the reference, half of them in either seat."""
    graph = graph_of(game)
    theirs = graph.by_edge(policy_of(reference, game))
    return np.asarray(win_shares(graph.board, heaps_of(game), theirs, genomes))


@lru_cache(maxsize=8)
def best_of_a_grid(game: Game[Any, Any], reference: str) -> float:
    """The most that genomes win, tried over the whole of their space."""
    heaps = len(game.start.heaps)
    thresholds = np.arange(heaps + 1) / heaps  # between two of these `odd` makes no difference
    steps = np.linspace(0, 1, FINE)
    grid = np.array(np.meshgrid(thresholds, steps, steps)).reshape(3, -1).T
    return float(wins_of(game, reference, np.ascontiguousarray(grid)).max())
