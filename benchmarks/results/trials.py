"""What is measured of the searches, beside what a course's students published for theirs.

Data, and how a figure is taken: `python -m benchmarks.results` writes them down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from statistics import quantiles

from agents.optimisers.black_box.course import FIRST, SECOND
from agents.optimisers.runs import solved
from agents.optimisers.set_cover.run import CoverRun, optimum
from engine.problems.catalog import load_problem, with_seed
from engine.problems.set_cover import SetCover

SEEDS = 20
SAME_CALLS = 30_010  # as many as the course's second search was given

Quartiles = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Trial:
    """One search on one problem, from several seeds."""

    problem: str
    search: str
    published: str = ""  # what the course reported; a search that has this is one of theirs
    theirs: bool = False  # re-implemented from what they published
    elsewhere: str = ""  # what public code gave when others ran it: in no report
    seeds: int = SEEDS
    calls: int | None = None
    most: int | None = None  # calls or expansions that no seed may pass
    optimal: bool = False  # whether every seed has to reach the best there is

    @property
    def name(self) -> str:
        """What `python -m benchmarks.results --only` finds it by."""
        return f"{self.problem} {self.search}"


@dataclass(frozen=True, slots=True)
class Trace:
    """What one run came to."""

    worth: float | None  # sets of a cover, or a box's number; None: nothing was found
    effort: int  # expansions, or calls
    best: float | None  # the best worth there is, where it is known


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found for a trial, over its seeds."""

    trial: Trial
    traces: tuple[Trace, ...]

    @property
    def worth(self) -> Quartiles | None:
        return _quartiles([trace.worth for trace in self.traces if trace.worth is not None])

    @property
    def effort(self) -> Quartiles | None:
        return _quartiles([trace.effort for trace in self.traces])

    @property
    def best(self) -> Quartiles | None:
        known = [trace.best for trace in self.traces if trace.best is not None]
        return _quartiles(known) if len(known) == len(self.traces) else None

    @property
    def reached(self) -> int:
        """In how many runs the best there is was found."""
        return sum(trace.worth is not None and trace.worth == trace.best for trace in self.traces)

    @property
    def met(self) -> bool:
        """Whether all that is asked of the trial is so."""
        trial = self.trial
        soon = trial.most is None or max(trace.effort for trace in self.traces) <= trial.most
        return soon and (not trial.optimal or self.reached == len(self.traces))


def measure(trial: Trial, executor: Executor | None = None) -> Measured:
    """The trial from each of its seeds, in as many processes as the executor has."""
    seeds = range(trial.seeds)
    run = map if executor is None else executor.map
    traces: Iterable[Trace] = run(trace, [trial] * trial.seeds, seeds)
    return Measured(trial, tuple(traces))


def trace(trial: Trial, seed: int) -> Trace:
    """The trial from one seed."""
    spec = with_seed(trial.problem, seed)
    run, problem = solved(spec, trial.search, seed, trial.calls).run, load_problem(spec)
    if isinstance(run, CoverRun):
        assert isinstance(problem, SetCover)
        return Trace(run.size, run.expanded, optimum(problem))
    return Trace(run.best, run.calls, problem.goal)


def _quartiles(values: Sequence[float]) -> Quartiles | None:
    if len(values) < 2:
        return None
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high


COURSE, PROJECTOR = "set-cover", "set-cover:things=20,sets=40,density=0.2"

COVERS = (
    Trial(COURSE, "course", "mostly below 100 steps, hard cases above 1,000", True, seeds=60),
    Trial(COURSE, "depth-first", seeds=60),
    Trial(COURSE, "greedy", seeds=60),
    Trial(COURSE, "astar:estimate=average", seeds=60),
    Trial(COURSE, "astar:estimate=largest", seeds=30, optimal=True),
    Trial(COURSE, "astar:estimate=gain", seeds=60, optimal=True),
    Trial(COURSE, "astar", seeds=60, optimal=True),
    Trial(COURSE, "astar:branch=rarest", seeds=60, optimal=True, most=200),
    Trial(COURSE, "exact", seeds=60, optimal=True),
    Trial(PROJECTOR, "depth-first", theirs=True, elsewhere="12 sets after 12 steps"),
    Trial(
        PROJECTOR,
        "breadth-first",
        theirs=True,
        elsewhere="4 sets after 475,275 steps",
        optimal=True,
    ),
    Trial(PROJECTOR, "greedy", theirs=True, elsewhere="4 sets after 4 steps"),
    Trial(PROJECTOR, "astar", theirs=True, elsewhere="4 sets after 99 steps", optimal=True),
    Trial(PROJECTOR, "astar:branch=rarest", optimal=True),
    Trial(PROJECTOR, "exact", optimal=True),
)
OURS = {1: 265, 2: 499, 5: 499, 10: 499}  # calls that weigh may ask
SEARCHES = (
    "one-plus-one",
    "one-plus-lambda",
    "genetic",
    "genetic:crossover=points",
    "islands",
    "crowding",
    "annealing",
    "tabu",
)

BOXES = tuple(
    trial
    for groups, most in OURS.items()
    for sealed in ("", ",sealed=yes")
    for box in [f"black-box:groups={groups}{sealed}"]
    for trial in (
        *(
            Trial(box, search, "" if sealed else str(published[groups]), True, seeds=60)
            for search, published in (("course-first", FIRST), ("course-second", SECOND))
        ),
        *(Trial(box, search, calls=SAME_CALLS) for search in (SEARCHES if sealed else ())),
        Trial(box, "probe", most=1_100, optimal=True),
        Trial(box, "weigh", most=most, optimal=True),
    )
)

TRIALS = (*COVERS, *BOXES)
