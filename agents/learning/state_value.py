"""State values: V(s) for every position it leaves behind, learned backwards over whole games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, random, seed_stream
from agents.core import Analysis, Candidate, Effort, Fact, Limit, conclude
from agents.exhibits import Numbers
from agents.formats import signed
from agents.learning.fallback import improvise
from agents.learning.memory import beside, known, numbers_of, schooling
from agents.tabular.graph import Edges, Graph, draw, graph_of
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, begin, course, kernel_seed, resumed
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
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
    cap: int,
) -> None:
    """V(s) <- V(s) + alpha (gamma R - V(s)), R <- V(s), backwards over the states it left.

    R begins as the result. Without odds it plays both seats itself and learns from both.
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
    """The edge to the best next state; any edge with chance epsilon."""
    here, end = board.first[state], board.first[state + 1]
    if random(luck) < epsilon:
        return int(here + random(luck) * (end - here))
    best = here
    for edge in range(here + 1, end):
        if v[board.after[edge]] > v[board.after[best]]:
            best = edge
    return int(best)


KEY = "state-value"
REFERENCE = "random"
POINTS = Points(evenly=2_000)
SAYS = "V is what the position after a move has been worth to it: 1 won, −1 lost."


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Learn what every position is worth to whoever has just moved into it."""
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
    root = kernel_seed(seed)

    def stretch(first: int, games: int) -> None:
        learn(graph.board, odds, v, left, first, games, root, alpha, gamma, epsilon, graph.cap)

    def measure() -> dict[str, float]:
        return opponents.results(REFERENCE, game, graph.spread_out(chances(graph, v, left)))

    return course(brain, total, POINTS, Lessons(stretch, measure, lambda: {"v": v, "left": left}))


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """(v, left) by state; raises UnsuitableBrainError."""
    states = (len(graph.tables.states),)
    return brain.array("v", states, np.float32), brain.array("left", states, np.int32, low=0)


def chances(graph: Graph, v: NDArray[np.float32], left: NDArray[np.int32]) -> NDArray[np.float64]:
    """[edge] -> how it plays: to the best next state, by plain sense where it knows none."""
    after = graph.board.after
    met = graph.total(left[after]) > 0
    return np.where(met[graph.state], graph.evenly(graph.best_of(v[after])), graph.sensible)


@dataclass(frozen=True, eq=False)
class StateValue:
    """Plays to the next state with the highest V."""

    opponents: Opponents
    graph: Graph
    brain: Brain
    v: NDArray[np.float32]  # [state]
    left: NDArray[np.int32]  # [state] -> how often it moved there
    chances: NDArray[np.float64]  # [edge]

    @classmethod
    def of(cls, opponents: Opponents, game: Game[Any, Any], brain: Brain) -> StateValue:
        graph = graph_of(game)
        v, left = read(brain, graph)
        return cls(opponents, graph, brain, v, left, chances(graph, v, left))

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        begun = perf_counter()
        at = self.graph.tables.number.get(state)
        edges = slice(0) if at is None else self.graph.edges(at)
        after = self.graph.board.after[edges]
        if not self.left[after].any():
            said = improvise(state, limit, rng, schooling(self.brain))
            return replace(said, exhibit=self._numbers(state, {}, {}) if show else None)
        moves = state.legal_moves()
        v = dict(zip(moves, self.v[after].tolist(), strict=True))
        left = dict(zip(moves, self.left[after].tolist(), strict=True))
        candidates = [
            Candidate(move, known(v[move], left[move]), chance, line=(move,))
            for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
        ]
        return conclude(
            candidates,
            lambda move: explain(state, move, v, left),
            rng,
            evidence=[
                Fact("next states met", f"{sum(map(bool, left.values()))} of {len(moves)}"),
                *(Fact(f"V after {move}", round(value, 3)) for move, value in v.items()),
                *schooling(self.brain),
            ],
            effort=Effort(nodes=len(moves), depth=1, seconds=perf_counter() - begun),
            exhibit=self._numbers(state, v, left) if show else None,
        )

    def _numbers(
        self, state: State[Any], v: Mapping[Any, float], left: Mapping[Any, int]
    ) -> Numbers:
        game = self.graph.tables.game
        return numbers_of(
            self.opponents, game, self.brain, state, v, left, self._known, name="V", says=SAYS
        )

    @cached_property
    def _known(self) -> str:
        over = self.graph.tables.over
        left = int((self.left > 0).sum())
        return f"It has left {left:,} of the {len(over) - 1:,} positions that a move can lead to."


def explain(state: State[Any], move: Any, v: dict[Any, float], left: dict[Any, int]) -> str:
    """Why this move, from the numbers alone."""
    seen = f"met {left[move]:,} times" if left[move] else "never met"
    told = f"{move} leads to {state.play(move)}, {seen} and worth {signed(v[move])}"
    return f"{told}; {beside(move, v, 'next states are worth')}"
