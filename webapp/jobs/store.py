"""The store of jobs, with their points and games, for pages."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import time

from sqlalchemy import bindparam, delete, func, insert, not_, null, select, true, update

from agents.contest.arena import Terms
from agents.contest.results import Result
from agents.training.brains import Point
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
    FullQueueError,
    JobGame,
    JobRecord,
    JobState,
    Strand,
    TooManyJobsError,
    UnknownJobError,
)
from webapp.storage.database import Database
from webapp.storage.tables import JobGameRow, JobLaneRow, JobPointRow, JobRow

MAX_TITLE_CHARS = 200

OWN = (
    select(*JOBS.columns)
    .where(JobRow.owner == bindparam("whose"))
    .order_by(JobRow.created.desc(), JobRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
OVER = (
    select(JobRow.id)
    .where(JobRow.owner == bindparam("whose"), not_(IS_ACTIVE))
    .order_by(JobRow.created.desc(), JobRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
COUNT_ACTIVE = select(JobRow.owner, func.count()).where(IS_ACTIVE).group_by(JobRow.owner)
INSERT_JOB = insert(JobRow)
ASK_TO_CANCEL = update(JobRow).values(cancel=true(), updated=NOW).where(JobRow.id == JOB, IS_ACTIVE)
CANCEL_FREE = (
    update(JobRow)
    .values(state=STATE_SQL[JobState.CANCELLED], ended=NOW, updated=NOW, hindrance=null())
    .where(JobRow.id == JOB, IS_ACTIVE, IS_FREE)
)
DELETE_JOB = delete(JobRow).where(JobRow.id == JOB)
SELECT_STRAND = select(JobLaneRow.step, JobLaneRow.data).where(
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
    """Jobs; `leases` is for coordinators. Every change is one transaction."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time,
        quota: int | None = None,  # bytes of brains, for one visitor
    ) -> None:
        self.database = database
        self._clock = clock
        self.leases = LeaseStore(database, clock, quota)

    def create(
        self,
        record: JobRecord,
        *,
        each: int,
        queue: int,
        strands: Mapping[int, Strand] | None = None,
        points: Sequence[Point] = (),
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
            rows = self.database.run(cursor, COUNT_ACTIVE).fetchall()
            active = {str(owner): int(count) for owner, count in rows}
            if active.get(record.owner, 0) >= each:
                why = f"you have {each} jobs under way: wait for one to end, or stop one"
                raise TooManyJobsError(why)
            if sum(active.values()) >= queue:
                raise FullQueueError("too many jobs are waiting already: try again later")
            self.database.run(cursor, INSERT_JOB, JOBS.write(record, holder=None, until=None))
            change = Change(0, strands=strands or {}, points=(*points,))
            self.leases.write_rows(cursor, record.id, change)
        return record

    def find(self, job_id: str) -> JobRecord:
        """Raises UnknownJobError."""
        with self.database.read() as cursor:
            return self.leases.found(cursor, job_id)

    def own(self, owner: str, most: int, after: int = 0) -> tuple[JobRecord, ...]:
        """Someone's jobs, the newest first."""
        rows = self.database.fetch(OWN, whose=owner, most=most, after=after)
        return tuple(map(JOBS.read, rows))

    def over(self, owner: str, most: int, after: int) -> tuple[str, ...]:
        """Ids of someone's finished jobs, the newest first."""
        rows = self.database.fetch(OVER, whose=owner, most=most, after=after)
        return tuple(job_id for (job_id,) in rows)

    def points(self, job_id: str) -> tuple[Point, ...]:
        """The points of all curves of a job, by lane and step."""
        return tuple(map(POINTS.read, self.database.fetch(SELECT_POINTS, job=job_id)))

    def games(self, job_id: str) -> tuple[JobGame, ...]:
        """All games of a job, by round."""
        return tuple(map(GAMES.read, self.database.fetch(SELECT_GAMES, job=job_id)))

    def results(self, job_id: str, terms: Terms) -> list[Result]:
        """The results of all games of an arena so far."""
        return list(_results(terms, self.games(job_id)))

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

    def strand(self, job_id: str, lane: int) -> Strand | None:
        """The state of one lane, if it has begun."""
        rows = self.database.fetch(SELECT_STRAND, job=job_id, number=lane)
        return Strand(rows[0][0], bytes(rows[0][1])) if rows else None

    def ask_to_cancel(self, job_id: str) -> JobRecord:
        """Cancel a job: at once if no coordinator holds it, else by its coordinator."""
        with self.database.write() as cursor:
            now = {"job": job_id, "now": self._clock()}
            if self.database.run(cursor, CANCEL_FREE, now).rowcount == 0:
                self.database.run(cursor, ASK_TO_CANCEL, now)
            return self.leases.found(cursor, job_id)

    def remove(self, job_id: str) -> None:
        """Delete a job and its rows; a coordinator notices that it is gone."""
        with self.database.write() as cursor:
            self.database.run(cursor, DELETE_JOB, {"job": job_id})


def _results(terms: Terms, games: Iterable[JobGame]) -> Iterable[Result]:
    """Games to results; seats follow from pair and round."""
    seats = [terms.fixture(number).entrants for number in range(1, terms.pairs + 1)]
    for game in games:
        low, high = seats[game.pair]
        first, second = (high, low) if game.round % 2 else (low, high)
        yield Result(
            first,
            second,
            game.round,
            game.winner,
            game.ending,
            game.moves,
            game.fault is not None,
            (game.first_thoughts or 0, game.second_thoughts or 0),
            (game.first_seconds or 0.0, game.second_seconds or 0.0),
        )
