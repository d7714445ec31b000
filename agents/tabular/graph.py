"""A tabulated game as a graph with an edge for each legal move of each state.

Learners keep one number per edge; the edges of state s are first[s] to first[s + 1], in the order
of its legal moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, random
from agents.tabular.exact import Policy
from agents.tabular.tables import Tables, tabulate
from engine.core import Game

MAX_PLIES = 512  # of games without a ply limit


class Edges(NamedTuple):
    """The arrays that kernels use."""

    first: NDArray[np.int32]  # [state + 1] -> edge
    after: NDArray[np.int32]  # [edge] -> state
    over: NDArray[np.bool_]  # [state]
    outcome: NDArray[np.int8]  # [state] -> +1, 0, -1 for the side to move


@dataclass(frozen=True, eq=False)
class Graph:
    """The edges of a game, and conversions between [edge] and [state, move]."""

    tables: Tables
    board: Edges
    state: NDArray[np.int32]  # [edge] -> the state it leaves
    move: NDArray[np.int32]  # [edge] -> the number of its move
    fallback: NDArray[np.float64]  # [edge] -> chance by the rule of agents.learning.fallback

    @property
    def max_plies(self) -> int:
        """The plies after which a training game is stopped."""
        return self.tables.game.ply_limit or MAX_PLIES

    def edges(self, state: int) -> slice:
        return slice(int(self.board.first[state]), int(self.board.first[state + 1]))

    def to_policy(self, by_edge: NDArray[np.float64]) -> Policy:
        """[edge] -> [state, move], 0 where a move is illegal."""
        policy = np.zeros(self.tables.successor.shape)
        policy[self.state, self.move] = by_edge
        return policy

    def by_edge(self, policy: Policy) -> NDArray[np.float64]:
        """[state, move] -> [edge]."""
        return policy[self.state, self.move]

    def best_of(self, value: NDArray[Any]) -> NDArray[np.bool_]:
        """[edge] -> whether no other edge of its state has a higher value."""
        highest = np.full(len(self.tables.states), -np.inf)
        np.maximum.at(highest, self.state, value)
        return np.asarray(value == highest[self.state])

    def evenly(self, among: NDArray[np.bool_]) -> NDArray[np.float64]:
        """[edge] -> equal chances for the chosen edges of each state."""
        return among / np.maximum(self.total(among), 1)[self.state]

    def total(self, by_edge: NDArray[Any]) -> NDArray[np.float64]:
        """[state] -> the sum over its edges."""
        sums = np.bincount(self.state, by_edge, minlength=len(self.tables.states))
        return sums.astype(np.float64)


@lru_cache(maxsize=8)
def graph_of(game: Game[Any, Any]) -> Graph:
    """The graph of a game (cached); raises TooLargeError."""
    tables = tabulate(game)
    state, move = np.nonzero(tables.legal)
    first = np.searchsorted(state, np.arange(len(tables.states) + 1)).astype(np.int32)
    after = tables.successor[state, move]
    board = Edges(first, after, tables.over, tables.outcome)
    bare = Graph(tables, board, state.astype(np.int32), move.astype(np.int32), np.empty(0))
    return Graph(tables, board, bare.state, bare.move, bare.evenly(_best_one_move_ahead(bare)))


def _best_one_move_ahead(graph: Graph) -> NDArray[np.bool_]:
    """[edge] -> whether it is among its state's best by looking one move ahead."""
    after, over, outcome = graph.board.after, graph.board.over, graph.board.outcome
    wins = over[after] & (outcome[after] < 0)
    won = graph.total(wins) > 0
    loses = over[after] & (outcome[after] > 0) | won[after]
    worth = wins.astype(np.int8) - loses
    return graph.best_of(worth)


@kernel
def draw(board: Edges, odds: NDArray[np.float64], state: int, rng: Stream) -> int:
    """A random edge of a state, by its odds (cumulated chances)."""
    edge = board.first[state]
    chance = random(rng)
    while odds[edge] <= chance:
        edge += 1
    return int(edge)


def cumulated(graph: Graph, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """[edge] -> cumulated chances within each state, for `draw`."""
    running = np.cumsum(chances)
    before = np.concatenate(([0.0], running))[graph.board.first[:-1]]
    odds = running - before[graph.state]
    odds[graph.board.first[1:][~graph.tables.over] - 1] = 1.0  # despite rounding
    return odds
