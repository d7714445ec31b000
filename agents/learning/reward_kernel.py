"""The kernel of the reward table: it plays the games and pays the moves after each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, draw, random, seed_stream
from agents.tabular.graph import Edges

WIN, LOSS = 2.0, -1.0


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    earned: NDArray[np.float64],
    tried: NDArray[np.int32],
    first: int,
    games: int,
    seed: int,
    credit: float,
    epsilon: float,
    cap: int,
) -> None:
    """After each game the learner's last move is paid; each move before it a share of that."""
    luck = np.zeros(1, np.uint64)
    path = np.empty(cap, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(luck, seed, game)
        seat = int(random(luck) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < cap:
            if plies % 2 == seat:
                path[plies] = choose(board, earned, state, epsilon, luck)
            else:
                path[plies] = draw(board, odds, state, luck)
            state = board.after[path[plies]]
            plies += 1
        last = plies - 1 if (plies - 1) % 2 == seat else plies - 2
        result = board.outcome[state] if (plies - last) % 2 == 0 else -board.outcome[state]
        pay = WIN if result > 0 else LOSS if result < 0 else 0.0
        for ply in range(last, -1, -2):
            earned[path[ply]] += pay
            tried[path[ply]] += 1
            pay *= credit


@kernel
def choose(
    board: Edges, earned: NDArray[np.float64], state: int, epsilon: float, luck: Luck
) -> int:
    """The edge that has earned most, a random one of several; any with chance epsilon."""
    here, end = board.first[state], board.first[state + 1]
    if random(luck) < epsilon:
        return int(here + random(luck) * (end - here))
    best, alike = here, 1
    for edge in range(here + 1, end):
        if earned[edge] > earned[best]:
            best, alike = edge, 1
        elif earned[edge] == earned[best]:
            alike += 1
            if random(luck) * alike < 1.0:  # each of them with the same chance
                best = edge
    return int(best)
