"""What a page shows of a search: its figures, or one of its steps.

Pure functions of texts and numbers, which return no more than a page shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.optimisers.entry import CoverSearch
from agents.optimisers.runs import load_session, run_slice
from agents.optimisers.set_cover.best_first import BestFirst
from agents.optimisers.set_cover.exact import Exact
from agents.optimisers.set_cover.run import (
    OPTIMUM_BUDGET,
    CoverRun,
    CoverSession,
    CoverStep,
    optimum,
    recorded,
    step_at,
    step_of,
)
from agents.optimisers.set_cover.sets import LARGEST, NO_ESTIMATE, WORD
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from engine.problems.set_cover import SetCover

FRONT_NODES = 5  # of the frontier, on a page
# What one request has time for, in words of 64 things: to read, and to write into new nodes.
WORDS_READ, WORDS_WRITTEN = 50_000_000, 1_000_000


@dataclass(frozen=True, slots=True)
class CoverFigures:
    """The figures of a search over covers that has ended, or how far it is."""

    sets: tuple[int, ...] | None  # the cover, or the smallest known by now
    optimal: bool | None  # whether there is none with fewer; None where that is not known
    bound: int  # sets that any cover needs, as far as this search has shown
    expanded: int
    generated: int
    waiting: int
    ended: bool
    full: bool  # it gave up, with as many nodes as a search may keep
    steps: int  # recorded, which `cover_moment` can show

    @classmethod
    def of(cls, run: CoverRun) -> CoverFigures:
        """The figures of a run; `optimal` only as far as the search itself has proven it."""
        proven = run.sets is not None and (run.proven or len(run.sets) == run.bound)
        return cls(
            sets=run.sets,
            optimal=True if proven else None,
            bound=run.bound,
            expanded=run.expanded,
            generated=run.generated,
            waiting=run.frontier,
            ended=run.ended,
            full=run.full,
            steps=recorded(run.state),
        )


@dataclass(frozen=True, slots=True)
class CoverMoment:
    """One step of a search, and the frontier then."""

    step: CoverStep
    gains: tuple[int, ...]  # missing things that each set has, the largest first
    largest: int  # things of the largest set there is
    front: tuple[CoverStep, ...]  # the next in the frontier, where the search keeps one


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """The figures of a search on a box after so many calls."""

    best: float
    calls: int
    genome: int
    ended: bool


Snapshot = CoverFigures | CoverMoment | BoxFigures


def cover_figures(problem: str, search: str) -> CoverFigures:
    """The figures of the search at its end, or after `expansion_budget` expansions."""
    session: CoverSession
    _, session = load_session(problem, search)
    figures = CoverFigures.of(session.expand(expansion_budget(session.problem, session.search)))
    if figures.sets is None or figures.optimal:
        return figures
    fewest = optimum(session.problem)
    return replace(figures, optimal=None if fewest is None else len(figures.sets) == fewest)


def expansion_budget(problem: SetCover, search: CoverSearch) -> int:
    """How many expansions take about half a second: counted and not timed, so that the figures
    are the same on every machine."""
    sets = len(problem.masks)
    each = sets * -(-problem.things // WORD)
    if isinstance(search, Exact):
        budget = WORDS_READ // each
    elif isinstance(search, BestFirst) and search.estimate not in (NO_ESTIMATE, LARGEST):
        budget = min(WORDS_WRITTEN // each, WORDS_READ // (each * sets))  # all sets, each child
    elif isinstance(search, BestFirst):
        budget = WORDS_WRITTEN // each
    else:
        budget = OPTIMUM_BUDGET // sets
    return max(1, budget)


def cover_moment(problem: str, search: str, number: int) -> CoverMoment:
    """The step of this number, or the last one where there are fewer."""
    session: CoverSession
    _, session = load_session(problem, search)
    cover, state = session.problem, session.expand(number).state
    step = step_at(cover, state, min(number, recorded(state)))
    missing = sum(1 << thing for thing in step.missing)
    gains = sorted(((mask & missing).bit_count() for mask in cover.masks), reverse=True)
    front: tuple[CoverStep, ...] = ()
    if isinstance(session.search, BestFirst):
        nodes = session.search.front(state, FRONT_NODES)
        front = tuple(step_of(cover, state, node) for node in nodes)
    return CoverMoment(
        step,
        tuple(gain for gain in gains if gain),
        max(mask.bit_count() for mask in cover.masks),
        front,
    )


def box_figures(problem: str, search: str, seed: int, calls: int, seconds: float) -> BoxFigures:
    """The figures of the search after so many calls, or after so many seconds."""
    run = run_slice(problem, search, seed, None, calls, seconds).run
    return BoxFigures(run.best, run.calls, run.genome, run.ended)


def is_cover(problem: str) -> bool:
    """Whether the problem is a set cover, rather than a box."""
    return shape_of(problem) is ProblemShape.COVER
