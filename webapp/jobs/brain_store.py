"""The store of brains: those that visitors named, and the bytes of all by digest.

The database is the truth; `ensure` copies a brain into the directory where `agents` looks for it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from time import time

from sqlalchemy import BindParameter, and_, bindparam, delete, func, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from agents.training.brain_files import by_digest, find, keep_bytes, replace_bytes
from agents.training.brain_files import named as named_here
from agents.training.brains import to_bytes
from engine.errors import ZermeloError
from webapp.config import JobSettings
from webapp.errors import RequestError
from webapp.jobs.models import KeptBrain
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables.assignments import AssignmentRow
from webapp.storage.tables.classes import ClassRoundRow, ClassSeatRow
from webapp.storage.tables.jobs import BrainFileRow, BrainRow, JobPointRow, JobRow
from webapp.storage.tables.matches import MatchRow

MAX_NAME_CHARS = 80
DAY_S = 24 * 3600
UNSEEN_S = 7 * DAY_S  # after which a brain goes that its owner never came back to
BRAIN_IN_SPEC = re.compile(r"brain=([0-9a-f]{32})")  # in a spec

BRAINS = RowMapper(KeptBrain, BrainRow)
OWNER: BindParameter[str] = bindparam("whose")
WHICH: BindParameter[str] = bindparam("which")
ALIKE: BindParameter[str] = bindparam("alike")

SELECT_BRAIN = select(*BRAINS.columns).where(BrainRow.id == WHICH)
OWN = select(*BRAINS.columns).where(BrainRow.owner == OWNER)
SELECT_SAME = OWN.where(BrainRow.digest == bindparam("same"))
SELECT_OWN = (
    OWN.order_by(BrainRow.created.desc(), BrainRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
SELECT_FOR_GAME = SELECT_OWN.where(BrainRow.game == bindparam("played"))
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
SELECT_DATA = select(BrainFileRow.data).where(BrainFileRow.digest == WHICH)
SELECT_STORED = (
    select(BrainFileRow.digest)
    .join(JobPointRow, JobPointRow.digest == BrainFileRow.digest)
    .where(JobPointRow.job_id == WHICH)
)
SUM_FILES = select(func.sum(BrainFileRow.size))
MARK_SEEN = (
    update(BrainRow)
    .values(seen=bindparam("now"))
    .where(BrainRow.owner == OWNER, or_(BrainRow.seen.is_(None), BrainRow.seen < bindparam("day")))
)
SELECT_FORGOTTEN = (
    select(*BRAINS.columns)
    .where(
        or_(
            BrainRow.seen < bindparam("before"),
            and_(BrainRow.seen.is_(None), BrainRow.created < bindparam("unseen")),
        )
    )
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
RENAME = update(BrainRow).values(name=bindparam("called")).where(BrainRow.id == WHICH)
DELETE_BRAIN = delete(BrainRow).where(BrainRow.id == WHICH)
DELETE_FILE = delete(BrainFileRow).where(BrainFileRow.digest == WHICH)
REFERENCES = (
    select(BrainRow.id).where(BrainRow.digest == WHICH),
    select(JobPointRow.job_id).where(JobPointRow.digest == WHICH),
)
MENTIONS = (
    select(MatchRow.id).where(or_(MatchRow.first.like(ALIKE), MatchRow.second.like(ALIKE))),
    select(JobRow.id).where(JobRow.parameters.like(ALIKE)),
    select(ClassSeatRow.class_id).where(ClassSeatRow.machine.like(ALIKE)),
    select(ClassRoundRow.class_id).where(ClassRoundRow.machine.like(ALIKE)),
    select(AssignmentRow.id).where(AssignmentRow.tasks.like(ALIKE)),
)


class UnknownBrainError(RequestError):
    """No such brain."""

    status = 404


class NotYourBrainError(RequestError):
    """A change by someone other than the owner."""

    status = 403


class BrainQuotaError(ZermeloError):
    """More bytes of brains than one visitor may keep."""


class FullBrainsError(RequestError):
    """More bytes of brains than all visitors may keep."""

    status = 503
    retry_after = 3600


@dataclass(frozen=True, slots=True)
class OfferedBrain:
    """A brain to choose as a player."""

    agent: str
    spec: str
    name: str
    mine: bool  # else trained on this machine's command line, and open to everyone


class BrainStore:
    """Brains of visitors, each with so many bytes of them, and all together with so many."""

    def __init__(
        self,
        database: Database,
        limits: JobSettings = JobSettings(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time,
    ) -> None:
        self.database = database
        self._quota = limits.brains_bytes  # for one visitor
        self._total = limits.all_brains_bytes
        self._keep_s = limits.keep_brains_days * DAY_S
        self._clock = clock
        self._add_file = database.insert(BrainFileRow).on_conflict_do_nothing()
        self._add = database.insert(BrainRow).on_conflict_do_nothing()

    def add(self, cursor: DBAPICursor, brain: KeptBrain) -> None:
        """Insert a brain under its name, unless its owner has it; in the caller's transaction."""
        named = replace(
            brain,
            id=secrets.token_urlsafe(16),
            name=brain.name[:MAX_NAME_CHARS],
            created=self._clock(),
        )
        self.database.run(cursor, self._add, BRAINS.write(named))

    def add_file(self, cursor: DBAPICursor, digest: str, data: bytes) -> None:
        """Insert the bytes of a brain, unless they are there; in the caller's transaction."""
        row = {"digest": digest, "data": data, "size": len(data), "created": self._clock()}
        self.database.run(cursor, self._add_file, row)

    def has_room(self, cursor: DBAPICursor, owner: str, data: bytes) -> bool:
        """Whether these bytes are within both bounds; in the caller's transaction."""
        ((used,),) = self.database.run(cursor, USAGE, {"whose": owner}).fetchall()
        return int(used or 0) + len(data) <= self._quota and self._all_have_room(cursor, data)

    def _all_have_room(self, cursor: DBAPICursor, data: bytes) -> bool:
        ((used,),) = self.database.run(cursor, SUM_FILES).fetchall()
        return int(used or 0) + len(data) <= self._total

    def keep(
        self, owner: str, brain: KeptBrain, data: bytes, job_id: str | None = None
    ) -> KeptBrain:
        """Store a brain under its name, once for each owner.

        Raises BrainQuotaError and FullBrainsError.
        """
        with self.database.write_counted() as cursor:
            if not self._all_have_room(cursor, data):
                raise FullBrainsError("this server keeps no more brains just now: try again later")
            if not self.has_room(cursor, owner, data):
                raise self._quota_error()
            self.add_file(cursor, brain.digest, data)
            self.add(cursor, replace(brain, owner=owner, job_id=job_id))
            same = {"whose": owner, "same": brain.digest}
            return BRAINS.read(self.database.run(cursor, SELECT_SAME, same).fetchall()[0])

    def keep_file(self, digest: str, data: bytes) -> None:
        """Store the bytes only, for a match that is about to refer to them."""
        with self.database.write() as cursor:
            self.add_file(cursor, digest, data)

    def find(self, brain_id: str) -> KeptBrain:
        """Raises UnknownBrainError."""
        printable = brain_id.isprintable()
        rows = self.database.fetch(SELECT_BRAIN, which=brain_id) if printable else ()
        if not rows:
            raise UnknownBrainError("there is no such brain: its owner may have deleted it")
        return BRAINS.read(rows[0])

    def mine(self, owner: str, most: int, after: int = 0) -> tuple[KeptBrain, ...]:
        """Someone's brains, the newest first."""
        rows = self.database.fetch(SELECT_OWN, whose=owner, most=most, after=after)
        return tuple(map(BRAINS.read, rows))

    def for_game(self, owner: str | None, game: str, most: int = 20) -> tuple[KeptBrain, ...]:
        """Someone's brains for one game, each made available to agents."""
        if owner is None or not game.isprintable():  # PostgreSQL refuses a NUL in a text
            return ()
        rows = self.database.fetch(SELECT_FOR_GAME, whose=owner, played=game, most=most, after=0)
        found = tuple(map(BRAINS.read, rows))
        for brain in found:
            self.ensure(brain.spec)
        self.owner_came(owner, found)
        return found

    def owner_came(self, owner: str, shown: Iterable[KeptBrain]) -> None:
        """Note that an owner came back to these, so that they are kept; written once a day."""
        now = self._clock()
        if any(brain.seen is None or brain.seen < now - DAY_S for brain in shown):
            with self.database.write() as cursor:
                values = {"whose": owner, "now": now, "day": now - DAY_S}
                self.database.run(cursor, MARK_SEEN, values)

    def remove_forgotten(self, most: int) -> int:
        """Delete brains that nobody came back to; returns how many."""
        now = self._clock()
        before = {"before": now - self._keep_s, "unseen": now - min(self._keep_s, UNSEEN_S)}
        rows = self.database.fetch(SELECT_FORGOTTEN, **before, most=most, after=0)
        for brain in map(BRAINS.read, rows):
            self.delete(brain)
        return len(rows)

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
        return int(self.database.fetch(USAGE, whose=owner)[0][0] or 0)

    def check_room(self, owner: str) -> None:
        """Raises BrainQuotaError if the quota is used up."""
        if self.usage(owner) >= self._quota:
            raise self._quota_error()

    def data(self, digest: str) -> bytes | None:
        """The bytes of a brain, if stored."""
        rows = self.database.fetch(SELECT_DATA, which=digest)
        return bytes(rows[0][0]) if rows else None

    def there(self, job_id: str) -> frozenset[str]:
        """Digests of a job's points whose bytes are stored."""
        return frozenset(digest for (digest,) in self.database.fetch(SELECT_STORED, which=job_id))

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
            values = {"which": brain_id, "called": name[:MAX_NAME_CHARS]}
            self.database.run(cursor, RENAME, values)

    def delete(self, brain: KeptBrain) -> None:
        """Delete the name, and the bytes if nothing else refers to them."""
        with self.database.write() as cursor:
            self.database.run(cursor, DELETE_BRAIN, {"which": brain.id})
        self.sweep([brain.digest])

    def sweep(self, digests: Iterable[str]) -> None:
        """Delete the bytes that no brain, job, match, class or assignment refers to."""
        for digest in digests:
            with self.database.write_counted() as cursor:  # so that no reference is added meanwhile
                if self._is_referenced(cursor, digest):
                    continue
                self.database.run(cursor, DELETE_FILE, {"which": digest})
            (by_digest() / f"{digest}.npz").unlink(missing_ok=True)

    def _is_referenced(self, cursor: DBAPICursor, digest: str) -> bool:
        asked = [(statement, {"which": digest}) for statement in REFERENCES]
        asked += [(statement, {"alike": f"%{digest}%"}) for statement in MENTIONS]
        return any(self.database.run(cursor, *each).fetchone() is not None for each in asked)

    def _quota_error(self) -> BrainQuotaError:
        size = f"{self._quota >> 20} MB"
        return BrainQuotaError(
            f"your brains take more than {size}: delete some, or throw away a training"
        )
