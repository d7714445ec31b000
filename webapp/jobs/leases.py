"""The store of coordinators: they may write to a job only while they hold its lease."""

from __future__ import annotations

import json
from collections.abc import Callable

from sqlalchemy import bindparam, func, null, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.jobs.models import Change, JobSnapshot, JobState, LostLeaseError, Strand
from webapp.jobs.rows import IS_ACTIVE, IS_FREE, JOB, NOW, STATE_SQL, JobRows
from webapp.storage.database import Database
from webapp.storage.tables import JobGameRow, JobLaneRow, JobRow

MAX_ERROR_CHARS = 500

_HELD = (JobRow.id == JOB, JobRow.holder == bindparam("by"), IS_ACTIVE)


class LeaseStore:
    """Leases on jobs, and writes under a lease. Every change is one transaction."""

    def __init__(self, database: Database, rows: JobRows, clock: Callable[[], float]) -> None:
        self.database = database
        self._rows = rows
        self._clock = clock
        written = database.written
        self._free = written(
            select(JobRow.id)
            .where(IS_ACTIVE, IS_FREE)
            .order_by(JobRow.created, JobRow.id)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        hold = update(JobRow).values(
            holder=bindparam("by"),
            until=bindparam("lease"),
            state=STATE_SQL[JobState.RUNNING],
            begun=func.coalesce(JobRow.begun, NOW),
            hindrance=null(),
        )
        self._hold = written(hold.where(JobRow.id == JOB, IS_ACTIVE, IS_FREE))
        self._renew = written(
            update(JobRow)
            .values(until=bindparam("lease"), hindrance=bindparam("why"))
            .where(JobRow.holder == bindparam("by"))
        )
        self._release = written(
            update(JobRow)
            .values(holder=null(), until=null(), hindrance=null())
            .where(JobRow.id == JOB, JobRow.holder == bindparam("by"))
        )
        self._cancelled = written(
            select(JobRow.id, JobRow.cancel).where(JobRow.holder == bindparam("by"), IS_ACTIVE)
        )
        self._progress = written(
            update(JobRow)
            .values(
                step=bindparam("done"),
                metrics=bindparam("figures"),
                pace=bindparam("speed"),
                updated=NOW,
            )
            .where(*_HELD)
        )
        self._end = written(
            update(JobRow)
            .values(
                state=bindparam("how"),
                error=bindparam("why"),
                updated=NOW,
                ended=NOW,
                holder=null(),
                until=null(),
                hindrance=null(),
            )
            .where(*_HELD)
        )
        self._strands = written(
            select(JobLaneRow.lane, JobLaneRow.step, JobLaneRow.data).where(
                JobLaneRow.job_id == JOB
            )
        )
        self._keys = written(
            select(JobGameRow.pair, JobGameRow.round).where(JobGameRow.job_id == JOB)
        )

    def claim(self, holder: str, seconds: float, most: int) -> tuple[JobSnapshot, ...]:
        """Take leases on jobs that nobody holds."""
        claimed: list[JobSnapshot] = []
        now = self._clock()
        with self.database.read() as cursor:
            cursor.execute(self._free, {"now": now, "most": most, "after": 0})
            free = [job_id for (job_id,) in cursor.fetchall()]
        if not free:
            return ()
        lease = {"by": holder, "lease": now + seconds, "now": now}
        with self.database.write() as cursor:
            for job_id in free:
                cursor.execute(self._hold, lease | {"job": job_id})
                if cursor.rowcount == 1:
                    claimed.append(self._snapshot(cursor, job_id))
        return tuple(claimed)

    def renew(self, holder: str, seconds: float, hindrance: str | None) -> None:
        """Extend all leases of this holder, and store why its jobs do not progress, if so."""
        lease = {"by": holder, "lease": self._clock() + seconds, "why": hindrance}
        with self.database.write() as cursor:
            cursor.execute(self._renew, lease)

    def held(self, holder: str) -> dict[str, bool]:
        """The jobs this holder still has, and whether they are cancelled."""
        with self.database.read() as cursor:
            cursor.execute(self._cancelled, {"by": holder})
            return {job_id: bool(cancel) for job_id, cancel in cursor.fetchall()}

    def write(
        self, holder: str, job_id: str, change: Change, pace: float | None, done: JobState | None
    ) -> None:
        """Store the rows and the progress of a change; raises LostLeaseError."""
        now = self._clock()
        progress = {
            "job": job_id,
            "by": holder,
            "now": now,
            "done": change.step,
            "figures": json.dumps(change.metrics),
            "speed": pace,
        }
        with self.database.write() as cursor:
            cursor.execute(self._progress, progress)
            if cursor.rowcount != 1:
                raise LostLeaseError(f"job {job_id} is no longer ours")
            self._rows.write(cursor, job_id, change)
            if done is not None:
                self._set_final(cursor, holder, job_id, done, None)

    def end(self, holder: str, job_id: str, state: JobState, error: str | None = None) -> None:
        """Store a final state; raises LostLeaseError."""
        with self.database.write() as cursor:
            self._set_final(cursor, holder, job_id, state, error)

    def release(self, holder: str, job_id: str) -> None:
        """Give up the lease on a job."""
        with self.database.write() as cursor:
            cursor.execute(self._release, {"job": job_id, "by": holder})

    def _set_final(
        self, cursor: DBAPICursor, holder: str, job_id: str, state: JobState, error: str | None
    ) -> None:
        why = None if error is None else error[:MAX_ERROR_CHARS]
        cursor.execute(
            self._end,
            {"job": job_id, "by": holder, "now": self._clock(), "how": state.value, "why": why},
        )
        if cursor.rowcount != 1:
            raise LostLeaseError(f"job {job_id} is no longer ours")

    def _snapshot(self, cursor: DBAPICursor, job_id: str) -> JobSnapshot:
        record = self._rows.found(cursor, job_id)
        cursor.execute(self._strands, {"job": job_id})
        strands = {lane: Strand(step, bytes(data)) for lane, step, data in cursor.fetchall()}
        cursor.execute(self._keys, {"job": job_id})
        games = frozenset((pair, number) for pair, number in cursor.fetchall())
        return JobSnapshot(record, strands, games)
