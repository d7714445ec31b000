"""A validation grid as a job: a checkpoint for each run that has ended, in batches of runs.

After the last combination the best are trained again from fresh seeds (`agents.grid`). Which they
are depends on the stored figures alone, so a killed job goes on to the same result.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from agents.grid import Axis, Grid
from agents.grid_runs import batches, final_metrics
from agents.training.brains import Point
from webapp.jobs.models import Change, Checkpoint, JobKind, JobRecord, JobSnapshot, Task

BATCH_TIMEOUT_S = 600.0  # including the compilation of kernels


def grid_of(record: JobRecord) -> Grid:
    """The grid of a job."""
    parameters = dict(record.parameters)
    axes = tuple(Axis(name, tuple(values)) for name, values in parameters.pop("axes"))
    return Grid(axes=axes, **parameters)


def metrics_of(points: Collection[Point]) -> dict[int, Mapping[str, float]]:
    """[run] -> its metrics."""
    return {point.lane: point.metrics for point in points}


def _found(checkpoints: Mapping[int, Checkpoint]) -> dict[int, Mapping[str, float]]:
    return {run: json.loads(checkpoint.data) for run, checkpoint in checkpoints.items()}


def _plan(snapshot: JobSnapshot, running: Collection[str]) -> Iterator[Task]:
    """Batches of runs that have not ended: the combinations, then the best from fresh seeds."""
    grid, ended = grid_of(snapshot.record), snapshot.checkpoints
    busy = {run for key in running for run in _runs(key)}
    last = grid.grid_runs
    candidates: tuple[int, ...] = ()
    if all(run in ended for run in range(last)):
        candidates, last = grid.candidates(grid.best(_found(ended))), grid.total
    runs = [run for run in range(last) if run not in ended and run not in busy]
    for batch in batches(grid, runs):
        specs = tuple(grid.run(run, candidates) for run in batch)
        arguments = (grid.game, specs, grid.length)
        key = " ".join(map(str, batch))
        yield Task(key, final_metrics, arguments, BATCH_TIMEOUT_S, may_last=True)


def _runs(key: str) -> list[int]:
    return [int(run) for run in key.split()]


def _take(snapshot: JobSnapshot, task: Task, result: tuple[dict[str, float], ...]) -> Change:
    grid = grid_of(snapshot.record)
    found = dict(zip(_runs(task.key), result, strict=True))
    ended = len(snapshot.checkpoints.keys() | found.keys())
    return Change(
        step=ended,
        checkpoints={
            run: Checkpoint(grid.length, json.dumps(metrics).encode())
            for run, metrics in found.items()
        },
        points=tuple(Point(grid.length, metrics, lane=run) for run, metrics in found.items()),
        done=ended == grid.total,
    )


GRID = JobKind("grid", "trainings", _plan, _take)


def grid_job(owner: str, title: str, grid: Grid) -> JobRecord:
    """A new record, not stored yet."""
    parameters: dict[str, Any] = asdict(grid)
    return JobRecord(owner, GRID.name, title, parameters, grid.seed, grid.total)
