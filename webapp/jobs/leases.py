"""Leases on jobs: a coordinator may write to a job only while it holds its lease.

Every change is one transaction.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    bindparam,
    func,
    literal_column,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

from agents.training.brains import Point
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.models import (
    ACTIVE,
    Change,
    Checkpoint,
    JobGame,
    JobRecord,
    JobSnapshot,
    JobState,
    LostLeaseError,
    UnknownJobError,
)
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables.jobs import JobGameRow, JobLaneRow, JobPointRow, JobRow

NEGLECT_S = 20.0  # in which any coordinator takes a job
MAX_ERROR_CHARS = 500
MAX_FAULT_CHARS = 300

JOBS = RowMapper(JobRecord, JobRow)
POINTS = RowMapper(Point, JobPointRow)
GAMES = RowMapper(JobGame, JobGameRow)

JOB: BindParameter[str] = bindparam("job")
NOW: BindParameter[float] = bindparam("now")
HOLDER: BindParameter[str] = bindparam("by")
STATE_SQL: dict[JobState, ColumnClause[str]] = {
    state: literal_column(f"'{state.value}'") for state in JobState
}  # as literals
IS_ACTIVE = JobRow.state.in_([STATE_SQL[state] for state in ACTIVE])
IS_FREE = or_(JobRow.holder.is_(None), JobRow.until < NOW)
IS_HELD = (JobRow.id == JOB, JobRow.holder == HOLDER, IS_ACTIVE)
FREE = {"holder": null(), "until": null(), "hindrance": null()}

SELECT_JOB = select(*JOBS.columns).where(JobRow.id == JOB)
SELECT_FREE = (
    select(JobRow.id, JobRow.owner).where(IS_ACTIVE, IS_FREE).order_by(JobRow.created, JobRow.id)
)
SELECT_LEASES = select(JobRow.owner, JobRow.created, JobRow.until).where(IS_ACTIVE)
HOLD = (
    update(JobRow)
    .values(
        holder=HOLDER,
        until=bindparam("lease"),
        state=STATE_SQL[JobState.RUNNING],
        begun=func.coalesce(JobRow.begun, NOW),
        hindrance=null(),
    )
    .where(JobRow.id == JOB, IS_ACTIVE, IS_FREE)
)
RENEW = (
    update(JobRow)
    .values(until=bindparam("lease"), hindrance=bindparam("why"))
    .where(JobRow.holder == HOLDER)
)
RELEASE = update(JobRow).values(**FREE).where(JobRow.id == JOB, JobRow.holder == HOLDER)
SELECT_HELD = select(JobRow.id, JobRow.cancel).where(JobRow.holder == HOLDER, IS_ACTIVE)
PROGRESS = (
    update(JobRow)
    .values(
        step=bindparam("done"),
        metrics=bindparam("figures"),
        pace=bindparam("speed"),
        updated=NOW,
    )
    .where(*IS_HELD)
)
END = (
    update(JobRow)
    .values(state=bindparam("how"), error=bindparam("why"), updated=NOW, ended=NOW, **FREE)
    .where(*IS_HELD)
)
SELECT_CHECKPOINTS = select(JobLaneRow.lane, JobLaneRow.step, JobLaneRow.data).where(
    JobLaneRow.job_id == JOB
)
SELECT_GAME_KEYS = select(JobGameRow.pair, JobGameRow.round).where(JobGameRow.job_id == JOB)


def choose_jobs(free: Sequence[tuple[str, str]], held: Mapping[str, int], most: int) -> list[str]:
    """Which of these (job, owner), the oldest first, a coordinator takes beside those it holds.

    The first job of every owner is taken, however many jobs there are, so that nobody's waits until
    another owner's has ended; further ones in turn, up to `most` in all.
    """
    counts, chosen = Counter(held), list[str]()
    waiting = list(free)
    while waiting:
        job, owner = min(waiting, key=lambda each: counts[each[1]])  # the oldest of equals
        if counts[owner] and counts.total() >= most:
            break
        waiting.remove((job, owner))
        counts[owner] += 1
        chosen.append(job)
    return chosen


class LeaseStore:
    """The jobs of coordinators: claimed, written to and ended by whoever holds the lease."""

    def __init__(
        self, database: Database, brains: BrainStore, clock: Callable[[], float] = time
    ) -> None:
        self.database = database
        self.brains = brains
        self._clock = clock
        checkpoints = database.insert(JobLaneRow)
        fresh = {name: checkpoints.excluded[name] for name in ("step", "data")}
        self._set_checkpoint = checkpoints.on_conflict_do_update(
            index_elements=["job_id", "lane"], set_=fresh
        )
        self._add_point = database.insert(JobPointRow).on_conflict_do_nothing()
        self._add_game = database.insert(JobGameRow).on_conflict_do_nothing()

    def claim(
        self, holder: str, seconds: float, most: int, held: Mapping[str, int] | None = None
    ) -> tuple[JobSnapshot, ...]:
        """Take leases on jobs that nobody holds, beside those held already, counted by owner."""
        now = self._clock()
        free = self.database.fetch(SELECT_FREE, now=now)
        chosen = choose_jobs([(str(job), str(owner)) for job, owner in free], held or {}, most)
        if not chosen:
            return ()
        lease = {"by": holder, "lease": now + seconds, "now": now}
        with self.database.write() as cursor:
            return tuple(
                self._snapshot(cursor, job_id)
                for job_id in chosen
                if self.database.run(cursor, HOLD, lease | {"job": job_id}).rowcount == 1
            )

    def is_neglected(self) -> bool:
        """Whether an owner's jobs have waited for a coordinator for longer than one needs.

        The first job of every owner is taken at once, and a lease that ended is taken over.
        """
        now, held, waiting = self._clock(), set(), set()
        for owner, created, until in self.database.fetch(SELECT_LEASES):
            if until is not None and until > now:
                held.add(owner)
            elif max(created, until or 0.0) < now - NEGLECT_S:
                waiting.add(owner)
        return bool(waiting - held)

    def renew(self, holder: str, seconds: float, hindrance: str | None) -> None:
        """Extend all leases of this holder, and store why its jobs do not progress, if so."""
        lease = {"by": holder, "lease": self._clock() + seconds, "why": hindrance}
        with self.database.write() as cursor:
            self.database.run(cursor, RENEW, lease)

    def held(self, holder: str) -> dict[str, bool]:
        """The jobs this holder still has, and whether they are cancelled."""
        rows = self.database.fetch(SELECT_HELD, by=holder)
        return {job_id: bool(cancel) for job_id, cancel in rows}

    def write(
        self, holder: str, job_id: str, change: Change, pace: float | None, done: JobState | None
    ) -> None:
        """Store the rows and the progress of a change; raises LostLeaseError."""
        progress = {"done": change.step, "figures": json.dumps(change.metrics), "speed": pace}
        held = {"job": job_id, "by": holder, "now": self._clock()}
        with self.database.write() as cursor:
            if self.database.run(cursor, PROGRESS, held | progress).rowcount != 1:
                raise LostLeaseError(f"job {job_id} is no longer ours")
            self.write_rows(cursor, job_id, change)
            if done is not None:
                self._set_final(cursor, holder, job_id, done, None)

    def end(self, holder: str, job_id: str, state: JobState, error: str | None = None) -> None:
        """Store a final state; raises LostLeaseError."""
        with self.database.write() as cursor:
            self._set_final(cursor, holder, job_id, state, error)

    def game_keys(self, job_id: str) -> frozenset[tuple[int, int]]:
        """(pair, round) of the games that were played."""
        return frozenset(map(tuple, self.database.fetch(SELECT_GAME_KEYS, job=job_id)))

    def release(self, holder: str, job_id: str) -> None:
        """Give up the lease on a job."""
        with self.database.write() as cursor:
            self.database.run(cursor, RELEASE, {"job": job_id, "by": holder})

    def found(self, cursor: DBAPICursor, job_id: str) -> JobRecord:
        """A job, within the caller's transaction; raises UnknownJobError."""
        row = None
        if job_id.isprintable():  # PostgreSQL takes no text with a NUL in it
            row = self.database.run(cursor, SELECT_JOB, {"job": job_id}).fetchone()
        if row is None:
            raise UnknownJobError("there is no such job: it may have been thrown away")
        return JOBS.read(row)

    def write_rows(self, cursor: DBAPICursor, job_id: str, change: Change) -> None:
        """Insert the rows of a change, unless they are there; checkpoints are replaced."""
        run: Any = self.database.run
        for lane, checkpoint in change.checkpoints.items():
            row = {"job_id": job_id, "lane": lane, "step": checkpoint.step, "data": checkpoint.data}
            run(cursor, self._set_checkpoint, row)
        for point in change.points:
            run(cursor, self._add_point, POINTS.write(point, job_id=job_id))
        for game in change.games:
            fault = None if game.fault is None else game.fault[:MAX_FAULT_CHARS]
            row = GAMES.write(replace(game, fault=fault), job_id=job_id)
            run(cursor, self._add_game, row)
        for digest, data in change.brains.items():
            self.brains.add_file(cursor, digest, data)
        if not (change.ancestors or change.named):
            return
        owner = self.found(cursor, job_id).owner
        for digest, data in change.ancestors.items():
            if self.brains.has_room(cursor, owner, data):
                self.brains.add_file(cursor, digest, data)
        for brain in change.named:
            self.brains.add(cursor, replace(brain, owner=owner, job_id=job_id))

    def _set_final(
        self, cursor: DBAPICursor, holder: str, job_id: str, state: JobState, error: str | None
    ) -> None:
        why = None if error is None else error[:MAX_ERROR_CHARS]
        held = {"job": job_id, "by": holder, "now": self._clock()}
        if self.database.run(cursor, END, held | {"how": state.value, "why": why}).rowcount != 1:
            raise LostLeaseError(f"job {job_id} is no longer ours")

    def _snapshot(self, cursor: DBAPICursor, job_id: str) -> JobSnapshot:
        record, job = self.found(cursor, job_id), {"job": job_id}
        lanes = self.database.run(cursor, SELECT_CHECKPOINTS, job).fetchall()
        checkpoints = {lane: Checkpoint(step, bytes(data)) for lane, step, data in lanes}
        games = self.database.run(cursor, SELECT_GAME_KEYS, job).fetchall()
        return JobSnapshot(record, checkpoints, frozenset((pair, number) for pair, number in games))
