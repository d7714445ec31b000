"""A kind of job as data: which tasks come next, and what a result changes.

Both functions are pure: killed at any point, a job continues from the database to the same result.
A task is a function of `agents` on texts, bytes and numbers that takes about a second, so that it
can run in any process of any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from webapp.jobs.models import Change, JobRecord, JobSnapshot


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a job; `key` keeps it from running twice at a time."""

    key: str
    function: Callable[..., Any]  # at module level: it is pickled
    arguments: tuple[Any, ...]
    seconds: float = 60.0  # timeout
    guarded: Task | None = None  # to run instead once its process has died


# plan(snapshot, running): the tasks that can start now, given the keys of running ones.
Plan = Callable[[JobSnapshot, Collection[str]], Iterator[Task]]
# take(snapshot, task, result): the change to store.
Take = Callable[[JobSnapshot, Task, Any], Change]
# leave(snapshot): the change to store when a job is cancelled.
Leave = Callable[[JobSnapshot], Change]


def _leave_unchanged(snapshot: JobSnapshot) -> Change:
    return Change(snapshot.record.step, snapshot.record.metrics)


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job."""

    name: str
    unit: str | Callable[[JobRecord], str]  # what a step is: games, generations
    plan: Plan
    take: Take
    leave: Leave = _leave_unchanged

    def unit_of(self, record: JobRecord) -> str:
        return self.unit if isinstance(self.unit, str) else self.unit(record)
