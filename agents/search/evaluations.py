"""What a position is worth at the horizon, before anyone has won: game by game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from engine.core import Game, Seat
from engine.quixo import QuixoState
from engine.square import square
from engine.tictactoe import TicTacToeState

Evaluation = Callable[[Any], float]  # for the side to move, strictly between -1 and 1

CHOICES = ("none", "lines")


def evaluation_for(name: str, game: Game[Any, Any]) -> Evaluation:
    """The evaluation with this name; where the board has no lines, every position counts 0."""
    if name == "lines" and isinstance(game.start, QuixoState):
        return line_evaluation(game.start.table.size)
    if name == "lines" and isinstance(game.start, TicTacToeState):
        return line_evaluation(3)
    return nothing


def nothing(state: object) -> float:
    """Nothing is known about an open position."""
    return 0.0


@cache
def line_evaluation(size: int) -> Evaluation:
    """c·3^c for every line with c own marks, less the same for the opponent's."""
    return weighted_lines(size, tuple(count * 3.0**count for count in range(size + 1)))


def weighted_lines(size: int, weights: tuple[float, ...]) -> Evaluation:
    """The same with weights of one's own: weights[c] for a line with c marks.

    Squeezed into (-1, 1) without changing the order: a line that lacks one mark is about 0.5.
    """
    lines = tuple(line.mask for line in square(size).lines)
    scale = abs(weights[size - 1]) or 1.0

    def evaluate(state: QuixoState | TicTacToeState) -> float:
        x, o = state.x, state.o
        total = 0.0
        for line in lines:
            total += weights[(x & line).bit_count()] - weights[(o & line).bit_count()]
        value = total / (abs(total) + scale)
        return value if state.to_move is Seat.FIRST else 0.0 - value

    return evaluate
