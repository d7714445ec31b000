"""What Quixo's lines are worth: an evaluation as a table, and the search's arrays made from it.

For each kind of line there is a table [own cubes, other's] of what it is worth to the side to
move. That form holds the course's c·3^c as well as weights that were learned or evolved.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, tanh

import numpy as np
from numpy.typing import NDArray

from agents.quixo.bitboard import kinds_of_lines
from agents.search.quixo.kernel import OTHER_LINE, OWN_LINE, SIDE

LARGEST = 20_000  # a value at the horizon, so that it never looks like a win in sight
SUREST = 0.99  # how sure anyone can be who has not seen the end


@dataclass(frozen=True, eq=False)
class LineEvaluation:
    """The worth of lines by kind, and the unit in which a value is a chance to win."""

    name: str
    worth: NDArray[np.float64]  # [kind, own cubes, other's], in units
    unit: float  # 100 for a fine grain; the kernel counts in whole numbers

    def value(self, score: int) -> float:
        """A score as what it promises, -1 to 1: tanh(x / 2) is 2·P(win) - 1 of a logistic fit."""
        return max(-SUREST, min(SUREST, tanh(score / self.unit / 2)))

    def score(self, value: float) -> int:
        """The score that promises this much."""
        return round(2 * self.unit * atanh(max(-SUREST, min(SUREST, value))))

    def lines(self, size: int) -> NDArray[np.int64]:
        """[line, SIDE * own cubes + other's] as the kernel reads it, complete lines marked."""
        kinds = kinds_of_lines(size)
        most = LARGEST // len(kinds)
        scores = np.clip(np.rint(self.worth * self.unit), -most, most).astype(np.int64)
        table = np.zeros((len(kinds), SIDE, SIDE), np.int64)
        counts = slice(size + 1)  # what was learned has room for the counts of any size
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
