"""Claims queued jobs, schedules their tasks fairly by owner, stores results, honours cancellation.

All state is in the database: another coordinator goes on where one ended, however it ended.
"""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from math import inf
from threading import Event
from time import monotonic
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError
from webapp.jobs.kinds import KINDS
from webapp.jobs.local_executor import TaskExecutor
from webapp.jobs.models import (
    Change,
    DiedTaskError,
    JobKind,
    JobSnapshot,
    JobState,
    LostLeaseError,
    Task,
)
from webapp.jobs.store import JobStore
from webapp.storage.database import BusyDatabaseError

log = logging.getLogger(__name__)

POLL_S = 0.05  # between two queries of the database
LEASE_S = 8.0
RENEW_INTERVAL_S = 2.0
MAX_JOBS = 16  # held at a time, beside the first of each owner
TASKS_PER_LANE = 2  # so that no lane is idle while a result is written
MAX_TRIES = 3  # of a task whose process dies
CANCEL_GRACE_S = 1.2  # for running tasks of a cancelled job
MIN_PACE_WINDOW_S = 0.5  # over which the pace is measured
COUNT_INTERVAL_S = 1.0  # of games that others have stored
SMOOTHING = 0.3  # weight of the newest measurement of the pace


@dataclass(slots=True)
class ActiveJob:
    """A job that this coordinator holds."""

    snapshot: JobSnapshot
    kind: JobKind
    turns: float  # tasks scheduled so far: the job with fewest is next
    is_new: bool = True  # nothing of it was scheduled yet
    running: dict[Future[Any], Task] = field(default_factory=dict)
    retries: list[Task] = field(default_factory=list)  # whose process died
    deaths: Counter[str] = field(default_factory=Counter)  # by task key, since its last success
    stopping: float | None = None  # when its cancellation was noticed
    measured: tuple[float, int] | None = None  # time and step of the last measurement of the pace
    pace: float | None = None
    next_count: float = 0.0  # when games that others store are counted; never where none are

    @property
    def id(self) -> str:
        return self.snapshot.record.id

    @property
    def owner(self) -> str:
        return self.snapshot.record.owner


class Coordinator:
    """Runs jobs; several coordinators share them by leases."""

    def __init__(
        self,
        store: JobStore,
        executor: TaskExecutor,
        kinds: Callable[[str], JobKind | None] = KINDS.get,
    ) -> None:
        self._leases = store.leases
        self._executor = executor
        self._kinds = kinds
        self.name = secrets.token_hex(8)
        self._jobs: dict[str, ActiveJob] = {}
        self._renewed = 0.0
        self._lasting: set[Future[Any]] = set()  # express tasks that may last, until they are done

    def run(self, stopping: Event, heartbeat: Any = None) -> None:
        """Run until stopped; then give running tasks a moment to be stored.

        The time of each turn is kept in `heartbeat.value`, which another process may watch.
        """
        while not stopping.is_set():
            if heartbeat is not None:
                heartbeat.value = monotonic()
            try:
                self.turn(stopping)
            except (SQLAlchemyError, BusyDatabaseError) as error:
                # A result that could not be written is computed again: tasks are pure.
                log.warning("jobs wait for the database: %s", error)
                stopping.wait(1.0)
        self.close()

    def turn(self, stopping: Event | None = None) -> None:
        """One iteration: claim jobs, apply cancellations, submit tasks, collect results."""
        self._renew()
        self._claim()
        self._apply_cancellations()
        self._submit()
        running = [future for held in self._jobs.values() for future in held.running]
        if running:
            wait(running, timeout=POLL_S, return_when=FIRST_COMPLETED)
        elif stopping is not None:
            stopping.wait(POLL_S)
        for held in list(self._jobs.values()):
            self._collect(held)
            self._count_awaited(held)

    def close(self) -> None:
        """Store results that come within the grace period, release all jobs, end all processes."""
        until = monotonic() + CANCEL_GRACE_S
        try:
            while monotonic() < until and (running := self._running()):
                wait(running, timeout=max(0.0, until - monotonic()), return_when=FIRST_COMPLETED)
                for held in list(self._jobs.values()):
                    self._collect(held)
            for held in self._jobs.values():
                self._leases.release(self.name, held.id)
        except (SQLAlchemyError, BusyDatabaseError) as error:
            log.warning("jobs could not be let go: %s", error)
        finally:
            self._jobs.clear()
            self._executor.close()

    def _running(self) -> list[Future[Any]]:
        """Futures of tasks that run or are done."""
        return [
            future
            for held in self._jobs.values()
            for future in held.running
            if future.running() or future.done()
        ]

    def _renew(self) -> None:
        if self._jobs and monotonic() - self._renewed > RENEW_INTERVAL_S:
            self._leases.renew(self.name, LEASE_S, self._executor.hindrance)
            self._renewed = monotonic()

    def _claim(self) -> None:
        owners = Counter(held.owner for held in self._jobs.values())
        fewest = min((held.turns for held in self._jobs.values()), default=0.0)
        for snapshot in self._leases.claim(self.name, LEASE_S, MAX_JOBS, owners):
            record = snapshot.record
            if (kind := self._kinds(record.kind)) is None:
                why = f"this Zermelo knows no jobs of the kind {record.kind}"
                self._leases.end(self.name, record.id, JobState.FAILED, why)
                continue
            self._jobs[record.id] = ActiveJob(snapshot, kind, fewest, pace=record.pace)
            self._renewed = monotonic()

    def _apply_cancellations(self) -> None:
        """Stop scheduling for cancelled jobs; give running tasks CANCEL_GRACE_S."""
        if not self._jobs:
            return
        cancelled = self._leases.held(self.name)
        for held in list(self._jobs.values()):
            if held.id not in cancelled:  # removed, or another's by now
                self._drop(held)
            elif cancelled[held.id]:
                self._stop(held)

    def _stop(self, held: ActiveJob) -> None:
        if held.stopping is None:
            held.stopping = monotonic()
            for future in [future for future in held.running if future.cancel()]:
                del held.running[future]
        if held.running and monotonic() - held.stopping < CANCEL_GRACE_S:
            return
        self._leave(held)

    def _leave(self, held: ActiveJob) -> None:
        """Store the job as cancelled, with the final change of its kind."""
        self._drop(held)
        try:
            change = held.kind.leave(held.snapshot)
            self._leases.write(self.name, held.id, change, held.pace, JobState.CANCELLED)
        except LostLeaseError:
            log.info("job %s was gone before it was stopped", held.id)

    def _submit(self) -> None:
        """Submit tasks until every lane has enough: of the owner with fewest, then the job.

        A place for each lane is kept for owners who have no task in any, whose tasks are express;
        half of these places at most are taken by tasks that may last.
        """
        lanes = self._executor.lanes
        free = TASKS_PER_LANE * lanes - sum(len(held.running) for held in self._jobs.values())
        open_jobs = [held for held in self._jobs.values() if held.stopping is None]
        while open_jobs:
            held = min(open_jobs, key=self._order)
            is_first = self._tasks_of(held.owner) == 0
            if free <= (-lanes if is_first else 0):
                return
            is_retry = bool(held.retries)
            task = self._next_task(held)
            if task is not None and task.may_last and free <= 0 and not self._has_spare(is_first):
                if is_retry:
                    held.retries.insert(0, task)
                task = None
            if task is None:
                open_jobs.remove(held)
                continue
            express = is_first and (free <= 0 or not task.may_last)
            future = self._executor.submit(
                task.function, task.arguments, task.seconds, express=express
            )
            held.running[future] = task
            if express and task.may_last:
                self._lasting.add(future)
            held.turns += 1
            held.is_new = False
            free -= 1

    def _has_spare(self, is_first: bool) -> bool:
        """Whether a task that may last can have a kept place: some stay free for short ones.

        Those that hold one are counted themselves. All tasks together do not tell: as short ones
        end, one lasting task after the other would find a place.
        """
        self._lasting = {future for future in self._lasting if not future.done()}
        return is_first and len(self._lasting) < self._executor.lanes // 2

    def _order(self, held: ActiveJob) -> tuple[int, int, bool, float]:
        """By tasks of its network and its owner; new jobs before others, then by turns."""
        origin = held.snapshot.record.origin
        near = sum(
            len(other.running)
            for other in self._jobs.values()
            if origin is not None and other.snapshot.record.origin == origin
        )
        return near, self._tasks_of(held.owner), not held.is_new, held.turns

    def _next_task(self, held: ActiveJob) -> Task | None:
        if held.retries:
            return held.retries.pop(0)
        try:
            running = [task.key for task in held.running.values()]
            return next(held.kind.plan(held.snapshot, running), None)
        except Exception as error:  # noqa: BLE001 - an invalid row fails one job, not all
            self._fail(held, error)
            return None

    def _tasks_of(self, owner: str) -> int:
        """Running tasks of one owner."""
        return sum(len(held.running) for held in self._jobs.values() if held.owner == owner)

    def _collect(self, held: ActiveJob) -> None:
        for future in [future for future in held.running if future.done()]:
            task = held.running.pop(future)
            try:
                change = held.kind.take(held.snapshot, task, future.result())
                self._write(held, change)
                held.deaths.pop(task.key, None)
            except (SQLAlchemyError, BusyDatabaseError):
                raise
            except LostLeaseError:
                self._drop(held)
                return
            except (DiedTaskError, CancelledError) as error:
                held.deaths[task.key] += 1
                if held.deaths[task.key] >= MAX_TRIES:
                    self._fail(held, error)
                    return
                held.retries.append(task.guarded or task)
            except Exception as error:  # noqa: BLE001 - the task's failure is the job's
                self._fail(held, error)
                return
            if held.id not in self._jobs:
                return

    def _count_awaited(self, held: ActiveJob) -> None:
        """Count the games that others have stored, once a second."""
        now = monotonic()
        if held.id not in self._jobs or held.stopping is not None or now < held.next_count:
            return
        held.next_count = now + COUNT_INTERVAL_S if held.kind.awaits(held.snapshot) else inf
        if held.next_count == inf:
            return
        before, record = held.snapshot, held.snapshot.record
        games = before.games | self._leases.game_keys(held.id)
        step = len(games)
        if step == record.step:  # what was stored while nobody held the job is not counted yet
            return
        held.snapshot = replace(before, games=games)
        try:
            self._write(held, Change(step, record.metrics, done=step == record.total))
        except LostLeaseError:
            self._drop(held)

    def _write(self, held: ActiveJob, change: Change) -> None:
        self._measure(held, change.step)
        done = JobState.DONE if change.done else None
        self._leases.write(self.name, held.id, change, held.pace, done)
        before = held.snapshot
        held.snapshot = replace(
            before,
            record=replace(before.record, step=change.step, metrics=change.metrics),
            checkpoints={**before.checkpoints, **change.checkpoints},
            games=before.games | {game.key for game in change.games},
        )
        if change.done:
            self._drop(held)

    def _measure(self, held: ActiveJob, step: int) -> None:
        """Steps a second, smoothed; without the first task, which also loads what it needs."""
        now = monotonic()
        if held.measured is None:
            held.measured = (now, step)
        then, reached = held.measured
        if now - then >= MIN_PACE_WINDOW_S and step > reached:
            fresh = (step - reached) / (now - then)
            before = fresh if held.pace is None else held.pace
            held.pace = before + SMOOTHING * (fresh - before)
            held.measured = (now, step)

    def _fail(self, held: ActiveJob, error: BaseException) -> None:
        """Store the job as failed with a reason; unexpected errors go to the log."""
        if isinstance(error, ZermeloError):
            why = str(error)
        else:
            why = f"it failed: {type(error).__name__}"
            log.error("job %s failed", held.id, exc_info=error)
        self._drop(held)
        try:
            self._leases.end(self.name, held.id, JobState.FAILED, why)
        except LostLeaseError:
            log.info("job %s was gone before it ended", held.id)

    def _drop(self, held: ActiveJob) -> None:
        """Forget the job and end its tasks."""
        self._jobs.pop(held.id, None)
        for future in held.running:
            self._executor.end(future)
        held.running.clear()
