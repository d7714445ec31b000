"""Searches as someone asks for them: one problem, several searches, several seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from agents.optimisers.black_box.batches import answering
from agents.optimisers.black_box.run import Asking, BoxRun, stopped
from agents.optimisers.entry import BrokenSearchError
from agents.optimisers.roster import load_search
from agents.optimisers.set_cover.run import CoverRun, cover_course, optimum
from engine.errors import ZermeloError, tell_once
from engine.problems.black_box import MOST_CALLS
from engine.problems.catalog import load_problem, seeded
from engine.problems.set_cover import SetCover

Run = CoverRun | BoxRun
# What a run passes through as it goes, for whoever shows progress.
WatchedSearch = Callable[[str, Iterator[Any]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Optimised:
    """What one search came to on one problem from one seed."""

    problem: str
    search: str
    seed: int
    run: Run
    stopped: bool  # before its end, by Ctrl-C

    @property
    def optimal(self) -> bool | None:
        """Whether a cover has the fewest sets; None where that is not known."""
        run = self.run
        if not isinstance(run, CoverRun) or run.sets is None:
            return None
        if run.proven or len(run.sets) == run.bound:
            return True
        fewest = optimum(load_problem(self.problem))
        return None if fewest is None else len(run.sets) == fewest

    def __str__(self) -> str:
        run = self.run
        if isinstance(run, BoxRun):
            return f"{self.search} on {self.problem}: {run.best:.4g} after {run.calls:,} calls"
        found = "no cover" if run.sets is None else f"{len(run.sets)} sets"
        return f"{self.search} on {self.problem}: {found} after {run.expanded:,} expansions"


def _unwatched(_: str, runs: Iterator[Any]) -> Iterator[Any]:
    return runs


def optimise(
    problem: str,
    *searches: str,
    seed: int = 0,
    runs: int = 1,
    calls: int | None = None,
    watched: WatchedSearch = _unwatched,
) -> Iterator[Optimised]:
    """Let each search work on the problem, from as many seeds one after the other.

    A problem whose spec leaves its seed open is another one with every seed. `calls` is the most
    questions to a box, or states of a cover to expand. Ctrl-C stops: a run that has found anything
    by then is the last one given.
    """
    for spec in searches:  # what is wrong is said before anything is begun
        load_search(spec, problem)
    load_problem(problem)
    for number in range(seed, seed + runs):
        for spec in searches:
            found = solved(seeded(problem, number), spec, number, calls, watched)
            yield found
            if found.stopped:
                return


def _by_ctrl_c(error: BaseException) -> bool:
    """Whether it is Ctrl-C, perhaps as Python tells it where a kernel was at work just then."""
    told = error.__cause__ if isinstance(error, SystemError) else error
    return isinstance(told, KeyboardInterrupt)


def solved(
    problem: str, search: str, seed: int, calls: int | None, watched: WatchedSearch = _unwatched
) -> Optimised:
    """One run to its end or to Ctrl-C; raises where that came before there was anything."""
    asked = load_problem(problem)
    name, made = load_search(search, problem)
    if isinstance(asked, SetCover):
        course: Iterator[Run] = cover_course(asked, made, calls)
    else:
        asking = Asking(answering(asked), asked.bits, asked.goal, made, seed)
        course = asking.course(calls or MOST_CALLS)
    last: Run | None = None
    interrupted = False
    try:
        for run in watched(name, course):
            last = run
    except ZermeloError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not _by_ctrl_c(error):
            tell_once(__name__, f"{name} failed on {problem}: {error!r}"[:500])
            raise BrokenSearchError(f"{name} failed on {problem}") from error
        interrupted = True
        if last is None:
            raise KeyboardInterrupt from error
    assert last is not None, "a run is looked at once at least"
    if isinstance(last, BoxRun):
        last = stopped(last)
    return Optimised(asked.spec, name, seed, last, interrupted)
