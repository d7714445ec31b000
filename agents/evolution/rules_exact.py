"""How many of its games a rule genome wins, exactly, for many genomes at once.

Nothing is sampled: the chances of every position are worked out from those below it, which hold
fewer objects. What a generation did can so be set beside the best that three genes can do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arrays.graph import graph_of
from agents.arrays.policies import policy_of
from agents.evolution.rules_kernel import ALL, FIRST, ODD
from engine.core import Game, Seat

TOGETHER = 32  # genomes at a time: a table of every move of every position for each
FINE = 5  # steps of the grid over `first` and `all`

Genomes = NDArray[np.float64]  # [genome, gene]


@dataclass(frozen=True, eq=False)
class Moves:
    """Every move of every position, as far as a rule genome looks at it."""

    share: NDArray[np.float64]  # [edge] -> of the heaps, how many are odd
    on_odd: NDArray[np.bool_]  # [edge] -> plays on the first odd heap
    on_first: NDArray[np.bool_]  # on the first that is not empty
    on_last: NDArray[np.bool_]
    takes_most: NDArray[np.bool_]
    takes_one: NDArray[np.bool_]
    levels: tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], ...]
    # by objects left, fewest first: states, their edges, where each state's edges begin


@lru_cache(maxsize=4)
def moves_of(game: Game[Any, Any]) -> Moves:
    graph = graph_of(game)
    states, takes = graph.tables.states, game.all_moves
    edges = [
        (states[state], takes[move]) for state, move in zip(graph.state, graph.move, strict=True)
    ]
    odd = [[heap for heap, count in enumerate(state.heaps) if count % 2] for state, _ in edges]
    filled = [[heap for heap, count in enumerate(state.heaps) if count] for state, _ in edges]
    heap = np.array([take.heap for _, take in edges])
    count = np.array([take.count for _, take in edges])
    most = np.array([state.rules.most(state.heaps[take.heap]) for state, take in edges])
    left = np.array([sum(state.heaps) for state in states])
    levels = []
    for objects in range(1, int(left.max()) + 1):
        here = np.flatnonzero((left == objects) & ~graph.tables.over)
        if len(here):
            spans = [np.arange(graph.board.first[s], graph.board.first[s + 1]) for s in here]
            starts = np.cumsum([0, *map(len, spans[:-1])])
            levels.append((here, np.concatenate(spans), starts))
    return Moves(
        share=np.array(
            [len(each) / len(state.heaps) for each, (state, _) in zip(odd, edges, strict=True)]
        ),
        on_odd=heap == np.array([each[0] if each else -1 for each in odd]),
        on_first=heap == np.array([each[0] for each in filled]),
        on_last=heap == np.array([each[-1] for each in filled]),
        takes_most=count == most,
        takes_one=count == 1,
        levels=tuple(levels),
    )


def wins_of(game: Game[Any, Any], reference: str, genomes: Genomes) -> NDArray[np.float64]:
    """[genome] -> the share of games won against the reference, half of them in either seat."""
    parts = [genomes[at : at + TOGETHER] for at in range(0, len(genomes), TOGETHER)]
    return np.concatenate([_wins_of(game, reference, part) for part in parts])


def _wins_of(game: Game[Any, Any], reference: str, genomes: Genomes) -> NDArray[np.float64]:
    graph = graph_of(game)
    theirs = graph.by_edge(policy_of(reference, game))[:, None]
    own = chances(moves_of(game), genomes)
    both = [_from_root(game, own, theirs, seat) for seat in Seat]
    return np.asarray((both[0] + both[1]) / 2)


def chances(moves: Moves, genomes: Genomes) -> NDArray[np.float64]:
    """[edge, genome] -> the chance of that move."""
    speaks = moves.share[:, None] > genomes[None, :, ODD]
    first, everything = genomes[None, :, FIRST], genomes[None, :, ALL]
    quiet = first * moves.on_first[:, None] + (1 - first) * moves.on_last[:, None]
    heap = np.where(speaks, moves.on_odd[:, None], quiet)
    much = everything * moves.takes_most[:, None] + (1 - everything) * moves.takes_one[:, None]
    return np.asarray(heap * much)


def _from_root(
    game: Game[Any, Any], own: NDArray[np.float64], theirs: NDArray[np.float64], seat: Seat
) -> NDArray[np.float64]:
    """[genome] -> the chance of winning from the start in that seat."""
    graph = graph_of(game)
    tables = graph.tables
    mine = tables.mover == int(seat)
    won = np.where(mine, tables.outcome > 0, tables.outcome < 0) & tables.over
    value = np.repeat(won[:, None].astype(np.float64), own.shape[1], axis=1)
    for states, edges, starts in moves_of(game).levels:
        chance = np.where(mine[graph.state[edges], None], own[edges], theirs[edges])
        value[states] = np.add.reduceat(chance * value[graph.board.after[edges]], starts, axis=0)
    return np.asarray(value[0])


@lru_cache(maxsize=8)
def best_of_a_grid(game: Game[Any, Any], reference: str) -> float:
    """The most that genomes win, tried over the whole of their space."""
    heaps = len(game.start.heaps)
    thresholds = np.arange(heaps + 1) / heaps  # between two of these `odd` makes no difference
    steps = np.linspace(0, 1, FINE)
    grid = np.array(np.meshgrid(thresholds, steps, steps)).reshape(3, -1).T
    return float(wins_of(game, reference, grid).max())
