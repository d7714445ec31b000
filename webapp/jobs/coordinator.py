"""Whoever keeps jobs going: claims rows, hands out their tasks in fair turns, writes what comes
back, and checks in between whether someone wants them stopped.

It knows nothing that is not in the rows: another one goes on where it ended, however it ended.
"""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field, replace
from threading import Event
from time import monotonic
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError
from webapp.jobs.kinds.catalogue import KINDS
from webapp.jobs.kinds.kind import JobKind, Task
from webapp.jobs.leases import LeaseStore
from webapp.jobs.local_executor import TaskExecutor
from webapp.jobs.models import Change, DiedTaskError, JobState, LostLeaseError, Written
from webapp.storage.database import BusyDatabaseError

log = logging.getLogger(__name__)

TICK = 0.05  # seconds between two looks at the rows
LEASE = 8.0  # seconds for which a job is held
RENEWED = 2.0  # seconds between two renewals
AT_ONCE = 16  # jobs held at a time
AHEAD = 2  # tasks a lane, so that none waits for what is written
TRIES = 3  # of a task whose process dies
GRACE = 1.2  # seconds a task is given once its job is to stop
MEASURED = 0.5  # seconds over which the pace is taken, at least
SMOOTHING = 0.3  # how much the last stretch tells of the pace


@dataclass(slots=True)
class Held:
    """A job while it is ours."""

    written: Written
    kind: JobKind
    turns: float  # that it has had, for whose turn is next
    running: dict[Future[Any], Task] = field(default_factory=dict)
    again: list[Task] = field(default_factory=list)  # whose process died
    deaths: Counter[str] = field(
        default_factory=Counter
    )  # by the task's key, since it last went well
    stopping: float | None = None  # when it was found that it is to be cancelled
    measured: tuple[float, int] | None = None  # when, and at which step, the pace was last taken
    pace: float | None = None

    @property
    def id(self) -> str:
        return self.written.record.id

    @property
    def owner(self) -> str:
        return self.written.record.owner


class Coordinator:
    """One of them is enough; several share the rows by their leases."""

    def __init__(
        self,
        leases: LeaseStore,
        executor: TaskExecutor,
        kinds: Callable[[str], JobKind | None] = KINDS.get,
    ) -> None:
        self._leases = leases
        self._executor = executor
        self._kinds = kinds
        self.name = secrets.token_hex(8)
        self._jobs: dict[str, Held] = {}
        self._renewed = 0.0

    def run(self, stopping: Event) -> None:
        """Until told to stop; then what runs is given a moment to be written."""
        while not stopping.is_set():
            try:
                self.turn(stopping)
            except (SQLAlchemyError, BusyDatabaseError) as error:
                # A result that could not be written is worked out again: tasks are pure.
                log.warning("jobs wait for the database: %s", error)
                stopping.wait(1.0)
        self.close()

    def turn(self, stopping: Event | None = None) -> None:
        """One round: what is new, what is to stop, what can begin, what has come back."""
        self._renew()
        self._claim()
        self._heed()
        self._submit()
        running = [future for held in self._jobs.values() for future in held.running]
        if running:
            wait(running, timeout=TICK, return_when=FIRST_COMPLETED)
        elif stopping is not None:
            stopping.wait(TICK)
        for held in list(self._jobs.values()):
            self._collect(held)

    def close(self) -> None:
        """Write what comes within a moment, let go of every job, end every process."""
        until = monotonic() + GRACE
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
        """What is being worked on, without what only waits."""
        return [
            future
            for held in self._jobs.values()
            for future in held.running
            if future.running() or future.done()
        ]

    def _renew(self) -> None:
        if self._jobs and monotonic() - self._renewed > RENEWED:
            self._leases.renew(self.name, LEASE, self._executor.hindrance)
            self._renewed = monotonic()

    def _claim(self) -> None:
        room = AT_ONCE - len(self._jobs)
        if room <= 0:
            return
        fewest = min((held.turns for held in self._jobs.values()), default=0.0)
        for written in self._leases.claim(self.name, LEASE, room):
            record = written.record
            if (kind := self._kinds(record.kind)) is None:
                why = f"this Zermelo knows no jobs of the kind {record.kind}"
                self._leases.end(self.name, record.id, JobState.FAILED, why)
                continue
            self._jobs[record.id] = Held(written, kind, fewest, pace=record.pace)
            self._renewed = monotonic()

    def _heed(self) -> None:
        """Whoever is to stop is given no more tasks, and what runs a moment to end."""
        if not self._jobs:
            return
        asked = self._leases.held(self.name)
        for held in list(self._jobs.values()):
            if held.id not in asked:  # thrown away, or another's by now
                self._drop(held)
            elif asked[held.id]:
                self._stop(held)

    def _stop(self, held: Held) -> None:
        if held.stopping is None:
            held.stopping = monotonic()
            for future in [future for future in held.running if future.cancel()]:
                del held.running[future]
        if held.running and monotonic() - held.stopping < GRACE:
            return
        self._leave(held)

    def _leave(self, held: Held) -> None:
        """It ends where it is, with what its kind makes of that."""
        self._drop(held)
        try:
            change = held.kind.leave(held.written)
            self._leases.write(self.name, held.id, change, held.pace, JobState.CANCELLED)
        except LostLeaseError:
            log.info("job %s was gone before it was stopped", held.id)

    def _submit(self) -> None:
        """Hand out tasks until every lane has one more waiting: to whoever had the fewest turns."""
        free = AHEAD * self._executor.lanes - sum(len(held.running) for held in self._jobs.values())
        willing = [held for held in self._jobs.values() if held.stopping is None]
        while free > 0 and willing:
            held = min(willing, key=lambda held: (self._turns_of(held.owner), held.turns))
            if (task := self._next_task(held)) is None:
                willing.remove(held)
                continue
            future = self._executor.submit(task.function, task.arguments, task.seconds)
            held.running[future] = task
            held.turns += 1
            free -= 1

    def _next_task(self, held: Held) -> Task | None:
        if held.again:
            return held.again.pop(0)
        try:
            running = [task.key for task in held.running.values()]
            return next(held.kind.plan(held.written, running), None)
        except Exception as error:  # noqa: BLE001 - a row that makes no sense ends one job, not all
            self._fail(held, error)
            return None

    def _turns_of(self, owner: str) -> int:
        """Tasks under way for one visitor: whose turn it is follows from these first."""
        return sum(len(held.running) for held in self._jobs.values() if held.owner == owner)

    def _collect(self, held: Held) -> None:
        for future in [future for future in held.running if future.done()]:
            task = held.running.pop(future)
            try:
                change = held.kind.take(held.written, task, future.result())
                self._write(held, change)
                held.deaths.pop(task.key, None)
            except (SQLAlchemyError, BusyDatabaseError):
                raise
            except LostLeaseError:
                self._drop(held)
                return
            except (DiedTaskError, CancelledError) as error:
                held.deaths[task.key] += 1
                if held.deaths[task.key] >= TRIES:
                    self._fail(held, error)
                    return
                held.again.append(task.guarded or task)
            except Exception as error:  # noqa: BLE001 - the task's failure is the job's
                self._fail(held, error)
                return
            if held.id not in self._jobs:
                return

    def _write(self, held: Held, change: Change) -> None:
        self._measure(held, change.step)
        done = JobState.DONE if change.done else None
        self._leases.write(self.name, held.id, change, held.pace, done)
        before = held.written
        held.written = replace(
            before,
            record=replace(before.record, step=change.step, metrics=change.metrics),
            strands={**before.strands, **change.strands},
            games=before.games | {game.key for game in change.games},
        )
        if change.done:
            self._drop(held)

    def _measure(self, held: Held, step: int) -> None:
        """Steps a second, the last stretches counting most; the first task does not count, for
        it also loads what it needs."""
        now = monotonic()
        if held.measured is None:
            held.measured = (now, step)
        then, before = held.measured
        if now - then >= MEASURED and step > before:
            fresh = (step - before) / (now - then)
            held.pace = fresh if held.pace is None else _mixed(held.pace, fresh)
            held.measured = (now, step)

    def _fail(self, held: Held, error: BaseException) -> None:
        """Failed is a state with its reason; what only we can read goes to the log."""
        if isinstance(error, ZermeloError):
            why = str(error)
        else:
            why = f"it failed: {type(error).__name__}"
            log.error("job %s failed", held.id, exc_info=error)
        self._end(held, JobState.FAILED, why)

    def _end(self, held: Held, state: JobState, why: str | None = None) -> None:
        self._drop(held)
        try:
            self._leases.end(self.name, held.id, state, why)
        except LostLeaseError:
            log.info("job %s was gone before it ended", held.id)

    def _drop(self, held: Held) -> None:
        """It is not ours any more, and nothing of it runs."""
        self._jobs.pop(held.id, None)
        for future in held.running:
            self._executor.end(future)
        held.running.clear()


def _mixed(old: float, fresh: float) -> float:
    return old + SMOOTHING * (fresh - old)
