"""A job and what it has written, as values: the rows of the database are the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.errors import ZermeloError
from webapp.errors import RequestError

UNSTORED = ""


class JobState(StrEnum):
    """How a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        return self not in ACTIVE


ACTIVE = (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class JobRecord:
    """One job; times in seconds since 1970."""

    owner: str
    kind: str
    title: str  # for lists: "Q-learner learns Tic-tac-toe"
    parameters: Mapping[str, Any]  # what the kind reads; goes through JSON
    seed: int
    total: int
    id: str = UNSTORED
    state: JobState = JobState.QUEUED
    step: int = 0
    metrics: Mapping[str, Any] = field(default_factory=dict)
    pace: float | None = None  # steps a second, once that is known
    error: str | None = None
    hindrance: str | None = None  # why nothing goes on, as long as someone holds it
    cancel: bool = False  # asked for, and not yet heeded
    created: float = 0.0
    updated: float = 0.0
    begun: float | None = None
    ended: float | None = None

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return min(1.0, self.step / self.total) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """About how long it still takes, while it goes on and that is known."""
        if self.state is not JobState.RUNNING or self.hindrance or not self.pace:
            return None
        return (self.total - self.step) / self.pace


@dataclass(frozen=True, slots=True)
class Strand:
    """One of the chains of tasks that make a job: how far it is, and what it goes on from."""

    step: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class JobPoint:
    """One point of a curve; in a training it is a brain, named by its digest."""

    lane: int
    step: int
    metrics: Mapping[str, float]
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class JobGame:
    """One game of an arena, by its pair and round."""

    pair: int
    round: int
    moves: str  # separated by spaces
    winner: int | None  # a seat
    ending: str
    fault: str | None = None
    first_seconds: float | None = None  # that each seat thought, in all
    second_seconds: float | None = None
    first_thoughts: int | None = None  # and how often
    second_thoughts: int | None = None

    @property
    def key(self) -> tuple[int, int]:
        return self.pair, self.round


@dataclass(frozen=True, slots=True)
class Written:
    """All that a job's next tasks follow from."""

    record: JobRecord
    strands: Mapping[int, Strand] = field(default_factory=dict)  # by lane
    games: frozenset[tuple[int, int]] = frozenset()  # (pair, round) of those that are played


@dataclass(frozen=True, slots=True)
class KeptBrain:
    """A brain under a name of its owner's, whose bytes are kept by its digest."""

    name: str
    digest: str
    agent: str  # the roster's key
    game: str
    size: int
    facts: Mapping[str, Any]  # how it was trained, and its curve
    owner: str = ""
    job_id: str | None = None
    id: str = UNSTORED
    created: float = 0.0

    @property
    def spec(self) -> str:
        """Who plays with it."""
        return f"{self.agent}:brain={self.digest}"


@dataclass(frozen=True, slots=True)
class Change:
    """What a task comes to: rows to be written in one transaction with the progress."""

    step: int  # of the whole job
    metrics: Mapping[str, Any] = field(default_factory=dict)
    strands: Mapping[int, Strand] = field(default_factory=dict)  # those that went on
    points: tuple[JobPoint, ...] = ()
    games: tuple[JobGame, ...] = ()
    brains: Mapping[str, bytes] = field(default_factory=dict)  # to be kept, by digest
    ancestors: Mapping[str, bytes] = field(default_factory=dict)  # kept where there is room
    named: tuple[KeptBrain, ...] = ()  # those that the owner finds in the list
    done: bool = False


class UnknownJobError(RequestError):
    """An address of no job, or of nothing that it has."""

    status = 404


class NotYourJobError(RequestError):
    """A change asked for by someone who may only look."""

    status = 403


class FinishedJobError(RequestError):
    """A change to a job that is over."""

    status = 409


class TooManyJobsError(RequestError):
    """More jobs than one visitor may have under way at a time."""

    status = 429
    retry_after = 10


class FullQueueError(RequestError):
    """More jobs than we are willing to queue."""

    status = 503
    retry_after = 30


class LostLeaseError(ZermeloError):
    """A job that another coordinator has taken over, or that is gone."""


class DiedTaskError(ZermeloError):
    """A task whose process ended before it did."""
