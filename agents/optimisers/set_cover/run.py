"""Runs of a search over covers: the session that advances one, what it has come to, its steps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter

from agents.optimisers.entry import Arrays, CoverSearch, from_bytes, to_bytes
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

FIRST_BATCH, BATCH_GROWTH = 64, 4  # expansions; the most times as many in the next batch
OPTIMUM_BUDGET = 4_000_000  # sets examined by `optimum`: well below a second


@dataclass(frozen=True, slots=True)
class CoverRun:
    """How far a search is."""

    sets: tuple[int, ...] | None  # the cover, or the smallest known by now
    optimal: bool | None  # whether there is none with fewer, as far as the search has proven it
    bound: int  # sets that any cover needs, as far as this search has shown
    expanded: int
    generated: int
    frontier: int
    ended: bool
    full: bool  # it gave up at MAX_NODES
    steps: int  # recorded, which `step_at` can show
    seconds: float = field(default=0.0, compare=False)
    state: Arrays = field(default_factory=dict, repr=False, compare=False)

    @property
    def size(self) -> int | None:
        return None if self.sets is None else len(self.sets)

    @property
    def effort(self) -> int:
        return self.expanded


def cover_run(search: CoverSearch, state: Arrays, seconds: float = 0.0) -> CoverRun:
    """Read the figures of a run off its state."""
    tally, sets = state["tally"], cover_of(state)
    proven = search.proves and int(tally[ENDED]) == COVERED
    bound = len(sets) if proven and sets else max(1, int(tally[BOUND]))
    return CoverRun(
        sets=sets,
        optimal=True if sets is not None and len(sets) == bound else None,
        bound=bound,
        expanded=int(tally[EXPANDED]),
        generated=int(tally[GENERATED]),
        frontier=int(tally[WAITING]),
        ended=bool(tally[ENDED]),
        full=int(tally[ENDED]) == FULL,
        steps=int(tally[STEPS]),
        seconds=seconds,
        state=state,
    )


@dataclass(frozen=True, slots=True)
class CoverSession:
    """A search at work on a problem; all that changes is in the run it is given."""

    problem: SetCover
    search: CoverSearch

    def start(self) -> CoverRun:
        return cover_run(self.search, self.search.begin(self.problem))

    def warm_up(self) -> None:
        """Compile the kernels, by one expansion whose result is dropped."""
        self.search.advance(self.problem, self.search.begin(self.problem), 1)

    def write(self, run: CoverRun) -> bytes:
        """Serialise a run: all but its seconds is in its state."""
        return to_bytes(run.state, {"seconds": run.seconds})

    def read(self, data: bytes) -> CoverRun:
        """Deserialise a run; raises UnreadableStateError."""
        state, facts = from_bytes(data)
        return cover_run(self.search, state, facts["seconds"])

    def expand(self, many: int) -> CoverRun:
        """The run after at most so many expansions from the start, however long they take."""
        return cover_run(
            self.search, self.search.advance(self.problem, self.search.begin(self.problem), many)
        )

    def advance(self, run: CoverRun, limit: int | None, seconds: float) -> CoverRun:
        """Expand for about so many seconds, up to `limit` expansions in all.

        Where a run is cut changes nothing but its seconds.
        """
        begun, before = perf_counter(), run.seconds
        size = max(FIRST_BATCH, run.expanded // 8)
        while not run.ended and (limit is None or run.expanded < limit):
            started = perf_counter() - begun
            if started >= seconds:
                break
            batch = size if limit is None else min(size, limit - run.expanded)
            state = self.search.advance(self.problem, run.state, batch)
            elapsed = perf_counter() - begun
            run = cover_run(self.search, state, before + elapsed)
            fitting = int(batch * (seconds - elapsed) / max(elapsed - started, 1e-6))
            # Every batch copies the state, which grows: so must the batches.
            size = max(FIRST_BATCH, run.expanded // 8, min(fitting, BATCH_GROWTH * size))
        return run


@lru_cache(maxsize=64)
def optimum(problem: SetCover) -> int | None:
    """The size of the smallest cover; None where finding it takes more than OPTIMUM_BUDGET."""
    run = CoverSession(problem, Exact()).expand(OPTIMUM_BUDGET // len(problem.masks))
    return run.size if run.optimal else None


def is_optimal(problem: SetCover, run: CoverRun) -> bool | None:
    """Whether the cover has the fewest sets; None where that is not known."""
    if run.optimal or run.sets is None or (fewest := optimum(problem)) is None:
        return run.optimal
    return len(run.sets) == fewest


def cover_of(state: Arrays) -> tuple[int, ...] | None:
    """The cover that was found, or the smallest known by now; None where there is none yet."""
    if "best" in state:
        return tuple(int(choice) for choice in state["best"])
    goal = int(state["tally"][GOAL])
    return None if goal == NONE else taken(ledger_of(state), goal)


@dataclass(frozen=True, slots=True)
class CoverStep:
    """One node taken from the frontier."""

    number: int  # from 1; 0 for one that still waits
    sets: tuple[int, ...]  # taken so far, in their order
    missing: tuple[int, ...]  # things they leave uncovered
    g: int
    h: int | None  # None where the search estimates nothing
    waiting: int
    least: int | None  # the best f in the frontier, where the search orders by one

    @property
    def f(self) -> int | None:
        return None if self.h is None else self.g + self.h


def step_at(problem: SetCover, run: CoverRun, number: int) -> CoverStep:
    """The step of this number, from 1 to `run.steps`."""
    if not 1 <= number <= run.steps:
        raise IndexError(f"there is no step {number}: {run.steps} were recorded")
    ledger, at = ledger_of(run.state), number - 1
    return replace(
        step_of(problem, run, int(ledger.order[at])),
        number=number,
        waiting=int(ledger.waiting[at]),
        least=_optional(int(ledger.least[at])),
    )


def step_of(problem: SetCover, run: CoverRun, node: int) -> CoverStep:
    """A node as the step it would be."""
    ledger = ledger_of(run.state)
    sets = taken(ledger, node)
    return CoverStep(
        0,
        sets,
        tuple(members(problem.missing(sets))),
        int(ledger.depth[node]),
        _optional(int(ledger.ahead[node])),
        waiting=0,
        least=None,
    )


def _optional(value: int) -> int | None:
    return None if value == NONE else value
