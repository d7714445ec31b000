"""The store of jobs: their rows, points and games for pages, and leases for coordinators.

A coordinator may write to a job only while it holds its lease. Every change is one transaction.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    not_,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

from agents.training.brains import Point
from webapp.config import JobSettings
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.models import (
    ACTIVE,
    Change,
    Checkpoint,
    FullQueueError,
    JobGame,
    JobRecord,
    JobSnapshot,
    JobState,
    LostLeaseError,
    TooManyJobsError,
    UnknownJobError,
)
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables import JobGameRow, JobLaneRow, JobPointRow, JobRow

NEGLECT_S = 20.0  # in which any coordinator takes a job
MAX_TITLE_CHARS = 200
MAX_ERROR_CHARS = 500
MAX_FAULT_CHARS = 300
MAX_REMOVED_AT_ONCE = 20  # finished jobs of one visitor, when another is begun

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
        self._limits = limits
        self._clock = clock
        checkpoints = database.insert(JobLaneRow)
        fresh = {name: checkpoints.excluded[name] for name in ("step", "data")}
        self._set_checkpoint = checkpoints.on_conflict_do_update(
            index_elements=["job_id", "lane"], set_=fresh
        )
        self._add_point = database.insert(JobPointRow).on_conflict_do_nothing()
        self._add_game = database.insert(JobGameRow).on_conflict_do_nothing()

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
            self._write_rows(cursor, record.id, change)
        finished = {"whose": record.owner, "most": MAX_REMOVED_AT_ONCE, "after": self._limits.kept}
        for (old,) in self.database.fetch(SELECT_OVER, **finished):
            self.remove(old)
        return record

    def _check_limits(self, cursor: DBAPICursor, record: JobRecord) -> None:
        """Part of the queue is left to other addresses, part to owners who have no job in it."""
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
        if active >= (limits.shared_queue if own else limits.queue):
            raise FullQueueError("too many jobs are waiting already: try again later")

    def find(self, job_id: str, kind: str | None = None) -> JobRecord:
        """A job, or one of this kind; raises UnknownJobError."""
        with self.database.read() as cursor:
            record = self._found(cursor, job_id)
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
            return self._found(cursor, job_id)

    def remove(self, job_id: str) -> None:
        """Delete the job and all it wrote, except brains that have a name or are played with.

        A coordinator notices that it is gone.
        """
        digests = self.brains.there(job_id)
        with self.database.write() as cursor:
            self.database.run(cursor, DELETE_JOB, {"job": job_id})
        self.brains.sweep(digests)

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
            self._write_rows(cursor, job_id, change)
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

    def _found(self, cursor: DBAPICursor, job_id: str) -> JobRecord:
        """A job, within the caller's transaction; raises UnknownJobError."""
        row = None
        if job_id.isprintable():  # PostgreSQL takes no text with a NUL in it
            row = self.database.run(cursor, SELECT_JOB, {"job": job_id}).fetchone()
        if row is None:
            raise UnknownJobError("there is no such job: it may have been thrown away")
        return JOBS.read(row)

    def _write_rows(self, cursor: DBAPICursor, job_id: str, change: Change) -> None:
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
        owner = self._found(cursor, job_id).owner
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
        record, job = self._found(cursor, job_id), {"job": job_id}
        lanes = self.database.run(cursor, SELECT_CHECKPOINTS, job).fetchall()
        checkpoints = {lane: Checkpoint(step, bytes(data)) for lane, step, data in lanes}
        games = self.database.run(cursor, SELECT_GAME_KEYS, job).fetchall()
        return JobSnapshot(record, checkpoints, frozenset((pair, number) for pair, number in games))
