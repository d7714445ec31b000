"""The SQL of whoever works on jobs: they write only as long as they hold what they write of."""

from __future__ import annotations

import json
from collections.abc import Callable

from sqlalchemy import bindparam, func, null, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.jobs.models import Change, JobState, LostLeaseError, Strand, Written
from webapp.jobs.rows import IS, IS_ACTIVE, IS_FREE, JOB, NOW, JobRows
from webapp.storage.database import Database
from webapp.storage.tables import JobGameRow, JobLaneRow, JobRow

LONGEST_ERROR = 500

_HELD = (JobRow.id == JOB, JobRow.holder == bindparam("by"), IS_ACTIVE)


class LeaseStore:
    """Jobs in the hands of coordinators, each for so long. Every change is one transaction."""

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
            state=IS[JobState.RUNNING],
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
        self._asked = written(
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

    def claim(self, holder: str, seconds: float, most: int) -> tuple[Written, ...]:
        """Jobs that nobody works on, now this holder's for so long."""
        claimed: list[Written] = []
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
                    claimed.append(self._written(cursor, job_id))
        return tuple(claimed)

    def renew(self, holder: str, seconds: float, hindrance: str | None) -> None:
        """All that this holder has, it has for so much longer; and why nothing of it goes on."""
        lease = {"by": holder, "lease": self._clock() + seconds, "why": hindrance}
        with self.database.write() as cursor:
            cursor.execute(self._renew, lease)

    def held(self, holder: str) -> dict[str, bool]:
        """The jobs that are still this holder's, and whether they are to be cancelled."""
        with self.database.read() as cursor:
            cursor.execute(self._asked, {"by": holder})
            return {job_id: bool(cancel) for job_id, cancel in cursor.fetchall()}

    def write(
        self, holder: str, job_id: str, change: Change, pace: float | None, done: JobState | None
    ) -> None:
        """Progress and rows, whole or not at all; raises LostLeaseError."""
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
                self._ended(cursor, holder, job_id, done, None)

    def end(self, holder: str, job_id: str, state: JobState, error: str | None = None) -> None:
        """The job is over; raises LostLeaseError."""
        with self.database.write() as cursor:
            self._ended(cursor, holder, job_id, state, error)

    def release(self, holder: str, job_id: str) -> None:
        """Whoever comes next may take it."""
        with self.database.write() as cursor:
            cursor.execute(self._release, {"job": job_id, "by": holder})

    def _ended(
        self, cursor: DBAPICursor, holder: str, job_id: str, state: JobState, error: str | None
    ) -> None:
        why = None if error is None else error[:LONGEST_ERROR]
        cursor.execute(
            self._end,
            {"job": job_id, "by": holder, "now": self._clock(), "how": state.value, "why": why},
        )
        if cursor.rowcount != 1:
            raise LostLeaseError(f"job {job_id} is no longer ours")

    def _written(self, cursor: DBAPICursor, job_id: str) -> Written:
        record = self._rows.found(cursor, job_id)
        cursor.execute(self._strands, {"job": job_id})
        strands = {lane: Strand(step, bytes(data)) for lane, step, data in cursor.fetchall()}
        cursor.execute(self._keys, {"job": job_id})
        games = frozenset((pair, number) for pair, number in cursor.fetchall())
        return Written(record, strands, games)
