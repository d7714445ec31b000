"""How much of its limit a search has spent."""

from __future__ import annotations

from time import perf_counter

from agents.core import Effort, Limit

LOOK_AT_CLOCK = 64  # positions between two looks: a clock costs as much as a move


class OutOfBudget(Exception):  # noqa: N818 - nothing is wrong, a search just ends here
    """The limit is reached; what was not finished does not count."""


class Budget:
    """Counts the positions one analysis looks at, and stops it at the limit."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.spent = 0
        self._begun = perf_counter()
        self._next_stop = 0.0

    def spend(self) -> None:
        """Pay for one more position; raises OutOfBudget where it is one too many."""
        if self.spent >= self._next_stop:
            self._check()
        self.spent += 1

    def effort(self, depth: int) -> Effort:
        return Effort(self.spent, depth, perf_counter() - self._begun)

    def _check(self) -> None:
        limit = self.limit
        if limit.nodes is not None and self.spent >= limit.nodes:
            raise OutOfBudget
        if limit.seconds is not None and perf_counter() - self._begun >= limit.seconds:
            raise OutOfBudget
        self._next_stop = self._stop()

    def _stop(self) -> float:
        """How many positions may pass before the limit has to be looked at again."""
        soon = float("inf") if self.limit.seconds is None else self.spent + LOOK_AT_CLOCK
        return soon if self.limit.nodes is None else min(soon, self.limit.nodes)
