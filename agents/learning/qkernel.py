"""The kernel of tabular Q-learning: it plays the games and updates the table after each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, draw, random, seed_stream
from agents.tabular.graph import Edges


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
