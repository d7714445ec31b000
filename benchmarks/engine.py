"""Random play, side by side: our three games, and Quixo as a student would first write it.

Run with `make bench` or `python -m benchmarks.engine`. The student's Quixo keeps a numpy board,
copies it for every move, slides a line with np.roll and tries every cell for legal moves.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from engine import load_game

Board = NDArray[np.int8]
Try = tuple[int, int, str]  # row, column, side it is pushed in from

SIZE = 5
BLANK = -1


class StudentQuixo:
    """A plain numpy Quixo: -1 blank, 0 and 1 the players."""

    def __init__(self) -> None:
        self.board: Board = np.full((SIZE, SIZE), BLANK, dtype=np.int8)
        self.player = 0

    def legal_moves(self) -> list[Try]:
        moves = []
        for row in range(SIZE):
            for column in range(SIZE):
                rim = row in (0, SIZE - 1) or column in (0, SIZE - 1)
                if not rim or self.board[row, column] not in (BLANK, self.player):
                    continue
                if row != 0:
                    moves.append((row, column, "top"))
                if row != SIZE - 1:
                    moves.append((row, column, "bottom"))
                if column != 0:
                    moves.append((row, column, "left"))
                if column != SIZE - 1:
                    moves.append((row, column, "right"))
        return moves

    def play(self, move: Try) -> None:
        row, column, side = move
        board = self.board.copy()
        board[row, column] = self.player
        if side == "top":
            board[: row + 1, column] = np.roll(board[: row + 1, column], 1)
        elif side == "bottom":
            board[row:, column] = np.roll(board[row:, column], -1)
        elif side == "left":
            board[row, : column + 1] = np.roll(board[row, : column + 1], 1)
        else:
            board[row, column:] = np.roll(board[row, column:], -1)
        self.board = board
        self.player = 1 - self.player

    def winner(self) -> int:
        mover = 1 - self.player
        for player in (self.player, mover):
            for at in range(SIZE):
                if np.all(self.board[at, :] == player) or np.all(self.board[:, at] == player):
                    return player
            if np.all(np.diag(self.board) == player):
                return player
            if np.all(np.diag(np.fliplr(self.board)) == player):
                return player
        return BLANK


def student_game(rng: random.Random) -> int:
    """One random game of the student's Quixo; the number of plies."""
    game = StudentQuixo()
    plies = 0
    while game.winner() == BLANK and plies < 200:
        game.play(rng.choice(game.legal_moves()))
        plies += 1
    return plies


def our_game(spec: str) -> Callable[[random.Random], int]:
    """One random game by the engine; the number of plies."""
    start = load_game(spec).start

    def play(rng: random.Random) -> int:
        state, plies = start, 0
        while (moves := state.legal_moves()) and plies < 200:
            state = state.play(rng.choice(moves))
            plies += 1
        return plies

    return play


def measure(play: Callable[[random.Random], int], seconds: float) -> tuple[float, float]:
    """Games and plies per second."""
    rng = random.Random(1)
    games = plies = 0
    begun = perf_counter()
    while (spent := perf_counter() - begun) < seconds:
        plies += play(rng)
        games += 1
    return games / spent, plies / spent


def main(seconds: float = 3.0) -> None:
    """Print games and plies per second, and our Quixo as a multiple of the student's."""
    players = {spec: our_game(spec) for spec in ("nim", "tictactoe", "quixo:size=4", "quixo")}
    players["quixo, student"] = student_game
    rates = {name: measure(play, seconds) for name, play in players.items()}
    print(f"{'random games':16} {'games/s':>10} {'plies/s':>10}")
    for name, (games, plies) in rates.items():
        print(f"{name:16} {games:10,.0f} {plies:10,.0f}")
    ratio = rates["quixo"][1] / rates["quixo, student"][1]
    print(f"our Quixo plays {ratio:.1f} times the student's plies per second")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
