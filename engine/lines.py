"""What an open board of marks is worth: c own marks on a line count c·3^c, the opponent's as much
against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from engine.core import Seat
from engine.square import square

Weights = Sequence[float]  # [marks on a line, 0 to the size of the board]
Evaluation = Callable[[Any], float]  # for the side to move, strictly between -1 and 1


@cache
def line_evaluation(size: int) -> Evaluation:
    """c·3^c for every line with c own marks, less the same for the opponent's."""
    weights = [count * 3.0**count for count in range(size + 1)]
    lines = [weights] * len(square(size).lines)
    return weighted_lines(size, lines, lines, scale=weights[size - 1])


def weighted_lines(
    size: int, own: Sequence[Weights], theirs: Sequence[Weights], scale: float
) -> Evaluation:
    """own[line][c] for a line with c marks of the side to move, less theirs[line][c].

    Squeezed into (-1, 1) without changing the order; a total of `scale` becomes 0.5. The states
    have masks `x` and `o` on a square board.
    """
    lines = tuple(zip((line.mask for line in square(size).lines), own, theirs, strict=True))

    def evaluate(state: Any) -> float:
        first = state.to_move is Seat.FIRST
        mine, other = (state.x, state.o) if first else (state.o, state.x)
        total = 0.0
        for line, ours, rivals in lines:
            total += ours[(mine & line).bit_count()] - rivals[(other & line).bit_count()]
        return total / (abs(total) + scale)

    return evaluate
