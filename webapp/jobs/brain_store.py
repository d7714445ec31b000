"""The store of brains: those that visitors named, and the bytes of all by digest.

The database is the truth; `ensure` copies a brain into the directory where `agents` looks for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import time
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, or_, select, update

from agents.training.brain_files import by_digest, find, keep_bytes, replace_bytes
from agents.training.brain_files import named as named_here
from agents.training.brains import to_bytes
from engine.errors import ZermeloError
from webapp.errors import RequestError
from webapp.jobs.models import KeptBrain
from webapp.jobs.rows import MAX_NAME_CHARS, OWNER, USAGE, brain_row, insert_once_sql
from webapp.storage.database import Database
from webapp.storage.tables import (
    BrainFileRow,
    BrainRow,
    ClassRoundRow,
    ClassSeatRow,
    JobPointRow,
    JobRow,
    MatchRow,
)

BRAIN_IN_SPEC = re.compile(r"brain=([0-9a-f]{32})")  # in a spec

_WHICH: BindParameter[str] = bindparam("which")
_LIKE: BindParameter[str] = bindparam("alike")
_COLUMNS = (
    BrainRow.name,
    BrainRow.digest,
    BrainRow.agent,
    BrainRow.game,
    BrainRow.size,
    BrainRow.facts,
    BrainRow.owner,
    BrainRow.job_id,
    BrainRow.id,
    BrainRow.created,
)


class UnknownBrainError(RequestError):
    """No such brain."""

    status = 404


class NotYourBrainError(RequestError):
    """A change by someone other than the owner."""

    status = 403


class BrainQuotaError(ZermeloError):
    """More bytes of brains than one visitor may keep."""


@dataclass(frozen=True, slots=True)
class OfferedBrain:
    """A brain to choose as a player."""

    agent: str
    spec: str
    name: str
    mine: bool  # else trained on this machine's command line, and open to everyone


class BrainStore:
    """Brains of visitors."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        written = database.written
        every = select(*_COLUMNS)
        self._find = written(every.where(BrainRow.id == _WHICH))
        self._mine = written(
            every.where(BrainRow.owner == OWNER)
            .order_by(BrainRow.created.desc(), BrainRow.id)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        self._for_game = written(
            every.where(BrainRow.owner == OWNER, BrainRow.game == bindparam("played"))
            .order_by(BrainRow.created.desc(), BrainRow.id)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        self._same = written(
            every.where(BrainRow.owner == OWNER, BrainRow.digest == bindparam("same"))
        )
        self._usage = written(USAGE)
        self._data = written(select(BrainFileRow.data).where(BrainFileRow.digest == _WHICH))
        self._there = written(
            select(BrainFileRow.digest)
            .join(JobPointRow, JobPointRow.digest == BrainFileRow.digest)
            .where(JobPointRow.job_id == _WHICH)
        )
        self._rename = written(
            update(BrainRow).values(name=bindparam("called")).where(BrainRow.id == _WHICH)
        )
        self._delete = written(delete(BrainRow).where(BrainRow.id == _WHICH))
        self._references = [
            written(select(BrainRow.id).where(BrainRow.digest == _WHICH)),
            written(select(JobPointRow.job_id).where(JobPointRow.digest == _WHICH)),
        ]
        self._mentions = [
            written(
                select(MatchRow.id).where(
                    or_(MatchRow.first.like(_LIKE), MatchRow.second.like(_LIKE))
                )
            ),
            written(select(JobRow.id).where(JobRow.parameters.like(_LIKE))),
            written(select(ClassSeatRow.class_id).where(ClassSeatRow.machine.like(_LIKE))),
            written(select(ClassRoundRow.class_id).where(ClassRoundRow.machine.like(_LIKE))),
        ]
        self._forget = written(delete(BrainFileRow).where(BrainFileRow.digest == _WHICH))
        self._add_file = insert_once_sql(database, BrainFileRow)
        self._add = insert_once_sql(database, BrainRow)

    def keep(
        self, owner: str, brain: KeptBrain, data: bytes, quota: int, job_id: str | None = None
    ) -> KeptBrain:
        """Store a brain under its name, once for each owner; raises BrainQuotaError."""
        with self.database.write_counted() as cursor:
            cursor.execute(self._usage, {"whose": owner})
            ((used,),) = cursor.fetchall()
            if int(used or 0) + len(data) > quota:
                raise quota_error(quota)
            file = {"digest": brain.digest, "data": data, "size": len(data)}
            cursor.execute(self._add_file, file | {"created": self._clock()})
            cursor.execute(self._add, brain_row(brain, owner, job_id, self._clock()))
            cursor.execute(self._same, {"whose": owner, "same": brain.digest})
            return _brain(cursor.fetchall()[0])

    def keep_file(self, digest: str, data: bytes) -> None:
        """Store the bytes only, for a match that is about to refer to them."""
        file = {"digest": digest, "data": data, "size": len(data), "created": self._clock()}
        with self.database.write() as cursor:
            cursor.execute(self._add_file, file)

    def find(self, brain_id: str) -> KeptBrain:
        """Raises UnknownBrainError."""
        rows: Sequence[Any] = ()
        if brain_id.isprintable():
            with self.database.read() as cursor:
                cursor.execute(self._find, {"which": brain_id})
                rows = cursor.fetchall()
        if not rows:
            raise UnknownBrainError("there is no such brain: its owner may have deleted it")
        return _brain(rows[0])

    def mine(self, owner: str, most: int, after: int = 0) -> tuple[KeptBrain, ...]:
        """Someone's brains, the newest first."""
        with self.database.read() as cursor:
            cursor.execute(self._mine, {"whose": owner, "most": most, "after": after})
            return tuple(map(_brain, cursor.fetchall()))

    def for_game(self, owner: str | None, game: str, most: int = 20) -> tuple[KeptBrain, ...]:
        """Someone's brains for one game, each made available to agents."""
        if owner is None:
            return ()
        with self.database.read() as cursor:
            asked = {"whose": owner, "played": game, "most": most, "after": 0}
            cursor.execute(self._for_game, asked)
            found = tuple(map(_brain, cursor.fetchall()))
        for brain in found:
            self.ensure(brain.spec)
        return found

    def offered(self, owner: str | None, game: str) -> tuple[OfferedBrain, ...]:
        """Someone's brains for one game, then those of this machine."""
        own = {brain.spec: brain for brain in self.for_game(owner, game)}
        here = (brain for brain in named_here() if brain.game == game and brain.spec not in own)
        return (
            *(OfferedBrain(each.agent, each.spec, each.name, mine=True) for each in own.values()),
            *(OfferedBrain(each.agent, each.spec, each.name, mine=False) for each in here),
        )

    def usage(self, owner: str) -> int:
        """Bytes of someone's brains, including the ancestors of their jobs."""
        with self.database.read() as cursor:
            cursor.execute(self._usage, {"whose": owner})
            return int(cursor.fetchall()[0][0] or 0)

    def check_room(self, owner: str, quota: int) -> None:
        """Raises BrainQuotaError if the quota is used up."""
        if self.usage(owner) >= quota:
            raise quota_error(quota)

    def data(self, digest: str) -> bytes | None:
        """The bytes of a brain, if stored."""
        with self.database.read() as cursor:
            cursor.execute(self._data, {"which": digest})
            row = cursor.fetchone()
            return None if row is None else bytes(row[0])

    def there(self, job_id: str) -> frozenset[str]:
        """Digests of a job's points whose bytes are stored."""
        with self.database.read() as cursor:
            cursor.execute(self._there, {"which": job_id})
            return frozenset(digest for (digest,) in cursor.fetchall())

    def ensure(self, spec: str) -> None:
        """Copy the brain of a spec to where agents of this machine find it, if stored."""
        named = BRAIN_IN_SPEC.search(spec)
        if named is None or (by_digest() / f"{named[1]}.npz").is_file():
            return
        if (data := self.data(named[1])) is not None:
            keep_bytes(named[1], data)
        elif any(brain.digest == named[1] for brain in named_here()):
            # Stored, so that jobs on other machines find it, even if its name is given to another.
            self.keep_file(named[1], to_bytes(find(named[1])))
            self.ensure(spec)

    def settle(self, digest: str) -> None:
        """See that the file of this machine is the one that is kept, whoever wrote it meanwhile."""
        if (data := self.data(digest)) is not None:
            replace_bytes(digest, data)

    def rename(self, brain_id: str, name: str) -> None:
        with self.database.write() as cursor:
            cursor.execute(self._rename, {"which": brain_id, "called": name[:MAX_NAME_CHARS]})

    def delete(self, brain: KeptBrain) -> None:
        """Delete the name, and the bytes if nothing else refers to them."""
        with self.database.write() as cursor:
            cursor.execute(self._delete, {"which": brain.id})
        self.sweep([brain.digest])

    def sweep(self, digests: Iterable[str]) -> None:
        """Delete the bytes that no brain, job, match or class refers to."""
        for digest in digests:
            with self.database.write_counted() as cursor:  # so that no reference is added meanwhile
                if self._is_referenced(cursor, digest):
                    continue
                cursor.execute(self._forget, {"which": digest})
            (by_digest() / f"{digest}.npz").unlink(missing_ok=True)

    def _is_referenced(self, cursor: Any, digest: str) -> bool:
        for statements, asked in (
            (self._references, {"which": digest}),
            (self._mentions, {"alike": f"%{digest}%"}),
        ):
            for statement in statements:
                cursor.execute(statement, asked)
                if cursor.fetchone() is not None:
                    return True
        return False


def quota_error(quota: int) -> BrainQuotaError:
    return BrainQuotaError(
        f"your brains take more than {quota >> 20} MB: delete some, or throw away a training"
    )


def _brain(row: Sequence[Any]) -> KeptBrain:
    name, digest, agent, game, size, facts, owner, job_id, brain_id, created = row
    return KeptBrain(
        name, digest, agent, game, size, json.loads(facts), owner, job_id, brain_id, created
    )
