"""Runs of searches: to their end, for several searches and seeds, or a slice at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from agents.optimisers.black_box.batches import answering
from agents.optimisers.black_box.run import BoxRun, BoxSession, stopped
from agents.optimisers.entry import BrokenSearchError, UnsuitableSearchError
from agents.optimisers.file_search import FileSession, is_file
from agents.optimisers.roster import load_search
from agents.optimisers.set_cover.run import CoverRun, CoverSession, is_optimal
from engine.errors import ZermeloError, warn_once
from engine.problems.black_box import BlackBox
from engine.problems.catalog import load_problem, with_seed
from engine.problems.set_cover import SetCover

SLICE_SECONDS = 1.0
REPORT_SECONDS = 0.1  # between two reports: how often a bar moves, how soon a stop takes effect

Run = CoverRun | BoxRun
R = TypeVar("R", CoverRun, BoxRun)
# Passes the runs of a search on as they are reported, to show progress.
WatchedSearch = Callable[[str, Iterator[Any]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Optimised:
    """The result of one search on one problem from one seed."""

    problem: str
    search: str
    seed: int
    run: Run
    stopped: bool  # before its end, by Ctrl-C

    @property
    def optimal(self) -> bool | None:
        """Whether a cover has the fewest sets; None where that is not known."""
        if not isinstance(self.run, CoverRun):
            return None
        return is_optimal(load_problem(self.problem), self.run)

    def __str__(self) -> str:
        run = self.run
        if isinstance(run, BoxRun):
            return f"{self.search} on {self.problem}: {run.best:.4g} after {run.calls:,} calls"
        found = "no cover" if run.sets is None else f"{len(run.sets)} sets"
        return f"{self.search} on {self.problem}: {found} after {run.expanded:,} expansions"


def optimise(
    problem: str,
    *searches: str,
    seed: int = 0,
    runs: int = 1,
    calls: int | None = None,
    watched: WatchedSearch = lambda _, runs: runs,
) -> Iterator[Optimised]:
    """Run each search on the problem, from as many seeds one after the other.

    A problem whose spec leaves its seed open is another one with every seed. `calls` limits the
    questions to a box, or the expansions of a cover. Ctrl-C stops: a run that has found anything
    by then is the last result.
    """
    for spec in searches:  # report errors before the first run
        _load(problem, spec, seed)
    load_problem(problem)
    for number in range(seed, seed + runs):
        for spec in searches:
            found = solved(with_seed(problem, number), spec, number, calls, watched)
            yield found
            if found.stopped:
                return


def solved(
    problem: str,
    search: str,
    seed: int,
    calls: int | None,
    watched: WatchedSearch = lambda _, runs: runs,
) -> Optimised:
    """One run to its end or to Ctrl-C; raises KeyboardInterrupt before the first report."""
    name, session = _load(problem, search, seed)
    last: Run | None = None
    interrupted = False
    try:
        for run in watched(name, _reports(session, calls)):
            last = run
    except ZermeloError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not _by_ctrl_c(error):
            warn_once(__name__, f"{name} failed on {problem}: {error!r}"[:500])
            raise BrokenSearchError(f"{name} failed on {problem}") from error
        interrupted = True
        if last is None:
            raise KeyboardInterrupt from error
    assert last is not None, "a run is reported at least once"
    if isinstance(last, BoxRun):
        last = stopped(last)
    return Optimised(load_problem(problem).spec, name, seed, last, interrupted)


def _load(problem: str, search: str, seed: int) -> tuple[str, Any]:
    """As `load_session`; a search may also be a file, which pages and jobs never take."""
    if not is_file(search):
        return load_session(problem, search, seed)
    box = load_problem(problem)
    if not isinstance(box, BlackBox):
        raise UnsuitableSearchError(f"a file can search a black box, and {problem} is none")
    return search, FileSession(box, search, seed)


def load_session(problem: str, search: str, seed: int = 0) -> tuple[str, Any]:
    """(shortest spec of the search, its `CoverSession` or `BoxSession` on the problem)."""
    loaded = load_problem(problem)
    name, made = load_search(search, problem)
    if isinstance(loaded, SetCover):
        return name, CoverSession(loaded, made)
    return name, BoxSession(answering(loaded), loaded.bits, loaded.goal, made, seed)


@dataclass(frozen=True, slots=True)
class Slice(Generic[R]):
    """How far a run is, and its state for the next slice."""

    run: R
    state: bytes = field(repr=False)


def run_slice(
    problem: str,
    search: str,
    seed: int,
    state: bytes | None,
    limit: int | None = None,
    seconds: float = SLICE_SECONDS,
) -> Slice[Any]:
    """Continue a run for about so many seconds, from its state or the start: a task of a job.

    `limit` is of its expansions or calls in all. After as many of them a run is the same, however
    many slices led there and wherever they ran.
    """
    _, session = load_session(problem, search, seed)
    run = session.start() if state is None else session.read(state)
    run = session.advance(run, limit, seconds)
    return Slice(run, session.write(run))


def _reports(session: Any, limit: int | None) -> Iterator[Run]:
    """The run every REPORT_SECONDS, until the search ends or its effort reaches the limit."""
    session.warm_up()
    run = session.start()
    while True:
        run = session.advance(run, limit, REPORT_SECONDS)
        yield run
        if run.ended or run.effort == limit:
            return


def _by_ctrl_c(error: BaseException) -> bool:
    """Whether it is Ctrl-C, which Python wraps in a SystemError while a kernel runs."""
    cause = error.__cause__ if isinstance(error, SystemError) else error
    return isinstance(cause, KeyboardInterrupt)
