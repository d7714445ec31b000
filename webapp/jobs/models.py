"""Records of jobs: a job, its progress, tasks, games and brains; and errors about them.

A kind of job is two pure functions: which tasks come next, and what a result changes. Killed at any
point, a job continues from the database to the same result. A task is a function of `agents` on
texts, bytes and numbers that takes about a second, so that any process of any machine can run it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from agents.training.brains import Point
from engine.errors import ZermeloError
from webapp.errors import RequestError

UNSTORED = ""


class JobState(StrEnum):
    """The state of a job."""

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
    """A job; times in seconds since 1970."""

    owner: str
    kind: str
    title: str  # for lists: "Q-learner learns Tic-tac-toe"
    parameters: Mapping[str, Any]  # of its kind; JSON
    seed: int
    total: int
    origin: str | None = None  # a digest of the owner's network
    id: str = UNSTORED
    state: JobState = JobState.QUEUED
    step: int = 0
    metrics: Mapping[str, Any] = field(default_factory=dict)
    pace: float | None = None  # steps a second, once known
    error: str | None = None
    hindrance: str | None = None  # why it does not progress, while it is held
    cancel: bool = False  # requested, and not yet applied
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
        """Estimated time left, while it runs and its pace is known."""
        if self.state is not JobState.RUNNING or self.hindrance or not self.pace:
            return None
        return (self.total - self.step) / self.pace


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of one lane of a job: its step, and the input of its next task."""

    step: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class JobGame:
    """A game of an arena."""

    pair: int
    round: int
    moves: str  # separated by spaces
    winner: int | None  # a seat
    ending: str
    fault: str | None = None
    first_seconds: float | None = None  # of all moves of a seat
    second_seconds: float | None = None
    first_thoughts: int | None = None  # analysed moves of a seat
    second_thoughts: int | None = None
    traceback: str | None = None  # of the agent that failed, for its author

    @property
    def key(self) -> tuple[int, int]:
        return self.pair, self.round


@dataclass(frozen=True, slots=True)
class JobSnapshot:
    """The stored state of a job, from which its next tasks follow."""

    record: JobRecord
    checkpoints: Mapping[int, Checkpoint] = field(default_factory=dict)  # by lane
    games: frozenset[tuple[int, int]] = frozenset()  # (pair, round) of those played


@dataclass(frozen=True, slots=True)
class KeptBrain:
    """A brain as its owner named it; its bytes are stored by digest."""

    name: str
    digest: str
    agent: str  # the roster's key
    game: str
    size: int
    facts: Mapping[str, Any]  # its training, and its curve
    owner: str = ""
    job_id: str | None = None
    id: str = UNSTORED
    created: float = 0.0
    seen: float | None = None  # when its owner last came back to it

    @property
    def spec(self) -> str:
        """The spec of an agent with this brain."""
        return f"{self.agent}:brain={self.digest}"


@dataclass(frozen=True, slots=True)
class Change:
    """The rows that a task's result adds, stored in one transaction with the progress."""

    step: int  # of the whole job
    metrics: Mapping[str, Any] = field(default_factory=dict)
    checkpoints: Mapping[int, Checkpoint] = field(default_factory=dict)  # those that changed
    points: tuple[Point, ...] = ()
    games: tuple[JobGame, ...] = ()
    brains: Mapping[str, bytes] = field(default_factory=dict)  # by digest
    ancestors: Mapping[str, bytes] = field(default_factory=dict)  # stored within the owner's quota
    named: tuple[KeptBrain, ...] = ()  # for the owner's list
    done: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a job; `key` keeps it from running twice at a time."""

    key: str
    function: Callable[..., Any]  # at module level: it is pickled
    arguments: tuple[Any, ...]
    seconds: float = 60.0  # timeout
    guarded: Task | None = None  # to run instead once its process has died
    may_last: bool = False  # for several seconds, where others last about one


# plan(snapshot, running): the tasks that can start now, given the keys of running ones.
Plan = Callable[[JobSnapshot, Collection[str]], Iterator[Task]]
# take(snapshot, task, result): the change to store.
Take = Callable[[JobSnapshot, Task, Any], Change]
# leave(snapshot): the change to store when a job is cancelled.
Leave = Callable[[JobSnapshot], Change]


def leave_unchanged(snapshot: JobSnapshot) -> Change:
    """Store a cancelled job as it is."""
    return Change(snapshot.record.step, snapshot.record.metrics)


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job."""

    name: str
    unit: str | Callable[[JobRecord], str]  # what a step is: games, generations
    plan: Plan
    take: Take
    leave: Leave = leave_unchanged
    awaits: Callable[[JobSnapshot], bool] = lambda _: False  # whether others store games of it

    def unit_of(self, record: JobRecord) -> str:
        return self.unit if isinstance(self.unit, str) else self.unit(record)


class UnknownJobError(RequestError):
    """No such job, or nothing of it at this address."""

    status = 404


class NotYourJobError(RequestError):
    """A change by someone other than the owner."""

    status = 403


class FinishedJobError(RequestError):
    """A change to a job that is over."""

    status = 409


class TooManyJobsError(RequestError):
    """More active jobs than one visitor may have."""

    status = 429
    retry_after = 10


class FullQueueError(RequestError):
    """More active jobs than all visitors may have."""

    status = 503
    retry_after = 30


class LostLeaseError(ZermeloError):
    """A job that another coordinator has taken over, or that was removed."""


class DiedTaskError(ZermeloError):
    """A task whose process ended before it did."""
