"""What a search says of a position: a value, and how certain it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Worth(NamedTuple):
    """The value for the side to move; a win or loss seen comes with its plies."""

    value: float
    plies: int | None = None  # to a win (1) or loss (-1)
    height: int | None = None  # looked at this deep or deeper the value stays; None: nobody knows
    line: tuple[Any, ...] = ()  # best play from here

    @property
    def proven(self) -> bool:
        return self.height is not None

    @property
    def merit(self) -> tuple[float, float]:
        """More is better: by value, then the quicker win or the slower loss."""
        return self.value, 0.0 if self.plies is None else -self.value * self.plies

    def seen_from(self, move: Any) -> Worth:
        """What the move is worth that led here, to the side that made it."""
        return Worth(
            0.0 - self.value,  # never -0.0
            None if self.plies is None else self.plies + 1,
            None if self.height is None else self.height + 1,
            (move, *self.line),
        )


def best(worths: Mapping[Any, Worth]) -> Worth:
    """The worth of a position whose moves are worth this much each."""
    top = max(worths.values(), key=lambda worth: worth.merit)
    if top.plies is not None:  # a win or loss once seen is seen at every greater depth
        return top._replace(height=top.plies)
    heights = [worth.height for worth in worths.values() if worth.height is not None]
    return top._replace(height=max(heights) if len(heights) == len(worths) else None)
