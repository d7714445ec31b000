"""A kind of job as data: which tasks come next, and what a result comes to.

Both functions are pure: killed at any point, a job goes on from what is written, and ends with
the same result. A task is a function of `agents` on texts, bytes and numbers, about a second
long at most, so that it can run in any process of any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from webapp.jobs.models import Change, JobRecord, Written


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a job: `key` says which, so that none runs twice at a time."""

    key: str
    function: Callable[..., Any]  # of a module, with a name: it crosses to other processes
    arguments: tuple[Any, ...]
    seconds: float = 60.0  # after which its process is taken to hang
    guarded: Task | None = None  # what is done instead once its process has died


# plan(written, running): the tasks that can begin now, of those whose key is not running.
Plan = Callable[[Written, Collection[str]], Iterator[Task]]

# take(written, task, result): what is to be written.
Take = Callable[[Written, Task, Any], Change]


# leave(written): what is to be written of a job that is stopped before its end.
Leave = Callable[[Written], Change]


def _as_it_is(written: Written) -> Change:
    return Change(written.record.step, written.record.metrics)


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of job."""

    name: str
    unit: str | Callable[[JobRecord], str]  # what a step is: games, generations
    plan: Plan
    take: Take
    leave: Leave = _as_it_is

    def unit_of(self, record: JobRecord) -> str:
        return self.unit if isinstance(self.unit, str) else self.unit(record)
