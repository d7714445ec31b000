"""Evaluations of Quixo by its lines, for kernels.

For each kind of line there is a table [own cubes, other's] of its worth to the side to move: the
course's c·3^c as well as weights that were learned or evolved.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, tanh

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import kinds_of_lines, ones

SIDE = 6  # counts of cubes on a line, 0 to 5
OWN_LINE = 1 << 50  # the worth of a complete line of the side to move, which has won
OTHER_LINE = 1 << 42
MAX_SCORE = 20_000  # of an evaluation, far below the score of a win
MAX_VALUE = 0.99  # of an evaluation: only a proven win is 1

LineWorths = NDArray[np.int64]  # [line, SIDE * own cubes + other's], for the side to move


@kernel
def evaluate(own: int, other: int, lines: NDArray[np.int64], worth: LineWorths, win: int) -> int:
    """The worth of the lines to the side to move; `win` or -`win` where one is complete."""
    total = 0
    for line in range(len(lines)):
        mask = lines[line]
        total += worth[line, SIDE * ones(own & mask) + ones(other & mask)]
    if total > OTHER_LINE // 2:
        return win if total > OWN_LINE // 2 else -win
    return total


def line_worths(size: int, by_kind: NDArray[np.int64]) -> LineWorths:
    """The kernel's table of worths [kind, own cubes, other's], with complete lines marked."""
    kinds = list(kinds_of_lines(size))
    counts = slice(size + 1)  # learned weights have room for the largest board
    table = np.zeros((len(kinds), SIDE, SIDE), np.int64)
    table[:, counts, counts] = by_kind[kinds, counts, counts]
    table[:, size, 0], table[:, 0, size] = OWN_LINE, OTHER_LINE
    return table.reshape(len(kinds), SIDE * SIDE)


@dataclass(frozen=True, eq=False)
class LineEvaluation:
    """The worth of lines by kind, as log-odds of a win."""

    name: str
    worth: NDArray[np.float64]  # [kind, own cubes, other's], in log-odds
    unit: float  # the kernel's integer score for log-odds of 1

    def value(self, score: int) -> float:
        """The value of a score, -1 to 1: tanh(x / 2) is 2·P(win) - 1 of a logistic fit."""
        return max(-MAX_VALUE, min(MAX_VALUE, tanh(score / self.unit / 2)))

    def score(self, value: float) -> int:
        """The score of a value."""
        return round(2 * self.unit * atanh(max(-MAX_VALUE, min(MAX_VALUE, value))))

    def lines(self, size: int) -> LineWorths:
        """The kernel's table."""
        most = MAX_SCORE // len(kinds_of_lines(size))
        scores = np.clip(np.rint(self.worth * self.unit), -most, most)
        return line_worths(size, scores.astype(np.int64))


def course_evaluation(size: int) -> LineEvaluation:
    """For every line c·3^c for c own cubes, less the same for the other's."""
    counts = np.arange(size + 1)
    worth = (counts * 3.0**counts)[:, None] - (counts * 3.0**counts)[None, :]
    kinds = max(kinds_of_lines(size)) + 1
    # Three cubes more in a line of four are worth about one unit of the learned evaluation.
    return LineEvaluation("c·3^c", np.tile(worth / 300, (kinds, 1, 1)), unit=300)
