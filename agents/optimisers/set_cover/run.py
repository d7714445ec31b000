"""A search over covers, run in slices: by whoever waits for it, or as short tasks elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter

from agents.optimisers.entry import Arrays, CoverSearch
from agents.optimisers.set_cover.exact import Exact
from agents.optimisers.set_cover.ledger import (
    BOUND,
    COVERED,
    ENDED,
    EXPANDED,
    FULL,
    GENERATED,
    GOAL,
    NONE,
    STEPS,
    WAITING,
    ledger_of,
    taken,
)
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


FIRST_SLICE, FASTER = 64, 4  # expansions, and how many times as many the next slice may have
BETWEEN_LOOKS = 0.1  # seconds: a bar that moves, a stop that is heeded
REFERENCE = 4_000_000  # sets looked at that `optimum` is worth: well below a second


@dataclass(frozen=True, slots=True)
class CoverRun:
    """How far a search is."""

    sets: tuple[int, ...] | None  # the cover, or the smallest known by now
    proven: bool  # that no cover has fewer sets
    bound: int  # sets that any cover needs, as far as this search has shown
    expanded: int
    generated: int
    frontier: int
    ended: bool
    full: bool  # it gave up, with as many nodes as are kept
    seconds: float = field(compare=False)
    state: Arrays = field(repr=False, compare=False)

    @property
    def size(self) -> int | None:
        return None if self.sets is None else len(self.sets)


def cover_run(search: CoverSearch, state: Arrays, seconds: float) -> CoverRun:
    """What a state says."""
    tally, sets = state["tally"], cover_of(state)
    proven = search.proves and int(tally[ENDED]) == COVERED
    return CoverRun(
        sets=sets,
        proven=proven,
        bound=len(sets) if proven and sets else max(1, int(tally[BOUND])),
        expanded=int(tally[EXPANDED]),
        generated=int(tally[GENERATED]),
        frontier=int(tally[WAITING]),
        ended=bool(tally[ENDED]),
        full=int(tally[ENDED]) == FULL,
        seconds=seconds,
        state=state,
    )


def cover_course(
    problem: SetCover, search: CoverSearch, most: int | None = None
) -> Iterator[CoverRun]:
    """The search from its beginning, looked at a few times a second, to its end or to so many
    expansions. How it is cut into slices changes nothing."""
    state, size = search.begin(problem), FIRST_SLICE
    search.advance(problem, state, 1)  # compiles what has to be compiled
    begun = perf_counter()
    run = cover_run(search, state, 0.0)
    while not run.ended and (most is None or run.expanded < most):
        before = perf_counter()
        left = size if most is None else min(size, most - run.expanded)
        state = search.advance(problem, state, left)
        lasted = max(perf_counter() - before, 1e-6)
        # What is copied between two slices grows, and so must the slices.
        least = int(state["tally"][EXPANDED]) // 8
        size = max(least, min(int(left * BETWEEN_LOOKS / lasted), FASTER * size), FIRST_SLICE)
        run = cover_run(search, state, perf_counter() - begun)
        yield run
    if not run.expanded:
        yield run


@lru_cache(maxsize=64)
def optimum(problem: SetCover) -> int | None:
    """The fewest sets there can be, where they are soon found; None: it would take longer."""
    search = Exact()
    most = REFERENCE // len(problem.masks)
    run = cover_run(search, search.advance(problem, search.begin(problem), most), 0.0)
    return run.size if run.proven else None
