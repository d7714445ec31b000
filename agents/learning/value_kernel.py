"""The kernel of the state values: it plays the games and learns backwards over each."""

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
