"""Q-learning (Watkins 1989) over every state of a small game, by self-play or against an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, random, seed_stream
from agents.core import Candidate, Fact
from agents.formats import signed
from agents.learning.common import (
    EdgeAgent,
    EdgeLearner,
    Row,
    TableAgent,
    clipped,
    comparison,
    tries_text,
)
from agents.tabular.graph import Edges, draw, graph_of
from agents.training.loop import Points
from agents.training.opponents import SELF
from engine.core import Game, State
from engine.options import Values

KEY = "qlearning"
GAMES = 2_000_000  # where the options name no number
POINTS = Points(evenly=50_000)
# Where play can return to a state, games are longer and exact measurements take a while.
GAMES_IN_CIRCLES, POINTS_IN_CIRCLES = 1_000_000, Points(evenly=200_000)
NEVER = float("inf")
END, SPREAD, SQUARES = 0, 1, 2  # how a result is paid
SHAPES = {"end": END, "spread": SPREAD, "squares": SQUARES}


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    q: NDArray[np.float32],
    tried: NDArray[np.int32],
    first: int,
    games: int,
    seed: int,
    drawn: NDArray[np.float64],
    alpha: float,
    half: float,
    gamma: float,
    epsilon: float,
    shape: int,
    anywhere: bool,
    max_plies: int,
) -> None:
    """Q(s, a) <- (1 - alpha) Q(s, a) + alpha (r + gamma max Q(s', .)) after each of many games.

    s' is the next state in which the learner moves. Without odds it plays both seats itself.
    The games are those from number `first` on; at number `half`, alpha has halved.
    drawn[edge] is the reward of a draw for the player of that edge.
    """
    rng = np.zeros(1, np.uint64)
    alone = len(odds) == 0
    path = np.empty(max_plies, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        rate = alpha / (1.0 + game / half)
        seat = int(random(rng) < 0.5)
        state = any_state(board, rng) if anywhere and random(rng) < 0.5 else 0
        plies = 0
        while not board.over[state] and plies < max_plies:
            if alone or plies % 2 == seat:
                path[plies] = epsilon_greedy(board, q, state, epsilon, rng)
            else:
                path[plies] = draw(board, odds, state, rng)
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
            drew = result == 0 and board.over[state]
            reward = pay * share(ply, plies, END if drew and shape == SQUARES else shape)
            future = 0.0
            if ply + 1 < plies:
                future = highest(board, q, board.after[path[ply + 1]])
            tried[edge] += 1
            q[edge] = (1.0 - rate) * q[edge] + rate * (reward + gamma * future)


@kernel
def any_state(board: Edges, rng: Stream) -> int:
    """A random state that is not over, for exploring starts (Sutton and Barto, 5.3)."""
    while True:
        state = int(random(rng) * len(board.over))
        if not board.over[state]:
            return state


@kernel
def epsilon_greedy(
    board: Edges, q: NDArray[np.float32], state: int, epsilon: float, rng: Stream
) -> int:
    """A random edge with chance epsilon, else the first of those with the highest Q."""
    here, end = board.first[state], board.first[state + 1]
    if random(rng) < epsilon:
        return int(here + random(rng) * (end - here))
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
def share(ply: int, plies: int, shape: int) -> float:
    """The share of the result that rewards this move.

    END: all of it for the learner's last move. SPREAD: in proportion to the squares of its moves'
    numbers. SQUARES: of an even spacing from 0.1 to 1, as the course paid: 0.01, 0.16, 0.49, 1.
    """
    if shape == END:
        return 1.0 if ply + 2 >= plies else 0.0
    at = ply // 2 + 1
    moves = (plies - 1 - ply % 2) // 2 + 1
    if shape == SPREAD:
        return at * at * 6.0 / (moves * (moves + 1) * (2 * moves + 1))
    if moves == 1:
        return 1.0
    return (0.1 + 0.9 * (at - 1) / (moves - 1)) ** 2


@dataclass(frozen=True, eq=False)
class QAgent(TableAgent):
    """Plays the move with the highest Q."""

    name = "Q"
    says = "Q is the result it expects after a move: 1 is a win, −1 a loss."

    def candidate(self, move: Any, row: Row) -> Candidate[Any]:
        tried = row.tried[move]
        share = tried / sum(row.tried.values())
        value = clipped(row.numbers[move], tried)
        return Candidate(move, value, row.chances[move], share=share, line=(move,))

    def reason(self, state: State[Any], move: Any, row: Row) -> str:
        q, tried = row.numbers[move], row.tried[move]
        text = f"After {tries_text(tried)} here it expects {signed(q)} from {move} (+1 is a win)"
        if not tried:
            text = f"It never tried {move} here and counts it as {signed(q)}"
        return f"{text}; {comparison(move, row.numbers)}"

    def evidence(self, state: State[Any], row: Row) -> list[Fact]:
        return [Fact("times met", sum(row.tried.values()))]


@dataclass(frozen=True, eq=False)
class QLearner(QAgent, EdgeAgent):
    """Plays the edge with the highest Q."""

    def evidence(self, state: State[Any], row: Row) -> list[Fact]:
        tried = row.tried.values()
        return [
            *super().evidence(state, row),
            Fact("moves tried", f"{sum(map(bool, tried))} of {len(tried)}"),
        ]


@dataclass(frozen=True)
class QTable(EdgeLearner):
    """Learns a number for every legal move of every state."""

    key = KEY
    reference = "random"
    number, dtype, player = "q", np.float32, QLearner
    update = staticmethod(learn)

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        circles = game.ply_limit is not None
        games, points = (GAMES_IN_CIRCLES, POINTS_IN_CIRCLES) if circles else (GAMES, POINTS)
        return options.optional_integer("games") or games, points

    def parameters(self, game: Game[Any, Any], options: Values) -> tuple[Any, ...]:
        graph = graph_of(game)
        pays = np.array([options.number("draw_first"), options.number("draw_second")])
        drawn = pays[graph.tables.mover[graph.state]]  # [edge] -> pay of a draw
        alpha, gamma, epsilon = (options.number(name) for name in ("alpha", "gamma", "epsilon"))
        # Alpha falls against an opponent, so that the noise of its random moves averages out.
        half = NEVER if options.text("opponent") == SELF else options.number("half")
        shape, anywhere = SHAPES[options.text("shape")], options.text("starts") == "anywhere"
        return drawn, alpha, half, gamma, epsilon, shape, anywhere
