"""What a search says of a position: a value, and how certain it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from agents.core import Effort, Limit
from engine.catalog import find_entry
from engine.core import Game, State
from engine.entry import Theory
from engine.square import Evaluation


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


CHOICES = ("none", "game", "theory")
BY_THEORY = 0.9  # of a win: certain to a mathematician, but no search has seen it


def evaluation_for(name: str, game: Game[Any, Any]) -> Evaluation:
    """The evaluation with this name; where the game has none, every position counts 0."""
    entry = find_entry(game.key)
    if name == "theory" and entry.theory is not None:
        return by_theory(entry.theory)
    if name == "game" and entry.evaluation is not None:
        return entry.evaluation
    return nothing


def nothing(state: object) -> float:
    """Nothing is known about an open position."""
    return 0.0


def by_theory(theory: Theory) -> Evaluation:
    """Won, lost or drawn as theory has it; 0 where it is silent."""

    def evaluate(state: Any) -> float:
        verdict = theory.verdict(state)
        return 0.0 if verdict is None else BY_THEORY * verdict.value

    return evaluate


def drawn_states(
    game: Game[Any, Any], state: State[Any], history: Sequence[State[Any]]
) -> frozenset[State[Any]]:
    """The states that would end the match as a draw if they stood once more."""
    if not game.repetition:
        return frozenset()
    stood = Counter((*history, state))
    return frozenset(seen for seen, times in stood.items() if times >= game.repetition - 1)
