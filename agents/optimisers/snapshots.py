"""What a page shows of a search: its figures, or one of its steps.

Pure functions of texts and numbers, which return no more than a page shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.entry import CoverSearch
from agents.optimisers.runs import load_session, run_slice
from agents.optimisers.set_cover.best_first import BestFirst
from agents.optimisers.set_cover.exact import Exact
from agents.optimisers.set_cover.run import (
    OPTIMUM_BUDGET,
    CoverRun,
    CoverSession,
    CoverStep,
    is_optimal,
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
class CoverMoment:
    """One step of a search, and the frontier then."""

    step: CoverStep
    gains: tuple[int, ...]  # missing things that each set has, the largest first
    largest: int  # things of the largest set there is
    front: tuple[CoverStep, ...]  # the next in the frontier, where the search keeps one


def cover_figures(problem: str, search: str) -> CoverRun:
    """The search at its end or after `expansion_budget` expansions, without its state."""
    session: CoverSession
    _, session = load_session(problem, search)
    run = session.expand(expansion_budget(session.problem, session.search))
    return replace(run, optimal=is_optimal(session.problem, run), state={})


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
    cover, run = session.problem, session.expand(number)
    step = step_at(cover, run, min(number, run.steps))
    missing = sum(1 << thing for thing in step.missing)
    gains = sorted(((mask & missing).bit_count() for mask in cover.masks), reverse=True)
    front: tuple[CoverStep, ...] = ()
    if isinstance(session.search, BestFirst):
        nodes = session.search.front(run.state, FRONT_NODES)
        front = tuple(step_of(cover, run, node) for node in nodes)
    return CoverMoment(
        step,
        tuple(gain for gain in gains if gain),
        max(mask.bit_count() for mask in cover.masks),
        front,
    )


def box_figures(problem: str, search: str, seed: int, calls: int, seconds: float) -> BoxRun:
    """The search after so many calls, or after so many seconds, without its state."""
    run: BoxRun = run_slice(problem, search, seed, None, calls, seconds).run
    return replace(run, state={})


def is_cover(problem: str) -> bool:
    """Whether the problem is a set cover, rather than a box."""
    return shape_of(problem) is ProblemShape.COVER
