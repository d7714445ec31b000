"""Searches without a foe as a job: one strand for each run, a slice at a time.

A run is one search from one seed. After as many calls or expansions it is the same, however it
was cut (`agents.optimisers.slices`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.slices import BoxSlice, CoverSlice, box_slice, cover_slice
from agents.optimisers.snapshots import CoverFigures, is_cover
from engine.problems.black_box import write_genome
from engine.problems.catalog import load_problem
from webapp.jobs.kinds.kind import JobKind, Task
from webapp.jobs.models import Change, JobPoint, JobRecord, Strand, Written

FIRST_SECONDS = 0.3  # so that a page shows something soon
SLICE_SECONDS = 0.8
PATIENCE = 600.0  # kernels are compiled by the first
LARGEST_STATE = 16 << 20  # bytes that a run may have to keep; with more it gives up


@dataclass(frozen=True, slots=True)
class SearchRun:
    """One run: who searches, from which seed."""

    search: str
    seed: int


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What is asked for."""

    problem: str
    runs: tuple[SearchRun, ...]
    calls: int  # the most questions to a box, in each run

    def to_json(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "runs": [{"search": run.search, "seed": run.seed} for run in self.runs],
            "calls": self.calls,
        }

    @classmethod
    def of(cls, record: JobRecord) -> SearchPlan:
        said = record.parameters
        runs = tuple(SearchRun(run["search"], run["seed"]) for run in said["runs"])
        return cls(said["problem"], runs, said["calls"])


def lanes_of(record: JobRecord) -> Mapping[int, Mapping[str, Any]]:
    """What each run has come to, once there is anything; by its number."""
    return {int(lane): figures for lane, figures in record.metrics.get("lanes", {}).items()}


def documents(record: JobRecord, points: Sequence[JobPoint]) -> list[dict[str, Any]]:
    """Each run that has begun, with the curve of one that asked a box."""
    plan, lanes = SearchPlan.of(record), lanes_of(record)
    curves: dict[int, list[list[float]]] = {}
    for point in points:
        if "best" in point.metrics:
            curves.setdefault(point.lane, []).append([point.step, point.metrics["best"]])
    return [
        {"problem": plan.problem, "search": run.search, "seed": run.seed}
        | dict(lanes[lane])
        | ({"curve": curves[lane]} if lane in curves else {})
        for lane, run in enumerate(plan.runs)
        if lane in lanes
    ]


def _plan(written: Written, running: Collection[str]) -> Iterator[Task]:
    """The next slice of each run that has not ended; those that are behind come first."""
    plan, lanes = SearchPlan.of(written.record), lanes_of(written.record)
    steps = {lane: strand.step for lane, strand in written.strands.items()}
    for lane in sorted(range(len(plan.runs)), key=lambda lane: (steps.get(lane, 0), lane)):
        if lanes.get(lane, {}).get("ended") or str(lane) in running:
            continue
        run, strand = plan.runs[lane], written.strands.get(lane)
        seconds = FIRST_SECONDS if strand is None else SLICE_SECONDS
        state = None if strand is None else strand.data
        if is_cover(plan.problem):
            asked: tuple[Any, ...] = (plan.problem, run.search, state, seconds)
            yield Task(str(lane), cover_slice, asked, PATIENCE)
        else:
            asked = (plan.problem, run.search, run.seed, state, plan.calls, seconds)
            yield Task(str(lane), box_slice, asked, PATIENCE)


def _take(written: Written, task: Task, result: CoverSlice | BoxSlice) -> Change:
    plan, lane = SearchPlan.of(written.record), int(task.key)
    before = written.strands.get(lane)
    points: tuple[JobPoint, ...] = ()
    if isinstance(result, CoverSlice):
        step, figures = result.run.expanded, _cover(result)
    else:
        step, figures = result.run.calls, _box(plan.problem, result.run)
        points = _points(lane, result.run, 0 if before is None else before.step)
    told = {**lanes_of(written.record), lane: figures}
    ended = sum(bool(figures["ended"]) for figures in told.values())
    kept = b"" if figures["ended"] else result.state
    return Change(
        step=ended,
        metrics={"lanes": {str(lane): figures for lane, figures in told.items()}},
        strands={lane: Strand(step, kept)},
        points=points,
        done=ended == len(plan.runs),
    )


def _cover(result: CoverSlice) -> dict[str, Any]:
    figures = CoverFigures.of(result.run)
    large = len(result.state) > LARGEST_STATE
    return {
        "sets": None if figures.sets is None else list(figures.sets),
        "optimal": figures.optimal,
        "bound": figures.bound,
        "expanded": figures.expanded,
        "generated": figures.generated,
        "waiting": figures.waiting,
        "ended": figures.ended or large,
        "full": figures.full or (large and not figures.ended),
        "steps": figures.steps,
        "seconds": round(result.run.seconds, 3),
    }


def _box(problem: str, run: BoxRun) -> dict[str, Any]:
    return {
        "best": run.best,
        "calls": run.calls,
        "genome": write_genome(run.genome, load_problem(problem).bits),
        "ended": run.ended,
        "seconds": round(run.seconds, 3),
    }


def _points(lane: int, run: BoxRun, after: int) -> tuple[JobPoint, ...]:
    """What the curves have gained since so many calls."""
    found: dict[int, dict[str, float]] = {}
    for name, curve in (("best", run.curve), ("diversity", run.diversity)):
        for calls, figure in curve:
            if calls > after:
                found.setdefault(calls, {})[name] = figure
    return tuple(JobPoint(lane, calls, figures) for calls, figures in sorted(found.items()))


def _leave(written: Written) -> Change:
    """Stopped: every curve goes up to where its run was."""
    lanes, record = lanes_of(written.record), written.record
    points = tuple(
        JobPoint(lane, figures["calls"], {"best": figures["best"]})
        for lane, figures in lanes.items()
        if "best" in figures
    )
    return Change(record.step, record.metrics, points=points)


SEARCHING = JobKind("search", "runs", _plan, _take, _leave)


def search_job(owner: str, title: str, plan: SearchPlan) -> JobRecord:
    """The job that does it, not stored yet."""
    return JobRecord(
        owner=owner,
        kind=SEARCHING.name,
        title=title,
        parameters=plan.to_json(),
        seed=plan.runs[0].seed,
        total=len(plan.runs),
    )
