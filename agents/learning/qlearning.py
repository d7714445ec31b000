"""Q-learning (Watkins 1989) over every state of a small game, by self-play or against an agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, random, seed_stream
from agents.core import Candidate, Fact
from agents.formats import signed
from agents.learning import common
from agents.learning.common import TableAgent, clipped, comparison, greedy_chances, tries_text
from agents.tabular.graph import Edges, Graph, draw, graph_of
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, begin, course, kernel_seed, resumed
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, State
from engine.options import Values

KEY = "qlearning"
REFERENCE = "random"
GAMES = 2_000_000  # where the options name no number
POINTS = Points(evenly=50_000)
SAYS = "Q is what the games that went on with a move came to, as it has learned: 1 won, −1 lost."
# Where play can return to a state, games are longer and exact measurements take a while.
GAMES_IN_CIRCLES, POINTS_IN_CIRCLES = 1_000_000, Points(evenly=200_000)
NEVER = float("inf")


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
    The games are those from number `first` on; at number `half`, alpha has halved.
    drawn[edge] is the reward of a draw for the player of that edge.
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
        for ply in range(plies - 1, -1, -1):  # backwards, so that one game updates all its states
            if not alone and ply % 2 != seat:
                continue
            if ply + 1 == plies and not board.over[state]:
                continue  # cut off before the reply: there is no s'
            if alone and ply + 1 < plies and explored(board, q, path[ply], path[ply + 1]):
                continue  # the reply was explored, and is not how the learner plays
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
    """A random state that is not over, for exploring starts (Sutton and Barto, 5.3)."""
    while True:
        state = int(random(luck) * len(board.over))
        if not board.over[state]:
            return state


@kernel
def epsilon_greedy(
    board: Edges, q: NDArray[np.float32], state: int, epsilon: float, luck: Luck
) -> int:
    """A random edge with chance epsilon, else the first of those with the highest Q."""
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
def explored(board: Edges, q: NDArray[np.float32], edge: int, reply: int) -> bool:
    """Whether the reply is not greedy."""
    return bool(q[reply] < highest(board, q, board.after[edge]))


@kernel
def share(ply: int, plies: int, spread: bool) -> float:
    """The share of the result that rewards this move: all of it for the learner's last move, or
    spread over its moves in proportion to the squares of their numbers."""
    if not spread:
        return 1.0 if ply + 2 >= plies else 0.0
    at = ply // 2 + 1
    moves = (plies - 1 - ply % 2) // 2 + 1
    return at * at * 6.0 / (moves * (moves + 1) * (2 * moves + 1))


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Train a table with a number for every legal move of every state."""
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
    # Alpha falls against an opponent, so that the noise of its random moves averages out.
    half = options.number("half") if len(odds) else NEVER
    spread, anywhere = options.text("shape") == "spread", options.text("starts") == "anywhere"
    pays = np.array([options.number("draw_first"), options.number("draw_second")])
    drawn = pays[graph.tables.mover[graph.state]]  # [edge] -> pay of a draw
    root = kernel_seed(seed)

    def learn_games(first: int, games: int) -> None:
        learn(
            graph.board, odds, q, tried, drawn, first, games, root,
            alpha, half, gamma, epsilon, spread, anywhere, graph.cap,
        )  # fmt: skip

    def measure() -> dict[str, float]:
        return opponents.results(REFERENCE, game, graph.spread_out(greedy_chances(graph, q, tried)))

    lessons = Lessons(learn_games, measure, lambda: {"q": q, "tried": tried})
    return course(brain, total, points, lessons)


def _plan(game: Game[Any, Any], options: Values) -> tuple[int, Points]:
    """(number of games, points of the curve)."""
    circles = game.ply_limit is not None
    games, points = (GAMES_IN_CIRCLES, POINTS_IN_CIRCLES) if circles else (GAMES, POINTS)
    return options.optional_integer("games") or games, points


def seconds(opponents: Opponents, game: Game[Any, Any], options: Values) -> float:
    """The estimated training time."""
    return common.seconds(opponents, game, options, *_plan(game, options))


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """(q, tried) by edge; raises UnsuitableBrainError."""
    edges = (len(graph.state),)
    return brain.array("q", edges, np.float32), brain.array("tried", edges, np.int32, low=0)


@dataclass(frozen=True, eq=False)
class QLearner(TableAgent):
    """Plays the move with the highest Q."""

    name = "Q"
    says = SAYS

    @classmethod
    def of(
        cls, opponents: Opponents, game: Game[Any, Any], brain: Brain, looks: bool = True
    ) -> QLearner:
        graph = graph_of(game)
        return cls(opponents, graph, brain, *read(brain, graph), looks)

    def candidate(
        self, move: Any, chance: float, numbers: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Candidate[Any]:
        share = tried[move] / sum(tried.values())
        value = clipped(numbers[move], tried[move])
        return Candidate(move, value, chance, share=share, line=(move,))

    def reason(
        self,
        state: State[Any],
        move: Any,
        numbers: Mapping[Any, float],
        tried: Mapping[Any, int],
    ) -> str:
        return explain(move, numbers, tried)

    def evidence(self, numbers: Mapping[Any, float], tried: Mapping[Any, int]) -> list[Fact]:
        return [
            Fact("times met", sum(tried.values())),
            Fact("moves tried", f"{sum(map(bool, tried.values()))} of {len(tried)}"),
        ]


def explain(move: Any, q: Mapping[Any, float], tried: Mapping[Any, int]) -> str:
    """The reason for a move: its Q compared with the others'."""
    text = f"{move} is worth {signed(q[move])} here after {tries_text(tried[move])}"
    if not tried[move]:
        text = f"{move} was never tried here and counts {signed(q[move])}"
    return f"{text}; {comparison(move, q, 'moves are worth')}"
