"""The stores of jobs and of arena games, for pages."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, not_, null, select, true, update

from agents.contest.arena import Terms
from agents.contest.results import Result
from webapp.jobs.leases import LeaseStore
from webapp.jobs.models import (
    Change,
    FullQueueError,
    JobGame,
    JobPoint,
    JobRecord,
    JobState,
    Strand,
    TooManyJobsError,
    UnknownJobError,
)
from webapp.jobs.rows import (
    COLUMN_NAMES,
    COLUMNS,
    GAME,
    IS_ACTIVE,
    IS_FREE,
    JOB,
    NOW,
    STATE_SQL,
    JobRows,
    record_of,
)
from webapp.storage.database import Database
from webapp.storage.tables import JobGameRow, JobLaneRow, JobPointRow, JobRow

MAX_TITLE_CHARS = 200


class JobStore:
    """Jobs; `leases` is for coordinators. Every change is one transaction."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time,
        quota: int | None = None,  # bytes of brains, for one visitor
    ) -> None:
        self.database = database
        self._clock = clock
        self._rows = JobRows(database, clock, quota)
        self.leases = LeaseStore(database, self._rows, clock)
        written = database.written
        self._own = written(
            select(*COLUMNS)
            .where(JobRow.owner == bindparam("whose"))
            .order_by(JobRow.created.desc(), JobRow.id)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        self._over = written(
            select(JobRow.id)
            .where(JobRow.owner == bindparam("whose"), not_(IS_ACTIVE))
            .order_by(JobRow.created.desc(), JobRow.id)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        self._active = written(
            select(JobRow.owner, func.count()).where(IS_ACTIVE).group_by(JobRow.owner)
        )
        self._add = written(insert(JobRow))
        self._ask_cancel = written(
            update(JobRow).values(cancel=true(), updated=NOW).where(JobRow.id == JOB, IS_ACTIVE)
        )
        self._cancel_free = written(
            update(JobRow)
            .values(state=STATE_SQL[JobState.CANCELLED], ended=NOW, updated=NOW, hindrance=null())
            .where(JobRow.id == JOB, IS_ACTIVE, IS_FREE)
        )
        self._remove = written(delete(JobRow).where(JobRow.id == JOB))
        self._strand = written(
            select(JobLaneRow.step, JobLaneRow.data).where(
                JobLaneRow.job_id == JOB, JobLaneRow.lane == bindparam("number")
            )
        )
        self._points = written(
            select(JobPointRow.lane, JobPointRow.step, JobPointRow.metrics, JobPointRow.digest)
            .where(JobPointRow.job_id == JOB)
            .order_by(JobPointRow.lane, JobPointRow.step)
        )
        self._games = written(
            select(*GAME)
            .where(JobGameRow.job_id == JOB)
            .order_by(JobGameRow.round, JobGameRow.pair)
        )

    def create(
        self,
        record: JobRecord,
        *,
        each: int,
        queue: int,
        strands: Mapping[int, Strand] | None = None,
        points: Sequence[JobPoint] = (),
    ) -> JobRecord:
        """Store a job as queued, under an unguessable id.

        Raises TooManyJobsError at `each` active jobs of its owner, FullQueueError at `queue`.
        """
        now = self._clock()
        record = replace(
            record,
            id=secrets.token_urlsafe(16),
            title=record.title[:MAX_TITLE_CHARS],
            created=now,
            updated=now,
        )
        with self.database.write_counted() as cursor:
            cursor.execute(self._active)
            active = {str(owner): int(count) for owner, count in cursor.fetchall()}
            if active.get(record.owner, 0) >= each:
                why = f"you have {each} jobs under way: wait for one to end, or stop one"
                raise TooManyJobsError(why)
            if sum(active.values()) >= queue:
                raise FullQueueError("too many jobs are waiting already: try again later")
            columns = {name: getattr(record, name) for name in COLUMN_NAMES}
            columns |= {"state": record.state.value, "holder": None, "until": None}
            columns |= {
                "parameters": json.dumps(record.parameters),
                "metrics": json.dumps(record.metrics),
            }
            cursor.execute(self._add, columns)
            self._rows.write(cursor, record.id, Change(0, strands=strands or {}, points=(*points,)))
        return record

    def find(self, job_id: str) -> JobRecord:
        """Raises UnknownJobError."""
        with self.database.read() as cursor:
            return self._rows.found(cursor, job_id)

    def own(self, owner: str, most: int, after: int = 0) -> tuple[JobRecord, ...]:
        """Someone's jobs, the newest first."""
        with self.database.read() as cursor:
            cursor.execute(self._own, {"whose": owner, "most": most, "after": after})
            return tuple(record_of(row) for row in cursor.fetchall())

    def over(self, owner: str, most: int, after: int) -> tuple[str, ...]:
        """Ids of someone's finished jobs, the newest first."""
        with self.database.read() as cursor:
            cursor.execute(self._over, {"whose": owner, "most": most, "after": after})
            return tuple(job_id for (job_id,) in cursor.fetchall())

    def points(self, job_id: str) -> tuple[JobPoint, ...]:
        """The points of all curves of a job, by lane and step."""
        with self.database.read() as cursor:
            cursor.execute(self._points, {"job": job_id})
            return tuple(
                JobPoint(lane, step, json.loads(metrics), digest)
                for lane, step, metrics, digest in cursor.fetchall()
            )

    def games(self, job_id: str) -> tuple[JobGame, ...]:
        """All games of a job, by round."""
        with self.database.read() as cursor:
            cursor.execute(self._games, {"job": job_id})
            return tuple(JobGame(*row) for row in cursor.fetchall())

    def strand(self, job_id: str, lane: int) -> Strand | None:
        """The state of one lane, if it has begun."""
        with self.database.read() as cursor:
            cursor.execute(self._strand, {"job": job_id, "number": lane})
            row = cursor.fetchone()
            return None if row is None else Strand(row[0], bytes(row[1]))

    def ask_to_cancel(self, job_id: str) -> JobRecord:
        """Cancel a job: at once if no coordinator holds it, else by its coordinator."""
        with self.database.write() as cursor:
            now = {"job": job_id, "now": self._clock()}
            cursor.execute(self._cancel_free, now)
            if cursor.rowcount == 0:
                cursor.execute(self._ask_cancel, now)
            return self._rows.found(cursor, job_id)

    def remove(self, job_id: str) -> None:
        """Delete a job and its rows; a coordinator notices that it is gone."""
        with self.database.write() as cursor:
            cursor.execute(self._remove, {"job": job_id})


_OF_JOB = JobGameRow.job_id == bindparam("job")
_OF_PAIR = JobGameRow.pair == bindparam("met")


class GameStore:
    """Reads games of arenas."""

    def __init__(self, database: Database) -> None:
        self.database = database
        games = select(*GAME).where(_OF_JOB)
        self._all = database.written(games)
        self._of_pair = database.written(
            games.where(_OF_PAIR)
            .order_by(JobGameRow.round)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        self._one = database.written(games.where(_OF_PAIR, JobGameRow.round == bindparam("number")))

    def results(self, job_id: str, terms: Terms) -> list[Result]:
        """The results of all games so far, in no order."""
        with self.database.read() as cursor:
            cursor.execute(self._all, {"job": job_id})
            return list(_results(terms, cursor.fetchall()))

    def of_pair(self, job_id: str, pair: int, most: int, after: int) -> tuple[JobGame, ...]:
        """A page of a pair's games, by round."""
        with self.database.read() as cursor:
            asked = {"job": job_id, "met": pair, "most": most, "after": after}
            cursor.execute(self._of_pair, asked)
            return tuple(JobGame(*row) for row in cursor.fetchall())

    def one(self, job_id: str, pair: int, round_: int) -> JobGame:
        """One game; raises UnknownJobError where it has not been played."""
        with self.database.read() as cursor:
            cursor.execute(self._one, {"job": job_id, "met": pair, "number": round_})
            row = cursor.fetchone()
        if row is None:
            raise UnknownJobError("this game has not been played yet")
        return JobGame(*row)


def _results(terms: Terms, rows: Iterable[Any]) -> Iterable[Result]:
    """Rows to results; seats follow from pair and round."""
    seats = [terms.fixture(number).entrants for number in range(1, terms.pairs + 1)]
    for pair, round_, moves, winner, ending, fault, one, two, ones, twos in rows:
        low, high = seats[pair]
        first, second = (high, low) if round_ % 2 else (low, high)
        yield Result(
            first,
            second,
            round_,
            winner,
            ending,
            moves,
            fault is not None,
            (ones or 0, twos or 0),
            (one or 0.0, two or 0.0),
        )
