"""A brain of the past whose bytes were not kept, worked out again.

Between the steps 1, 2, 5, 10 … a point has a digest and no bytes. Training repeats itself from
any brain on, so a job that goes on from the nearest one kept before it ends with just that brain,
and with its bytes the point is one that can be played.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from agents.formats import counted
from agents.roster import find_agent
from agents.training.brains import from_bytes
from webapp.jobs.kinds.training import TrainingPlan, training_job
from webapp.jobs.models import JobPoint, JobRecord, Strand, UnknownJobError
from webapp.jobs.status import unit_of
from webapp.services import services


def point_before(points: Sequence[JobPoint], step: int) -> JobPoint:
    """The last point up to there that is a brain; raises UnknownJobError."""
    found = [point for point in points if point.digest is not None and point.step <= step]
    if not found:
        raise UnknownJobError(f"there is no point of its curve up to {step:,}")
    return max(found, key=lambda point: point.step)


def recall(record: JobRecord, points: Sequence[JobPoint], point: JobPoint, owner: str) -> JobRecord:
    """The job that ends with the brain of this point."""
    services().brains.check_room(owner, services().config.brains_bytes)
    plan = TrainingPlan.of(record)
    strands, begun_at = {}, 0
    before = _kept_before(points, services().brains.there(record.id), point.step)
    if before is not None and (data := services().brains.data(before.digest or "")) is not None:
        strands, begun_at = {0: Strand(before.step, data)}, before.step
    elif plan.begun_at:
        raise UnknownJobError("the brain that this training went on from is not kept any more")
    learner = find_agent(plan.runs[0].agent.partition(":")[0]).title
    unit = unit_of(record)
    after = counted(point.step, unit.removesuffix("s"), unit)
    shorter = replace(plan, length=point.step, begun_at=begun_at)
    job = training_job(owner, f"{learner} as it was after {after}", shorter)
    return services().begin_job(job, strands, _curve(strands))


def _kept_before(points: Sequence[JobPoint], kept: Collection[str], step: int) -> JobPoint | None:
    found = [point for point in points if point.digest in kept and point.step < step]
    return max(found, key=lambda point: point.step, default=None)


def _curve(strands: dict[int, Strand]) -> tuple[JobPoint, ...]:
    """What it had learned until there."""
    return tuple(
        JobPoint(lane, point.step, point.metrics)
        for lane, strand in strands.items()
        for point in from_bytes(strand.data).curve
    )
