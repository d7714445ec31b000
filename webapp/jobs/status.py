"""The status of a job for pages and programs: progress, time left, actions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import url_for

from engine.errors import sentence
from webapp.jobs.kinds import KINDS
from webapp.jobs.models import JobRecord, JobState, NotYourJobError

STATE_TEXTS = {
    JobState.QUEUED: "waiting for its turn",
    JobState.RUNNING: "at work",
    JobState.DONE: "done",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "stopped",
}


class JobView:
    """The progress bar of a job (`lab/_progress.html`), and its line in `lab/jobs.html`."""

    def __init__(self, record: JobRecord, player: str | None) -> None:
        mine, left, unit = player == record.owner, record.seconds_left, unit_of(record)
        self.title = record.title
        self.url = url_for("jobs.show", job_id=record.id)
        self.word = _state_text(record)
        self.done = f"{record.step:,} of {record.total:,} {unit}"
        self.percent = round(100 * record.share, 1)
        self.left = None if left is None else f"about {duration_text(left)} left"
        self.speed = None
        if record.pace and record.hindrance is None:
            pace = pace_text(record.pace)
            self.speed = f"{pace} {unit.removesuffix('s') if pace == '1' else unit} a second"
        self.failure = None if record.error is None else sentence(record.error)
        self.is_active = not record.state.is_over
        self.stopping = self.is_active and record.cancel
        may_cancel = mine and self.is_active and not record.cancel
        self.cancel_url = url_for("jobs.cancel", job_id=record.id) if may_cancel else None
        self.discard_url = url_for("jobs.discard", job_id=record.id) if mine else None
        # Visitors wait for the first figures and for the end.
        self.poll_every = "1s" if record.step and not record.cancel else "200ms"


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
    public = asdict(record) | {"unit": unit_of(record)}
    return {
        name: value for name, value in public.items() if name not in ("owner", "origin", "updated")
    }
