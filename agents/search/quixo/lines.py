"""Evaluations of Quixo by its lines, and the kernel's arrays made from them.

For each kind of line there is a table [own cubes, other's] of its worth to the side to move: the
course's c·3^c as well as weights that were learned or evolved.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, tanh

import numpy as np
from numpy.typing import NDArray

from agents.quixo.bitboard import kinds_of_lines
from agents.search.quixo.kernel import OTHER_LINE, OWN_LINE, SIDE

MAX_SCORE = 20_000  # of an evaluation, far below the score of a win
MAX_VALUE = 0.99  # of an evaluation: only a proven win is 1


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

    def lines(self, size: int) -> NDArray[np.int64]:
        """The kernel's table [line, SIDE * own cubes + other's], complete lines marked."""
        kinds = kinds_of_lines(size)
        most = MAX_SCORE // len(kinds)
        scores = np.clip(np.rint(self.worth * self.unit), -most, most).astype(np.int64)
        table = np.zeros((len(kinds), SIDE, SIDE), np.int64)
        counts = slice(size + 1)  # learned weights have room for the largest board
        table[:, counts, counts] = scores[list(kinds), counts, counts]
        table[:, size, 0] = OWN_LINE
        table[:, 0, size] = OTHER_LINE
        return table.reshape(len(kinds), SIDE * SIDE)


def course_evaluation(size: int) -> LineEvaluation:
    """For every line c·3^c for c own cubes, less the same for the other's."""
    counts = np.arange(size + 1)
    worth = (counts * 3.0**counts)[:, None] - (counts * 3.0**counts)[None, :]
    kinds = max(kinds_of_lines(size)) + 1
    # Three cubes more in a line of four are worth about one unit of the learned evaluation.
    return LineEvaluation("c·3^c", np.tile(worth / 300, (kinds, 1, 1)), unit=300)
