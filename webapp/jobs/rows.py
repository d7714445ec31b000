"""Rows of jobs to records and back, and SQL shared by the stores of jobs and brains."""

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

MAX_FAULT_CHARS = 300
MAX_NAME_CHARS = 80

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
COLUMN_NAMES = tuple(column.key for column in COLUMNS)
STATE_SQL: dict[JobState, ColumnClause[str]] = {
    state: literal_column(f"'{state.value}'") for state in JobState
}  # as literals
IS_ACTIVE = JobRow.state.in_([STATE_SQL[state] for state in ACTIVE])
IS_FREE = or_(JobRow.holder.is_(None), JobRow.until < NOW)

OWNER: BindParameter[str] = bindparam("whose")
# Bytes of someone's brains, including the ancestors of their jobs.
USAGE = select(func.sum(BrainFileRow.size)).where(
    or_(
        BrainFileRow.digest.in_(select(BrainRow.digest).where(BrainRow.owner == OWNER)),
        BrainFileRow.digest.in_(
            select(JobPointRow.digest)
            .join(JobRow, JobRow.id == JobPointRow.job_id)
            .where(JobRow.owner == OWNER)
        ),
    )
)


class JobRows:
    """Reads a job and writes the rows of a change, within the caller's transaction."""

    def __init__(
        self, database: Database, clock: Callable[[], float], quota: int | None = None
    ) -> None:
        self._clock = clock
        self._quota = quota  # bytes of brains, for one visitor
        self._usage = database.written(USAGE)
        self._find = database.written(select(*COLUMNS).where(JobRow.id == JOB))
        self._owner = database.written(select(JobRow.owner).where(JobRow.id == JOB))
        self._set_strand = upsert_sql(database, JobLaneRow, "job_id", "lane")
        self._add_point = insert_once_sql(database, JobPointRow)
        self._add_game = insert_once_sql(database, JobGameRow)
        self._add_brain = insert_once_sql(database, BrainFileRow)
        self._add_name = insert_once_sql(database, BrainRow)

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
        """Insert the rows of a change; existing rows stay, but for strands."""
        of_job = {"job_id": job_id}
        for lane, strand in change.strands.items():
            row = {"lane": lane, "step": strand.step, "data": strand.data}
            cursor.execute(self._set_strand, of_job | row)
        for point in change.points:
            row = {"lane": point.lane, "step": point.step, "digest": point.digest}
            figures = {"metrics": json.dumps(dict(point.metrics))}
            cursor.execute(self._add_point, of_job | row | figures)
        for game in change.games:
            fault = None if game.fault is None else game.fault[:MAX_FAULT_CHARS]
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
        """Whether so many bytes more are within the owner's quota."""
        if self._quota is None:
            return True
        cursor.execute(self._usage, {"whose": self._owner_of(cursor, job_id)})
        ((used,),) = cursor.fetchall()
        return int(used or 0) + size <= self._quota

    def _owner_of(self, cursor: DBAPICursor, job_id: str) -> str:
        cursor.execute(self._owner, {"job": job_id})
        return str(cursor.fetchall()[0][0])


def brain_row(brain: KeptBrain, owner: str, job_id: str | None, now: float) -> dict[str, object]:
    """Record to row of `brains`."""
    return {
        "id": secrets.token_urlsafe(16),
        "owner": owner,
        "name": brain.name[:MAX_NAME_CHARS],
        "digest": brain.digest,
        "agent": brain.agent,
        "game": brain.game,
        "size": brain.size,
        "facts": json.dumps(dict(brain.facts)),
        "job_id": job_id,
        "created": now,
    }


def record_of(row: Sequence[Any]) -> JobRecord:
    """Row of COLUMNS to record."""
    values = dict(zip(COLUMN_NAMES, row, strict=True))
    values["parameters"] = json.loads(values["parameters"])
    values["metrics"] = json.loads(values["metrics"])
    values["state"] = JobState(values["state"])
    values["cancel"] = bool(values["cancel"])
    return JobRecord(**values)


def insert_once_sql(database: Database, row: type[Model]) -> str:
    """INSERT … ON CONFLICT DO NOTHING."""
    return database.written(_insert(database, row).on_conflict_do_nothing())


def upsert_sql(database: Database, row: type[Model], *key: str) -> str:
    """INSERT … ON CONFLICT DO UPDATE."""
    adding = _insert(database, row)
    table = row.__table__
    assert isinstance(table, Table)
    others = [column.name for column in table.columns if column.name not in key]
    fresh = {name: adding.excluded[name] for name in others}
    return database.written(adding.on_conflict_do_update(index_elements=list(key), set_=fresh))


def _insert(database: Database, row: type[Model]) -> Any:
    return sqlite.insert(row) if database.is_sqlite else postgresql.insert(row)
