"""Tic-tac-toe Q-learning, side by side: our kernel, a plain dictionary, OpenSpiel's learner.

Run with `python -m benchmarks.learning`. Everyone does the same work: games from the start by
self-play, epsilon-greedy, an update of Q for every move of both sides. OpenSpiel is measured if
`open_spiel` is installed; nothing here depends on it.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time

import numpy as np

from agents.learning.qlearning import learn
from agents.tabular.graph import graph_of
from agents.training.opponents import NOBODY
from engine import load_game

ALPHA, GAMMA, EPSILON = 0.5, 0.95, 0.4
ROUNDS = 3
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class PlainQ:
    """Q-learning as a student would write it: a board as a string, a dictionary of floats."""

    def __init__(self) -> None:
        self.q: defaultdict[tuple[str, int], float] = defaultdict(float)

    def play(self, games: int) -> None:
        for _ in range(games):
            self.play_one()

    def play_one(self) -> None:
        board, mark = "." * 9, "x"
        last: dict[str, tuple[str, int]] = {}
        while True:
            moves = [cell for cell in range(9) if board[cell] == "."]
            if mark in last:
                self.update(last[mark], 0.0, max(self.q[board, move] for move in moves))
            if random.random() < EPSILON:
                move = random.choice(moves)
            else:
                move = max(moves, key=lambda cell: self.q[board, cell])
            last[mark] = (board, move)
            board = board[:move] + mark + board[move + 1 :]
            other = "o" if mark == "x" else "x"
            if any(board[a] == board[b] == board[c] == mark for a, b, c in LINES):
                self.update(last[mark], 1.0, 0.0)
                self.update(last[other], -1.0, 0.0)
                return
            if "." not in board:
                self.update(last[mark], 0.0, 0.0)
                self.update(last[other], 0.0, 0.0)
                return
            mark = other

    def update(self, pair: tuple[str, int], reward: float, future: float) -> None:
        self.q[pair] = (1 - ALPHA) * self.q[pair] + ALPHA * (reward + GAMMA * future)


def kernel_games() -> Callable[[int], None]:
    graph = graph_of(load_game("tictactoe"))
    q, tried = np.zeros(len(graph.state), np.float32), np.zeros(len(graph.state), np.int32)

    def play(games: int) -> None:
        learn(
            graph.board, NOBODY, q, tried, 0, games, 1, np.zeros(len(q)),
            ALPHA, np.inf, GAMMA, EPSILON, False, False, graph.max_plies,
        )  # fmt: skip

    return play


def openspiel_games() -> Callable[[int], None]:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import tabular_qlearner

    environment = rl_environment.Environment("tic_tac_toe")
    actions = environment.action_spec()["num_actions"]
    learners = [
        tabular_qlearner.QLearner(player_id=seat, num_actions=actions, step_size=ALPHA)
        for seat in range(2)
    ]

    def play(games: int) -> None:
        for _ in range(games):
            step = environment.reset()
            while not step.last():
                output = learners[step.observations["current_player"]].step(step)
                step = environment.step([output.action])
            for learner in learners:
                learner.step(step)

    return play


def rate(play: Callable[[int], None], games: int) -> float:
    """Games per second of processor time, the best of a few rounds after one to warm up.

    All three run on one core; processor time keeps a busy machine out of the comparison.
    """
    play(max(1, games // 10))
    best = float("inf")
    for _ in range(ROUNDS):
        begun = process_time()
        play(games)
        best = min(best, process_time() - begun)
    return games / best


def main() -> None:
    """Prints games per second for each, and how many times faster ours is."""
    random.seed(1)
    ours = rate(kernel_games(), 500_000)
    print(f"{'our kernel':<22}{ours:>12,.0f} games/s")
    plain = rate(PlainQ().play, 5_000)
    print(
        f"{'a plain dictionary':<22}{plain:>12,.0f} games/s   ours is {ours / plain:,.0f} times it"
    )
    if find_spec("open_spiel") is None:
        print("OpenSpiel is not installed here, so it was not measured", file=sys.stderr)
        return
    theirs = rate(openspiel_games(), 1_000)
    print(f"{'OpenSpiel':<22}{theirs:>12,.0f} games/s   ours is {ours / theirs:,.0f} times it")


if __name__ == "__main__":
    main()
