"""What can be wrong with a job."""

from __future__ import annotations

from engine.errors import ZermeloError


class UnknownJobError(ZermeloError):
    """An address of no job, or of nothing that it has."""


class NotYourJobError(ZermeloError):
    """A change asked for by someone who may only look."""


class FinishedJobError(ZermeloError):
    """A change to a job that is over."""


class TooManyJobsError(ZermeloError):
    """More jobs than one visitor may have under way at a time."""

    retry_after = 10


class FullQueueError(ZermeloError):
    """More jobs than we are willing to queue."""

    retry_after = 30


class LostLeaseError(ZermeloError):
    """A job that another coordinator has taken over, or that is gone."""


class DiedTaskError(ZermeloError):
    """A task whose process ended before it did."""
