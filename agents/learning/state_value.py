"""State values: V(s) for every position after a move, learned backwards over whole games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, random, seed_stream
from agents.core import Candidate, Fact
from agents.formats import signed
from agents.learning.common import TableAgent, clipped, comparison, greedy_chances
from agents.tabular.graph import Edges, Graph, draw, graph_of
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, begin, course, kernel_seed, resumed
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, State
from engine.options import Values

KEY = "state-value"
REFERENCE = "random"
POINTS = Points(evenly=2_000)
SAYS = "V is what the position after a move has been worth to it: 1 won, −1 lost."


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
    cap: int,
) -> None:
    """V(s) <- V(s) + alpha (gamma R - V(s)), R <- V(s), backwards over the states it moved to.

    R starts as the result. Without odds it plays both seats itself and learns from both.
    """
    luck = np.zeros(1, np.uint64)
    alone = len(odds) == 0
    path = np.empty(cap, np.int32)  # [ply] -> the state the move led to
    for game in range(first, first + games):
        seed_stream(luck, seed, game)
        seat = int(random(luck) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < cap:
            if alone or plies % 2 == seat:
                state = board.after[choose(board, v, state, epsilon, luck)]
            else:
                state = board.after[draw(board, odds, state, luck)]
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
def choose(board: Edges, v: NDArray[np.float32], state: int, epsilon: float, luck: Luck) -> int:
    """A random edge with chance epsilon, else one to the next state with the highest V."""
    here, end = board.first[state], board.first[state + 1]
    if random(luck) < epsilon:
        return int(here + random(luck) * (end - here))
    best = here
    for edge in range(here + 1, end):
        if v[board.after[edge]] > v[board.after[best]]:
            best = edge
    return int(best)


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Train the value of every position for the side that has just moved."""
    graph = graph_of(game)
    states = len(graph.tables.states)
    total = options.integer("games")
    brain = begin(KEY, game, options, seed, REFERENCE)
    v, left = np.zeros(states, np.float32), np.zeros(states, np.int32)
    if resume is not None:
        brain = resumed(resume, brain, total)
        old_v, old_left = read(brain, graph)
        v, left = v + old_v, left + old_left
    odds = opponents.odds(options.text("opponent"), game)
    alpha, gamma, epsilon = (options.number(name) for name in ("alpha", "gamma", "epsilon"))
    after, root = graph.board.after, kernel_seed(seed)

    def learn_games(first: int, games: int) -> None:
        learn(graph.board, odds, v, left, first, games, root, alpha, gamma, epsilon, graph.cap)

    def measure() -> dict[str, float]:
        return opponents.results(
            REFERENCE, game, graph.spread_out(greedy_chances(graph, v[after], left[after]))
        )

    return course(
        brain, total, POINTS, Lessons(learn_games, measure, lambda: {"v": v, "left": left})
    )


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """(v, left) by state; raises UnsuitableBrainError."""
    states = (len(graph.tables.states),)
    return brain.array("v", states, np.float32), brain.array("left", states, np.int32, low=0)


@dataclass(frozen=True, eq=False)
class StateValue(TableAgent):
    """Plays to the next state with the highest V."""

    name = "V"
    says = SAYS
    depth = 1

    @classmethod
    def of(cls, opponents: Opponents, game: Game[Any, Any], brain: Brain) -> StateValue:
        graph = graph_of(game)
        v, left = read(brain, graph)
        after = graph.board.after
        return cls(opponents, graph, brain, v[after], left[after])

    def candidate(
        self, move: Any, chance: float, numbers: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Candidate[Any]:
        return Candidate(move, clipped(numbers[move], tried[move]), chance, line=(move,))

    def reason(
        self,
        state: State[Any],
        move: Any,
        numbers: Mapping[Any, float],
        tried: Mapping[Any, int],
    ) -> str:
        met = f"met {tried[move]:,} times" if tried[move] else "never met"
        leads = f"{move} leads to {state.play(move)}, {met} and worth {signed(numbers[move])}"
        return f"{leads}; {comparison(move, numbers, 'next states are worth')}"

    def evidence(self, numbers: Mapping[Any, float], tried: Mapping[Any, int]) -> list[Fact]:
        return [
            Fact("next states met", f"{sum(map(bool, tried.values()))} of {len(tried)}"),
            *(Fact(f"V after {move}", round(value, 3)) for move, value in numbers.items()),
        ]

    @cached_property
    def coverage(self) -> str:
        left = len(np.unique(self.graph.board.after[self.tried > 0]))
        states = len(self.graph.tables.states)
        return f"It has left {left:,} of the {states - 1:,} positions that a move can lead to."
