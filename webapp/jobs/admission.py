"""Admission of jobs: every job of a visitor is counted here, by player and by address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.training.brains import Point
from webapp.jobs.models import Checkpoint, JobRecord
from webapp.jobs.store import JobStore
from webapp.services import service
from webapp.web.rate_limits import RateLimits, origin


def admit(
    record: JobRecord,
    checkpoints: Mapping[int, Checkpoint] | None = None,
    points: Sequence[Point] = (),
) -> JobRecord:
    """Queue a job for the visitor of the current request.

    Raises TooManyRequestsError, TooManyJobsError and FullQueueError.
    """
    service(RateLimits).spend_on("jobs")
    return service(JobStore).begin(replace(record, origin=origin()), checkpoints, points)
