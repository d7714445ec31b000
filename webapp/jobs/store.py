"""The store of jobs: their rows, points and games for pages. Every change is one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import time

from sqlalchemy import (
    bindparam,
    delete,
    func,
    insert,
    not_,
    null,
    select,
    true,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

from agents.training.brains import Point
from webapp.config import JobSettings
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.leases import (
    GAMES,
    IS_ACTIVE,
    IS_FREE,
    JOB,
    JOBS,
    NOW,
    POINTS,
    STATE_SQL,
    LeaseStore,
)
from webapp.jobs.models import (
    Change,
    Checkpoint,
    FullQueueError,
    JobGame,
    JobRecord,
    JobState,
    TooManyJobsError,
    UnknownJobError,
)
from webapp.storage.database import Database
from webapp.storage.tables.jobs import JobGameRow, JobLaneRow, JobPointRow, JobRow

MAX_TITLE_CHARS = 200
MAX_REMOVED_AT_ONCE = 20  # finished jobs of one visitor, when another is begun

SELECT_OWN = (
    select(*JOBS.columns)
    .where(JobRow.owner == bindparam("whose"))
    .order_by(JobRow.created.desc(), JobRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
SELECT_OVER = SELECT_OWN.with_only_columns(JobRow.id).where(not_(IS_ACTIVE))
COUNT_ACTIVE = (
    select(JobRow.owner, JobRow.origin, func.count())
    .where(IS_ACTIVE)
    .group_by(JobRow.owner, JobRow.origin)
)
INSERT_JOB = insert(JobRow)
ASK_TO_CANCEL = update(JobRow).values(cancel=true(), updated=NOW).where(JobRow.id == JOB, IS_ACTIVE)
CANCEL_FREE = (
    update(JobRow)
    .values(state=STATE_SQL[JobState.CANCELLED], ended=NOW, updated=NOW, hindrance=null())
    .where(JobRow.id == JOB, IS_ACTIVE, IS_FREE)
)
SELECT_OLD = (
    select(JobRow.id)
    .where(not_(IS_ACTIVE), JobRow.updated < bindparam("before"))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_JOB = delete(JobRow).where(JobRow.id == JOB)
SELECT_CHECKPOINT = select(JobLaneRow.step, JobLaneRow.data).where(
    JobLaneRow.job_id == JOB, JobLaneRow.lane == bindparam("number")
)
SELECT_POINTS = (
    select(*POINTS.columns)
    .where(JobPointRow.job_id == JOB)
    .order_by(JobPointRow.lane, JobPointRow.step)
)
SELECT_GAMES = (
    select(*GAMES.columns)
    .where(JobGameRow.job_id == JOB)
    .order_by(JobGameRow.round, JobGameRow.pair)
)
OF_PAIR = select(*GAMES.columns).where(
    JobGameRow.job_id == JOB, JobGameRow.pair == bindparam("met")
)
SELECT_PAIR = OF_PAIR.order_by(JobGameRow.round).limit(bindparam("most")).offset(bindparam("after"))
SELECT_GAME = OF_PAIR.where(JobGameRow.round == bindparam("number"))


class JobStore:
    """Jobs within the limits of their visitors, and the brains that trainings leave."""

    def __init__(
        self,
        database: Database,
        limits: JobSettings = JobSettings(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time,
    ) -> None:
        self.database = database
        self.brains = BrainStore(database, limits, clock)
        self.leases = LeaseStore(database, self.brains, clock)
        self._limits = limits
        self._clock = clock

    def begin(
        self,
        record: JobRecord,
        checkpoints: Mapping[int, Checkpoint] | None = None,
        points: Sequence[Point] = (),
    ) -> JobRecord:
        """Store a job as queued, under an unguessable id; remove the owner's oldest finished ones.

        Raises TooManyJobsError and FullQueueError.
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
            self._check_limits(cursor, record)
            self.database.run(cursor, INSERT_JOB, JOBS.write(record, holder=None, until=None))
            change = Change(0, checkpoints=checkpoints or {}, points=(*points,))
            self.leases.write_rows(cursor, record.id, change)
        finished = {"whose": record.owner, "most": MAX_REMOVED_AT_ONCE, "after": self._limits.kept}
        for (old,) in self.database.fetch(SELECT_OVER, **finished):
            self.remove(old)
        return record

    def _check_limits(self, cursor: DBAPICursor, record: JobRecord) -> None:
        """Part of the queue is left to owners, and to networks, that have no job in it."""
        limits, own, near, active = self._limits, 0, 0, 0
        for owner, origin, count in self.database.run(cursor, COUNT_ACTIVE).fetchall():
            active += count
            own += count if owner == record.owner else 0
            near += count if record.origin is not None and origin == record.origin else 0
        if own >= limits.each:
            why = f"you have {limits.each} jobs under way: wait for one to end, or stop one"
            raise TooManyJobsError(why)
        if near >= limits.address:
            why = f"{limits.address} jobs of your network are under way: wait for one to end"
            raise TooManyJobsError(why)
        if active >= (limits.shared_queue if own or near else limits.queue):
            raise FullQueueError("too many jobs are waiting already: try again later")

    def find(self, job_id: str, kind: str | None = None) -> JobRecord:
        """A job, or one of this kind; raises UnknownJobError."""
        with self.database.read() as cursor:
            record = self.leases.found(cursor, job_id)
        if kind is not None and record.kind != kind:
            raise UnknownJobError(f"this job is no {kind}")
        return record

    def own(self, owner: str, most: int, after: int = 0) -> tuple[JobRecord, ...]:
        """Someone's jobs, the newest first."""
        rows = self.database.fetch(SELECT_OWN, whose=owner, most=most, after=after)
        return tuple(map(JOBS.read, rows))

    def points(self, job_id: str) -> tuple[Point, ...]:
        """The points of all curves of a job, by lane and step."""
        return tuple(map(POINTS.read, self.database.fetch(SELECT_POINTS, job=job_id)))

    def games(self, job_id: str) -> tuple[JobGame, ...]:
        """All games of a job, by round."""
        return tuple(map(GAMES.read, self.database.fetch(SELECT_GAMES, job=job_id)))

    def games_of_pair(self, job_id: str, pair: int, most: int, after: int) -> tuple[JobGame, ...]:
        """A page of a pair's games, by round."""
        rows = self.database.fetch(SELECT_PAIR, job=job_id, met=pair, most=most, after=after)
        return tuple(map(GAMES.read, rows))

    def game(self, job_id: str, pair: int, round_: int) -> JobGame:
        """One game; raises UnknownJobError where it has not been played."""
        rows = self.database.fetch(SELECT_GAME, job=job_id, met=pair, number=round_)
        if not rows:
            raise UnknownJobError("this game has not been played yet")
        return GAMES.read(rows[0])

    def checkpoint(self, job_id: str, lane: int) -> Checkpoint | None:
        """The state of one lane, if it has begun."""
        rows = self.database.fetch(SELECT_CHECKPOINT, job=job_id, number=lane)
        return Checkpoint(rows[0][0], bytes(rows[0][1])) if rows else None

    def ask_to_cancel(self, job_id: str) -> JobRecord:
        """Cancel a job: at once if no coordinator holds it, else by its coordinator."""
        with self.database.write() as cursor:
            now = {"job": job_id, "now": self._clock()}
            if self.database.run(cursor, CANCEL_FREE, now).rowcount == 0:
                self.database.run(cursor, ASK_TO_CANCEL, now)
            return self.leases.found(cursor, job_id)

    def remove(self, job_id: str) -> None:
        """Delete the job and all it wrote, except brains that have a name or are played with.

        A coordinator notices that it is gone.
        """
        digests = self.brains.there(job_id)
        with self.database.write() as cursor:
            self.database.run(cursor, DELETE_JOB, {"job": job_id})
        self.brains.sweep(digests)

    def remove_old(self, before: float, most: int) -> int:
        """Remove jobs that were over before that time; returns how many."""
        found = self.database.fetch(SELECT_OLD, before=before, most=most, after=0)
        for (job_id,) in found:
            self.remove(job_id)
        return len(found)
