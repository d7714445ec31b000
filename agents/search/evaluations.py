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
    weights = tuple(count * 3.0**count for count in range(size + 1))
    return weighted_lines(size, weights, weights)


def weighted_lines(size: int, own: tuple[float, ...], theirs: tuple[float, ...]) -> Evaluation:
    """own[c] for every line with c marks of the side to move, less theirs[c] of the other's.

    Squeezed into (-1, 1) without changing the order: a line that lacks one mark is about 0.5.
    """
    lines = tuple(line.mask for line in square(size).lines)
    scale = own[size - 1]

    def evaluate(state: QuixoState | TicTacToeState) -> float:
        first = state.to_move is Seat.FIRST
        mine, other = (state.x, state.o) if first else (state.o, state.x)
        total = 0.0
        for line in lines:
            total += own[(mine & line).bit_count()] - theirs[(other & line).bit_count()]
        return total / (abs(total) + scale)

    return evaluate
