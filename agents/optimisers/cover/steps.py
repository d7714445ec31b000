"""A search over covers as it went: what was taken up, g, h and f of it, and what then waited."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.optimisers.cover.ledger import GOAL, NONE, STEPS, ledger_of, taken
from agents.optimisers.entry import Arrays
from engine.problems.set_cover import SetCover, members


@dataclass(frozen=True, slots=True)
class CoverStep:
    """One node taken up."""

    number: int  # from 1; 0 for one that still waits
    sets: tuple[int, ...]  # taken so far, in their order
    missing: tuple[int, ...]  # things they leave uncovered
    g: int
    h: int | None  # None where the search estimates nothing
    waiting: int
    least: int | None  # the best f of what waits, where the search goes by one

    @property
    def f(self) -> int | None:
        return None if self.h is None else self.g + self.h


def recorded(state: Arrays) -> int:
    """How many steps can be looked at."""
    return int(state["tally"][STEPS])


def step_at(problem: SetCover, state: Arrays, number: int) -> CoverStep:
    """The step of this number, from 1 to `recorded(state)`."""
    if not 1 <= number <= recorded(state):
        raise IndexError(f"there is no step {number}: {recorded(state)} were recorded")
    ledger, at = ledger_of(state), number - 1
    return replace(
        step_of(problem, state, int(ledger.order[at])),
        number=number,
        waiting=int(ledger.waiting[at]),
        least=_known(int(ledger.least[at])),
    )


def step_of(problem: SetCover, state: Arrays, node: int) -> CoverStep:
    """A node by its number, as the step it would be."""
    ledger = ledger_of(state)
    sets = taken(ledger, node)
    return CoverStep(
        0,
        sets,
        tuple(members(problem.missing(sets))),
        int(ledger.depth[node]),
        _known(int(ledger.ahead[node])),
        waiting=0,
        least=None,
    )


def cover_of(state: Arrays) -> tuple[int, ...] | None:
    """The cover that was found, or the smallest known by now; None where there is none yet."""
    if "best" in state:
        return tuple(int(choice) for choice in state["best"])
    goal = int(state["tally"][GOAL])
    return None if goal == NONE else taken(ledger_of(state), goal)


def _known(value: int) -> int | None:
    return None if value == NONE else value
