"""A search as someone looks at it: all of it where that is soon done, or one of its steps.

Everything here is a function of texts and numbers, and gives back no more than a page shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.entry import CoverSearch
from agents.optimisers.roster import load_search
from agents.optimisers.set_cover.best_first import BestFirst
from agents.optimisers.set_cover.exact import Exact
from agents.optimisers.set_cover.run import (
    REFERENCE,
    CoverRun,
    CoverStep,
    cover_run,
    optimum,
    recorded,
    step_at,
    step_of,
)
from agents.optimisers.set_cover.sets import LARGEST, NO_ESTIMATE, WORD
from agents.optimisers.slices import box_slice
from engine.problems.catalog import load_problem, shape_of
from engine.problems.entry import ProblemShape
from engine.problems.set_cover import SetCover

FRONT = 5  # of those that wait, shown
# What a moment has time for, in words of 64 things: to look at, and to make a state of.
LOOKED_AT, MADE = 50_000_000, 1_000_000


@dataclass(frozen=True, slots=True)
class CoverFigures:
    """What a search over covers came to, or how far it is."""

    sets: tuple[int, ...] | None  # the cover, or the smallest known by now
    optimal: bool | None  # whether there is none with fewer; None where that is not known
    bound: int  # sets that any cover needs, as far as this search has shown
    expanded: int
    generated: int
    waiting: int
    ended: bool
    full: bool  # it gave up, with as many nodes as are kept
    steps: int  # that can be looked at

    @classmethod
    def of(cls, run: CoverRun) -> CoverFigures:
        """As far as the search knows by itself."""
        shown = run.sets is not None and (run.proven or len(run.sets) == run.bound)
        return cls(
            sets=run.sets,
            optimal=True if shown else None,
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
    """One step of a search, and what waited then."""

    step: CoverStep
    gains: tuple[int, ...]  # missing things that each set has, the largest first
    largest: int  # things of the largest set there is
    front: tuple[CoverStep, ...]  # what would be taken up next, where the search keeps such a list


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """What a search on a box came to after so many calls."""

    best: float
    calls: int
    genome: int
    ended: bool


Seen = CoverFigures | CoverMoment | BoxFigures


def cover_figures(problem: str, search: str) -> CoverFigures:
    """The search to its end, or as far as a moment goes."""
    asked, (_, made) = load_problem(problem), load_search(search, problem)
    state = made.advance(asked, made.begin(asked), moment(asked, made))
    figures = CoverFigures.of(cover_run(made, state, 0.0))
    if figures.sets is None or figures.optimal:
        return figures
    fewest = optimum(asked)
    return replace(figures, optimal=None if fewest is None else len(figures.sets) == fewest)


def moment(problem: SetCover, search: CoverSearch) -> int:
    """How many expansions fit into half a second or so: counted and not timed, so that the
    figures come out the same on every machine."""
    sets = len(problem.masks)
    each = sets * -(-problem.things // WORD)
    if isinstance(search, Exact):
        most = LOOKED_AT // each
    elif isinstance(search, BestFirst) and search.estimate not in (NO_ESTIMATE, LARGEST):
        most = min(MADE // each, LOOKED_AT // (each * sets))  # by every set, for every child
    elif isinstance(search, BestFirst):
        most = MADE // each
    else:
        most = REFERENCE // sets
    return max(1, most)


def cover_moment(problem: str, search: str, number: int) -> CoverMoment:
    """The step of this number, or the last one where there are fewer."""
    asked, (_, made) = load_problem(problem), load_search(search, problem)
    state = made.advance(asked, made.begin(asked), number)
    step = step_at(asked, state, min(number, recorded(state)))
    missing = sum(1 << thing for thing in step.missing)
    gains = sorted(((mask & missing).bit_count() for mask in asked.masks), reverse=True)
    front: tuple[CoverStep, ...] = ()
    if isinstance(made, BestFirst):
        nodes = made.front(state, FRONT)
        front = tuple(step_of(asked, state, node) for node in nodes)
    return CoverMoment(
        step,
        tuple(gain for gain in gains if gain),
        max(mask.bit_count() for mask in asked.masks),
        front,
    )


def box_figures(problem: str, search: str, seed: int, calls: int, seconds: float) -> BoxFigures:
    """The search as it stood after so many calls, or after so many seconds."""
    run: BoxRun = box_slice(problem, search, seed, None, calls, seconds).run
    return BoxFigures(run.best, run.calls, run.genome, run.ended)


def is_cover(problem: str) -> bool:
    """Whether searches over covers are made for it, rather than those that ask a box."""
    return shape_of(problem) is ProblemShape.COVER
