"""Rows of a job as values, and the other way round: what every part of its SQL shares."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    Table,
    bindparam,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.jobs.models import ACTIVE, Change, JobRecord, JobState, KeptBrain, UnknownJobError
from webapp.storage.database import Database
from webapp.storage.tables import (
    BrainFileRow,
    BrainRow,
    JobGameRow,
    JobLaneRow,
    JobPointRow,
    JobRow,
    Model,
)


def adding_once(database: Database, row: type[Model]) -> str:
    """An insert that leaves a row with the same key as it is."""
    return database.written(_insert(database, row).on_conflict_do_nothing())


def replacing(database: Database, row: type[Model], *key: str) -> str:
    """An insert that takes the place of a row with the same key."""
    adding = _insert(database, row)
    table = row.__table__
    assert isinstance(table, Table)
    others = [column.name for column in table.columns if column.name not in key]
    fresh = {name: adding.excluded[name] for name in others}
    return database.written(adding.on_conflict_do_update(index_elements=list(key), set_=fresh))


def _insert(database: Database, row: type[Model]) -> Any:
    return sqlite.insert(row) if database.is_sqlite else postgresql.insert(row)


LONGEST_FAULT = 300
LONGEST_NAME = 80

JOB: BindParameter[str] = bindparam("job")
GAME = (
    JobGameRow.pair,
    JobGameRow.round,
    JobGameRow.moves,
    JobGameRow.winner,
    JobGameRow.ending,
    JobGameRow.fault,
    JobGameRow.first_seconds,
    JobGameRow.second_seconds,
    JobGameRow.first_thoughts,
    JobGameRow.second_thoughts,
)
NOW: BindParameter[float] = bindparam("now")
COLUMNS = (
    JobRow.id,
    JobRow.owner,
    JobRow.kind,
    JobRow.title,
    JobRow.parameters,
    JobRow.seed,
    JobRow.state,
    JobRow.step,
    JobRow.total,
    JobRow.metrics,
    JobRow.pace,
    JobRow.error,
    JobRow.hindrance,
    JobRow.cancel,
    JobRow.created,
    JobRow.updated,
    JobRow.begun,
    JobRow.ended,
)
NAMES = tuple(column.key for column in COLUMNS)
IS: dict[JobState, ColumnClause[str]] = {
    state: literal_column(f"'{state.value}'") for state in JobState
}  # written out in the SQL
IS_ACTIVE = JobRow.state.in_([IS[state] for state in ACTIVE])
IS_FREE = or_(JobRow.holder.is_(None), JobRow.until < NOW)

WHOSE: BindParameter[str] = bindparam("whose")
# Bytes that someone's brains take, with the ancestors that their jobs keep.
USAGE = select(func.sum(BrainFileRow.size)).where(
    or_(
        BrainFileRow.digest.in_(select(BrainRow.digest).where(BrainRow.owner == WHOSE)),
        BrainFileRow.digest.in_(
            select(JobPointRow.digest)
            .join(JobRow, JobRow.id == JobPointRow.job_id)
            .where(JobRow.owner == WHOSE)
        ),
    )
)


class JobRows:
    """A job's row read, and the rows of a change written, within someone's transaction."""

    def __init__(
        self, database: Database, clock: Callable[[], float], quota: int | None = None
    ) -> None:
        self._clock = clock
        self._quota = quota  # bytes of brains, for one visitor
        self._usage = database.written(USAGE)
        self._find = database.written(select(*COLUMNS).where(JobRow.id == JOB))
        self._owner = database.written(select(JobRow.owner).where(JobRow.id == JOB))
        self._set_strand = replacing(database, JobLaneRow, "job_id", "lane")
        self._add_point = adding_once(database, JobPointRow)
        self._add_game = adding_once(database, JobGameRow)
        self._add_brain = adding_once(database, BrainFileRow)
        self._add_name = adding_once(database, BrainRow)

    def found(self, cursor: DBAPICursor, job_id: str) -> JobRecord:
        """Raises UnknownJobError."""
        row = None
        if job_id.isprintable():  # PostgreSQL takes no text with a NUL in it
            cursor.execute(self._find, {"job": job_id})
            row = cursor.fetchone()
        if row is None:
            raise UnknownJobError("there is no such job: it may have been thrown away")
        return record_of(row)

    def write(self, cursor: DBAPICursor, job_id: str, change: Change) -> None:
        """Whatever has been written before stays as it is; only strands go on."""
        of_job = {"job_id": job_id}
        for lane, strand in change.strands.items():
            row = {"lane": lane, "step": strand.step, "data": strand.data}
            cursor.execute(self._set_strand, of_job | row)
        for point in change.points:
            row = {"lane": point.lane, "step": point.step, "digest": point.digest}
            figures = {"metrics": json.dumps(dict(point.metrics))}
            cursor.execute(self._add_point, of_job | row | figures)
        for game in change.games:
            fault = None if game.fault is None else game.fault[:LONGEST_FAULT]
            cursor.execute(self._add_game, of_job | asdict(replace(game, fault=fault)))
        for digest, data in change.brains.items():
            self._write_brain(cursor, digest, data)
        for digest, data in change.ancestors.items():
            if self._has_room(cursor, job_id, len(data)):
                self._write_brain(cursor, digest, data)
        for brain in change.named:
            owner = self._owner_of(cursor, job_id)
            cursor.execute(self._add_name, brain_row(brain, owner, job_id, self._clock()))

    def _write_brain(self, cursor: DBAPICursor, digest: str, data: bytes) -> None:
        row = {"digest": digest, "data": data, "size": len(data), "created": self._clock()}
        cursor.execute(self._add_brain, row)

    def _has_room(self, cursor: DBAPICursor, job_id: str, size: int) -> bool:
        """Whether the job's owner may keep so many bytes more."""
        if self._quota is None:
            return True
        cursor.execute(self._usage, {"whose": self._owner_of(cursor, job_id)})
        ((used,),) = cursor.fetchall()
        return int(used or 0) + size <= self._quota

    def _owner_of(self, cursor: DBAPICursor, job_id: str) -> str:
        cursor.execute(self._owner, {"job": job_id})
        return str(cursor.fetchall()[0][0])


def brain_row(brain: KeptBrain, owner: str, job_id: str | None, now: float) -> dict[str, object]:
    """A new row of `brains`."""
    return {
        "id": secrets.token_urlsafe(16),
        "owner": owner,
        "name": brain.name[:LONGEST_NAME],
        "digest": brain.digest,
        "agent": brain.agent,
        "game": brain.game,
        "size": brain.size,
        "facts": json.dumps(dict(brain.facts)),
        "job_id": job_id,
        "created": now,
    }


def record_of(row: Sequence[Any]) -> JobRecord:
    """The job of a row with these columns."""
    said = dict(zip(NAMES, row, strict=True))
    said["parameters"] = json.loads(said["parameters"])
    said["metrics"] = json.loads(said["metrics"])
    said["state"] = JobState(said["state"])
    said["cancel"] = bool(said["cancel"])
    return JobRecord(**said)
