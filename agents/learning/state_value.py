"""State values: V(s) for every position after a move, learned backwards over whole games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, random, seed_stream
from agents.core import Candidate, Fact
from agents.entry import Entry, Technique, only
from agents.formats import signed
from agents.learning.common import (
    EdgeAgent,
    EdgeLearner,
    Row,
    alpha_option,
    clipped,
    comparison,
    epsilon_option,
    gamma_option,
)
from agents.search.guided import search_option
from agents.tabular.graph import Edges, draw, graph_of
from agents.training.loop import Arrays, Points, games_option
from agents.training.opponents import Opponents, opponent_option
from engine.core import Game, State
from engine.options import Values


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    v: NDArray[np.float32],
    left: NDArray[np.int32],
    first: int,
    games: int,
    seed: int,
    alpha: float,
    gamma: float,
    epsilon: float,
    max_plies: int,
) -> None:
    """V(s) <- V(s) + alpha (gamma R - V(s)), R <- V(s), backwards over the states it moved to.

    R starts as the result. Without odds it plays both seats itself and learns from both.
    """
    rng = np.zeros(1, np.uint64)
    alone = len(odds) == 0
    path = np.empty(max_plies, np.int32)  # [ply] -> the state the move led to
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        seat = int(random(rng) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < max_plies:
            if alone or plies % 2 == seat:
                state = board.after[choose(board, v, state, epsilon, rng)]
            else:
                state = board.after[draw(board, odds, state, rng)]
            path[plies] = state
            plies += 1
        for last in range(max(0, plies - 2), plies):  # the last move of either seat
            if not alone and last % 2 != seat:
                continue
            own = 1.0 if (plies - last) % 2 == 0 else -1.0
            reward = own * board.outcome[state]
            for ply in range(last, -1, -2):
                s = path[ply]
                v[s] += alpha * (gamma * reward - v[s])
                left[s] += 1
                reward = v[s]


@kernel
def choose(board: Edges, v: NDArray[np.float32], state: int, epsilon: float, rng: Stream) -> int:
    """A random edge with chance epsilon, else one to the next state with the highest V."""
    here, end = board.first[state], board.first[state + 1]
    if random(rng) < epsilon:
        return int(here + random(rng) * (end - here))
    best = here
    for edge in range(here + 1, end):
        if v[board.after[edge]] > v[board.after[best]]:
            best = edge
    return int(best)


@dataclass(frozen=True, eq=False)
class StateValue(EdgeAgent):
    """Plays to the next state with the highest V."""

    name = "V"
    says = "V is what the position after a move has been worth to it: 1 won, −1 lost."
    depth = 1

    def candidate(self, move: Any, row: Row) -> Candidate[Any]:
        value = clipped(row.numbers[move], row.tried[move])
        return Candidate(move, value, row.chances[move], line=(move,))

    def reason(self, state: State[Any], move: Any, row: Row) -> str:
        met = f"met {row.tried[move]:,} times" if row.tried[move] else "never met"
        rated = f"rates {signed(row.numbers[move])} (+1 is a win)"
        leads = f"{move} leads to a position that it {met} in training and {rated}"
        return f"{leads}; {comparison(move, row.numbers)}"

    def evidence(self, state: State[Any], row: Row) -> list[Fact]:
        tried = row.tried.values()
        return [
            Fact("next states met", f"{sum(map(bool, tried))} of {len(tried)}"),
            *(Fact(f"V after {move}", round(value, 3)) for move, value in row.numbers.items()),
        ]

    @cached_property
    def coverage(self) -> str:
        left = len(np.unique(self.graph.board.after[self.tried > 0]))
        states = len(self.graph.tables.states)
        return f"It has left {left:,} of the {states - 1:,} positions that a move can lead to."


@dataclass(frozen=True)
class StateValues(EdgeLearner):
    """Learns the value of every position for the side that has just moved."""

    key = "state-value"
    reference = "random"
    points = Points(evenly=2_000)
    player = StateValue
    update = staticmethod(learn)

    def table(self, game: Game[Any, Any]) -> Arrays:
        states = len(graph_of(game).tables.states)
        return {"v": np.zeros(states, np.float32), "left": np.zeros(states, np.int32)}

    def parameters(self, game: Game[Any, Any], options: Values) -> tuple[Any, ...]:
        return tuple(options.number(name) for name in ("alpha", "gamma", "epsilon"))

    def by_edge(self, game: Game[Any, Any], table: Arrays) -> tuple[NDArray[Any], NDArray[Any]]:
        """Those of the state that the edge leads to."""
        after = graph_of(game).board.after
        return table["v"][after], table["left"][after]


def entry(opponents: Opponents) -> Entry:
    return StateValues(opponents).entry(
        title="State values",
        technique=Technique.LEARNING,
        order=3,
        description=(
            "Knows what each board is worth and moves to the best one it can reach. "
            "It learned by going back over every game it played, from the end to the start."
        ),
        options=(
            games_option(100_000),
            opponent_option("random"),
            alpha_option(0.05),
            gamma_option(0.9),
            epsilon_option(0.3),
            search_option(),
        ),
        refuses=only("tictactoe"),
    )
