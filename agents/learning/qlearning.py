"""Q-learning (Watkins 1989) over every state of a small game, by self-play or against anyone."""

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
from agents.learning import memory
from agents.learning.fallback import guess, improvise
from agents.learning.memory import (
    beside,
    edges_met,
    known,
    numbers_of,
    positions_met,
    schooling,
    tries,
)
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
    q: NDArray[np.float32],
    tried: NDArray[np.int32],
    drawn: NDArray[np.float64],
    first: int,
    games: int,
    seed: int,
    alpha: float,
    half: float,
    gamma: float,
    epsilon: float,
    spread: bool,
    anywhere: bool,
    cap: int,
) -> None:
    """Q(s, a) <- (1 - alpha) Q(s, a) + alpha (r + gamma max Q(s', .)) after each of many games.

    s' is the next state in which the learner moves. Without odds it plays both seats itself.
    The games are those from number `first` on; by number `half`, alpha has come down to a half.
    drawn[edge] is what a draw pays whoever played that edge.
    """
    luck = np.zeros(1, np.uint64)
    alone = len(odds) == 0
    path = np.empty(cap, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(luck, seed, game)
        rate = alpha / (1.0 + game / half)
        seat = int(random(luck) < 0.5)
        state = any_state(board, luck) if anywhere and random(luck) < 0.5 else 0
        plies = 0
        while not board.over[state] and plies < cap:
            if alone or plies % 2 == seat:
                path[plies] = epsilon_greedy(board, q, state, epsilon, luck)
            else:
                path[plies] = draw(board, odds, state, luck)
            state = board.after[path[plies]]
            plies += 1
        for ply in range(plies - 1, -1, -1):  # backwards, so that news travels in one game
            if not alone and ply % 2 != seat:
                continue
            if ply + 1 == plies and not board.over[state]:
                continue  # broken off before the reply: there is no s' yet
            if alone and ply + 1 < plies and slipped(board, q, path[ply], path[ply + 1]):
                continue  # its other self was exploring, which says nothing of how it plays
            edge = path[ply]
            result = board.outcome[state] if (plies - ply) % 2 == 0 else -board.outcome[state]
            pay = drawn[edge] if result == 0 and board.over[state] else float(result)
            reward = pay * share(ply, plies, spread)
            future = 0.0
            if ply + 1 < plies:
                future = highest(board, q, board.after[path[ply + 1]])
            tried[edge] += 1
            q[edge] = (1.0 - rate) * q[edge] + rate * (reward + gamma * future)


@kernel
def any_state(board: Edges, luck: Luck) -> int:
    """Exploring starts (Sutton and Barto, 5.3): any state that is not over."""
    while True:
        state = int(random(luck) * len(board.over))
        if not board.over[state]:
            return state


@kernel
def epsilon_greedy(
    board: Edges, q: NDArray[np.float32], state: int, epsilon: float, luck: Luck
) -> int:
    """Any edge with chance epsilon, else the first of those with the highest Q."""
    here, end = board.first[state], board.first[state + 1]
    if random(luck) < epsilon:
        return int(here + random(luck) * (end - here))
    best = here
    for edge in range(here + 1, end):
        if q[edge] > q[best]:
            best = edge
    return int(best)


@kernel
def highest(board: Edges, q: NDArray[np.float32], state: int) -> float:
    """max Q(s, .), and 0 where the game is over."""
    here, end = board.first[state], board.first[state + 1]
    if here == end:
        return 0.0
    best = q[here]
    for edge in range(here + 1, end):
        best = max(best, q[edge])
    return float(best)


@kernel
def slipped(board: Edges, q: NDArray[np.float32], edge: int, reply: int) -> bool:
    """Whether the reply is not one of those it holds for best."""
    return bool(q[reply] < highest(board, q, board.after[edge]))


@kernel
def share(ply: int, plies: int, spread: bool) -> float:
    """How much of the result this move is paid: all of it goes to the learner's last move, or
    it is spread over its moves as the squares of an even spacing."""
    if not spread:
        return 1.0 if ply + 2 >= plies else 0.0
    at = ply // 2 + 1
    moves = (plies - 1 - ply % 2) // 2 + 1
    return at * at * 6.0 / (moves * (moves + 1) * (2 * moves + 1))


KEY = "qlearning"
REFERENCE = "random"
GAMES = 2_000_000  # where the options name no number
POINTS = Points(evenly=50_000)
SAYS = "Q is what the games that went on with a move came to, as it has learned: 1 won, −1 lost."
# Where play can go round in circles games are longer and an exact look takes a while.
GAMES_IN_CIRCLES, POINTS_IN_CIRCLES = 1_000_000, Points(evenly=200_000)
NEVER = float("inf")


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Learn a table with a number for every legal move of every state."""
    graph = graph_of(game)
    edges = len(graph.state)
    total, points = _plan(game, options)
    brain = begin(KEY, game, options, seed, REFERENCE)
    q, tried = np.zeros(edges, np.float32), np.zeros(edges, np.int32)
    if resume is not None:
        brain = resumed(resume, brain, total)
        old_q, old_tried = read(brain, graph)
        q, tried = q + old_q, tried + old_tried
    odds = opponents.odds(options.text("opponent"), game)
    alpha, gamma, epsilon = (options.number(name) for name in ("alpha", "gamma", "epsilon"))
    # Alpha falls against another's chance moves, so that their noise dies down.
    half = options.number("half") if len(odds) else NEVER
    spread, anywhere = options.text("shape") == "spread", options.text("starts") == "anywhere"
    pays = np.array([options.number("draw_first"), options.number("draw_second")])
    drawn = pays[graph.tables.mover[graph.state]]  # [edge] -> pay of a draw
    root = kernel_seed(seed)

    def stretch(first: int, games: int) -> None:
        learn(
            graph.board, odds, q, tried, drawn, first, games, root,
            alpha, half, gamma, epsilon, spread, anywhere, graph.cap,
        )  # fmt: skip

    def measure() -> dict[str, float]:
        return opponents.results(REFERENCE, game, graph.spread_out(chances(graph, q, tried)))

    lessons = Lessons(stretch, measure, lambda: {"q": q, "tried": tried})
    return course(brain, total, points, lessons)


def _plan(game: Game[Any, Any], options: Values) -> tuple[int, Points]:
    """How many games, and where its curve has points."""
    usual, points = (GAMES, POINTS)
    if game.ply_limit is not None:
        usual, points = (GAMES_IN_CIRCLES, POINTS_IN_CIRCLES)
    return options.optional_integer("games") or usual, points


def seconds(opponents: Opponents, game: Game[Any, Any], options: Values) -> float:
    """About how long training takes."""
    return memory.seconds(opponents, game, options, *_plan(game, options))


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """(q, tried) by edge; raises UnsuitableBrainError."""
    edges = (len(graph.state),)
    return brain.array("q", edges, np.float32), brain.array("tried", edges, np.int32, low=0)


def chances(graph: Graph, q: NDArray[np.float32], tried: NDArray[np.int32]) -> NDArray[np.float64]:
    """[edge] -> how it plays: the highest Q, and plain sense where it has never been."""
    met = graph.total(tried) > 0
    return np.where(met[graph.state], graph.evenly(graph.best_of(q)), graph.sensible)


@dataclass(frozen=True, eq=False)
class QLearner:
    """Plays the move with the highest Q."""

    opponents: Opponents
    graph: Graph
    brain: Brain
    q: NDArray[np.float32]  # [edge]
    tried: NDArray[np.int32]  # [edge]
    chances: NDArray[np.float64]  # [edge]
    looks: bool  # one move ahead where it has never been

    @classmethod
    def of(
        cls, opponents: Opponents, game: Game[Any, Any], brain: Brain, looks: bool = True
    ) -> QLearner:
        graph = graph_of(game)
        q, tried = read(brain, graph)
        return cls(opponents, graph, brain, q, tried, chances(graph, q, tried), looks)

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
        edges = edges_met(self.graph, self.tried, state)
        if edges is None:
            facts = schooling(self.brain)
            said = improvise(state, limit, rng, facts) if self.looks else guess(state, rng, facts)
            return replace(said, exhibit=self._numbers(state, {}, {}) if show else None)
        moves = state.legal_moves()
        q = dict(zip(moves, self.q[edges].tolist(), strict=True))
        tried = dict(zip(moves, self.tried[edges].tolist(), strict=True))
        met = sum(tried.values())
        candidates = [
            Candidate(
                move, known(q[move], tried[move]), chance, share=tried[move] / met, line=(move,)
            )
            for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
        ]
        return conclude(
            candidates,
            lambda move: explain(move, q, tried),
            rng,
            evidence=[
                Fact("times met", met),
                Fact("moves tried", f"{sum(map(bool, tried.values()))} of {len(moves)}"),
                *schooling(self.brain),
            ],
            effort=Effort(nodes=1, seconds=perf_counter() - begun),
            exhibit=self._numbers(state, q, tried) if show else None,
        )

    def _numbers(
        self, state: State[Any], q: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Numbers:
        game = self.graph.tables.game
        return numbers_of(
            self.opponents, game, self.brain, state, q, tried, self._known, name="Q", says=SAYS
        )

    @cached_property
    def _known(self) -> str:
        return positions_met(self.graph, self.graph.total(self.tried) > 0)


def explain(move: Any, q: dict[Any, float], tried: dict[Any, int]) -> str:
    """Why this move, from the numbers alone."""
    told = f"{move} is worth {signed(q[move])} here after {tries(tried[move])}"
    if not tried[move]:
        told = f"{move} was never tried here and counts {signed(q[move])}"
    return f"{told}; {beside(move, q, 'moves are worth')}"
