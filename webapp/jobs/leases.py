"""The store of coordinators: they may write to a job only while they hold its lease."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
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
from webapp.jobs.brain_store import BrainRows
from webapp.jobs.models import (
    ACTIVE,
    Change,
    JobGame,
    JobRecord,
    JobSnapshot,
    JobState,
    LostLeaseError,
    Strand,
    UnknownJobError,
)
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables import JobGameRow, JobLaneRow, JobPointRow, JobRow

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
    select(JobRow.id)
    .where(IS_ACTIVE, IS_FREE)
    .order_by(JobRow.created, JobRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
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
SELECT_STRANDS = select(JobLaneRow.lane, JobLaneRow.step, JobLaneRow.data).where(
    JobLaneRow.job_id == JOB
)
SELECT_GAME_KEYS = select(JobGameRow.pair, JobGameRow.round).where(JobGameRow.job_id == JOB)


class LeaseStore:
    """Leases on jobs, and writes under a lease. Every change is one transaction."""

    def __init__(
        self, database: Database, clock: Callable[[], float], quota: int | None = None
    ) -> None:
        self.database = database
        self._clock = clock
        self._brains = BrainRows(database, clock)
        self._quota = quota  # bytes of brains, for one visitor
        strands = database.insert(JobLaneRow)
        fresh = {name: strands.excluded[name] for name in ("step", "data")}
        self._set_strand = strands.on_conflict_do_update(
            index_elements=["job_id", "lane"], set_=fresh
        )
        self._add_point = database.insert(JobPointRow).on_conflict_do_nothing()
        self._add_game = database.insert(JobGameRow).on_conflict_do_nothing()

    def claim(self, holder: str, seconds: float, most: int) -> tuple[JobSnapshot, ...]:
        """Take leases on jobs that nobody holds."""
        now = self._clock()
        free = self.database.fetch(SELECT_FREE, now=now, most=most, after=0)
        if not free:
            return ()
        claimed: list[JobSnapshot] = []
        lease = {"by": holder, "lease": now + seconds, "now": now}
        with self.database.write() as cursor:
            for (job_id,) in free:
                if self.database.run(cursor, HOLD, lease | {"job": job_id}).rowcount == 1:
                    claimed.append(self._snapshot(cursor, job_id))
        return tuple(claimed)

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
        """Insert the rows of a change, within the caller's; existing rows stay, but for strands."""
        run: Any = self.database.run
        for lane, strand in change.strands.items():
            row = {"job_id": job_id, "lane": lane, "step": strand.step, "data": strand.data}
            run(cursor, self._set_strand, row)
        for point in change.points:
            run(cursor, self._add_point, POINTS.write(point, job_id=job_id))
        for game in change.games:
            fault = None if game.fault is None else game.fault[:MAX_FAULT_CHARS]
            row = GAMES.write(replace(game, fault=fault), job_id=job_id)
            run(cursor, self._add_game, row)
        for digest, data in change.brains.items():
            self._brains.add_file(cursor, digest, data)
        if not (change.ancestors or change.named):
            return
        owner = self.found(cursor, job_id).owner
        for digest, data in change.ancestors.items():
            if self._quota is None or self._brains.has_room(cursor, owner, data, self._quota):
                self._brains.add_file(cursor, digest, data)
        for brain in change.named:
            self._brains.add(cursor, replace(brain, owner=owner, job_id=job_id))

    def _set_final(
        self, cursor: DBAPICursor, holder: str, job_id: str, state: JobState, error: str | None
    ) -> None:
        why = None if error is None else error[:MAX_ERROR_CHARS]
        held = {"job": job_id, "by": holder, "now": self._clock()}
        if self.database.run(cursor, END, held | {"how": state.value, "why": why}).rowcount != 1:
            raise LostLeaseError(f"job {job_id} is no longer ours")

    def _snapshot(self, cursor: DBAPICursor, job_id: str) -> JobSnapshot:
        record, job = self.found(cursor, job_id), {"job": job_id}
        lanes = self.database.run(cursor, SELECT_STRANDS, job).fetchall()
        strands = {lane: Strand(step, bytes(data)) for lane, step, data in lanes}
        games = self.database.run(cursor, SELECT_GAME_KEYS, job).fetchall()
        return JobSnapshot(record, strands, frozenset((pair, number) for pair, number in games))
