"""The status of a job for pages and programs: progress, time left, actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import url_for

from engine.errors import sentence
from webapp.jobs.kinds.catalog import KINDS
from webapp.jobs.models import JobRecord, JobState, NotYourJobError

STATE_TEXTS = {
    JobState.QUEUED: "waiting for its turn",
    JobState.RUNNING: "at work",
    JobState.DONE: "done",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "stopped",
}


@dataclass(frozen=True, slots=True)
class JobView:
    """The progress bar of a job (`lab/_progress.html`), and its line in `lab/jobs.html`."""

    id: str
    title: str
    url: str
    state: str
    word: str  # its state in words
    done: str  # `256,000 of 400,000 games`
    percent: float  # 0 to 100
    left: str | None  # `about 8 s left`
    speed: str | None  # `18,300 games a second`
    failure: str | None
    is_active: bool
    stopping: bool  # cancelled, and still running
    cancel_url: str | None  # for its owner, while it can be stopped
    discard_url: str | None  # for its owner
    poll_every: str  # interval of htmx


def job_view(record: JobRecord, player: str | None) -> JobView:
    """The job as this visitor sees it."""
    mine, active = player == record.owner, not record.state.is_over
    unit = unit_of(record)
    left = record.seconds_left
    return JobView(
        id=record.id,
        title=record.title,
        url=url_for("jobs.show", job_id=record.id),
        state=record.state.value,
        word=_state_text(record),
        done=f"{record.step:,} of {record.total:,} {unit}",
        percent=round(100 * record.share, 1),
        left=None if left is None else f"about {duration_text(left)} left",
        speed=f"{pace_text(record.pace)} {unit} a second"
        if record.pace and record.hindrance is None
        else None,
        failure=None if record.error is None else sentence(record.error),
        is_active=active,
        stopping=active and record.cancel,
        cancel_url=url_for("jobs.cancel", job_id=record.id)
        if mine and active and not record.cancel
        else None,
        discard_url=url_for("jobs.discard", job_id=record.id) if mine else None,
        # Visitors wait for the first figures and for the end.
        poll_every="1s" if record.step and not record.cancel else "200ms",
    )


def _state_text(record: JobRecord) -> str:
    if not record.state.is_over and record.cancel:
        return "stopping"
    if record.hindrance is not None:
        return record.hindrance
    if record.state is JobState.RUNNING and record.step == 0:
        return "starting"
    return STATE_TEXTS[record.state]


def unit_of(record: JobRecord) -> str:
    """What its steps count."""
    kind = KINDS.get(record.kind)
    return "steps" if kind is None else kind.unit_of(record)


def check_owner(record: JobRecord, player: str | None) -> None:
    """Raises NotYourJobError for anyone else."""
    if player != record.owner:
        raise NotYourJobError("this job is someone else's: you can look at it, not change it")


def duration_text(seconds: float) -> str:
    """`8 s`, `3 min`, `2 h`: as precise as an estimate is."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h"


def pace_text(pace: float) -> str:
    """`18,300`, `0.4`: three significant digits."""
    if pace < 10:
        return f"{pace:.2g}"
    digits = max(0, len(str(int(pace))) - 3)
    return f"{round(pace, -digits):,.0f}"


def job_document(record: JobRecord) -> dict[str, Any]:
    """The job as JSON data."""
    return {
        "id": record.id,
        "kind": record.kind,
        "title": record.title,
        "parameters": dict(record.parameters),
        "seed": record.seed,
        "state": record.state.value,
        "step": record.step,
        "total": record.total,
        "unit": unit_of(record),
        "pace": record.pace,
        "metrics": dict(record.metrics),
        "error": record.error,
        "hindrance": record.hindrance,
        "cancel": record.cancel,
        "created": record.created,
        "begun": record.begun,
        "ended": record.ended,
    }
