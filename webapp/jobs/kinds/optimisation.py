"""Optimisation as a job: a checkpoint for each run, one slice at a time.

A run is one search from one seed; its result does not depend on how it was sliced
(`agents.optimisers.runs`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.runs import Slice, run_slice
from agents.optimisers.set_cover.run import CoverRun
from agents.optimisers.snapshots import is_cover
from agents.training.brains import Point
from engine.problems.black_box import write_genome
from engine.problems.catalog import load_problem
from webapp.jobs.models import (
    Change,
    Checkpoint,
    JobKind,
    JobRecord,
    JobSnapshot,
    Task,
    leave_unchanged,
)
from webapp.storage.rows import from_json

FIRST_SLICE_S = 0.3  # so that pages show something soon
SLICE_S = 0.8
SLICE_TIMEOUT_S = 600.0  # including the compilation of kernels
MAX_STATE_BYTES = 16 << 20  # of a run, which gives up beyond


@dataclass(frozen=True, slots=True)
class SearchRun:
    """A search and its seed, perhaps on another problem than its job's."""

    search: str
    seed: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The parameters of the job."""

    problem: str
    runs: tuple[SearchRun, ...]
    calls: int  # limit of each run on a black box

    def problem_of(self, lane: int) -> str:
        return self.runs[lane].problem or self.problem

    @property
    def problems(self) -> tuple[str, ...]:
        """Those that are searched, in the order of the runs."""
        return tuple(dict.fromkeys(map(self.problem_of, range(len(self.runs)))))

    @classmethod
    def of(cls, record: JobRecord) -> SearchPlan:
        return from_json(cls, record.parameters)


def lane_figures(record: JobRecord) -> Mapping[int, Mapping[str, Any]]:
    """The figures of each run that has any, by its number."""
    return {int(lane): figures for lane, figures in record.metrics.get("lanes", {}).items()}


def run_documents(record: JobRecord, points: Sequence[Point]) -> list[dict[str, Any]]:
    """Each run that has begun as JSON data, with its curve on a black box."""
    plan, lanes = SearchPlan.of(record), lane_figures(record)
    curves: dict[int, list[list[float]]] = {}
    for point in points:
        if "best" in point.metrics:
            curves.setdefault(point.lane, []).append([point.step, point.metrics["best"]])
    return [
        {"problem": plan.problem_of(lane), "search": run.search, "seed": run.seed}
        | dict(lanes[lane])
        | ({"curve": curves[lane]} if lane in curves else {})
        for lane, run in enumerate(plan.runs)
        if lane in lanes
    ]


def _plan(snapshot: JobSnapshot, running: Collection[str]) -> Iterator[Task]:
    """The next slice of each run that has not ended, those with fewest steps first."""
    plan, lanes = SearchPlan.of(snapshot.record), lane_figures(snapshot.record)
    steps = {lane: checkpoint.step for lane, checkpoint in snapshot.checkpoints.items()}
    for lane in sorted(range(len(plan.runs)), key=lambda lane: (steps.get(lane, 0), lane)):
        if lanes.get(lane, {}).get("ended") or str(lane) in running:
            continue
        run, checkpoint = plan.runs[lane], snapshot.checkpoints.get(lane)
        seconds = FIRST_SLICE_S if checkpoint is None else SLICE_S
        state = None if checkpoint is None else checkpoint.data
        problem = plan.problem_of(lane)
        calls = None if is_cover(problem) else plan.calls
        arguments = (problem, run.search, run.seed, state, calls, seconds)
        yield Task(str(lane), run_slice, arguments, SLICE_TIMEOUT_S)


def _take(snapshot: JobSnapshot, task: Task, result: Slice[CoverRun] | Slice[BoxRun]) -> Change:
    plan, lane = SearchPlan.of(snapshot.record), int(task.key)
    before = snapshot.checkpoints.get(lane)
    points: tuple[Point, ...] = ()
    run = result.run
    if isinstance(run, CoverRun):
        figures = _cover(run, len(result.state))
    else:
        figures = _box(plan.problem_of(lane), run)
        points = _points(lane, run, 0 if before is None else before.step)
    all_figures = {**lane_figures(snapshot.record), lane: figures}
    ended = sum(bool(figures["ended"]) for figures in all_figures.values())
    state = b"" if figures["ended"] else result.state
    return Change(
        step=ended,
        metrics={"lanes": {str(lane): figures for lane, figures in all_figures.items()}},
        checkpoints={lane: Checkpoint(run.effort, state)},
        points=points,
        done=ended == len(plan.runs),
    )


def _cover(run: CoverRun, state_bytes: int) -> dict[str, Any]:
    large = state_bytes > MAX_STATE_BYTES
    return {
        "sets": None if run.sets is None else list(run.sets),
        "optimal": run.optimal,
        "bound": run.bound,
        "expanded": run.expanded,
        "generated": run.generated,
        "waiting": run.frontier,
        "ended": run.ended or large,
        "full": run.full or (large and not run.ended),
        "steps": run.steps,
        "seconds": round(run.seconds, 3),
    }


def _box(problem: str, run: BoxRun) -> dict[str, Any]:
    return {
        "best": run.best,
        "calls": run.calls,
        "genome": write_genome(run.genome, load_problem(problem).bits),
        "ended": run.ended,
        "seconds": round(run.seconds, 3),
    }


def _points(lane: int, run: BoxRun, after: int) -> tuple[Point, ...]:
    """The points of the curves beyond so many calls."""
    found: dict[int, dict[str, float]] = {}
    for name, curve in (("best", run.curve), ("diversity", run.diversity)):
        for calls, figure in curve:
            if calls > after:
                found.setdefault(calls, {})[name] = figure
    return tuple(Point(calls, figures, lane=lane) for calls, figures in sorted(found.items()))


def _leave(snapshot: JobSnapshot) -> Change:
    """Cancelled: extend every curve to where its run was."""
    points = tuple(
        Point(figures["calls"], {"best": figures["best"]}, lane=lane)
        for lane, figures in lane_figures(snapshot.record).items()
        if "best" in figures
    )
    return replace(leave_unchanged(snapshot), points=points)


SEARCHING = JobKind("search", "runs", _plan, _take, _leave)


def search_job(owner: str, title: str, plan: SearchPlan) -> JobRecord:
    """A new record, not stored yet."""
    seed, total = plan.runs[0].seed, len(plan.runs)
    return JobRecord(owner, SEARCHING.name, title, asdict(plan), seed, total)
