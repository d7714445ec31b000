"""The store of classes and their rounds: its SQL, and the methods that run it.

Every change is one transaction that reads, decides and writes.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    bindparam,
    delete,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.classroom.models import (
    DAY_S,
    ClassRecord,
    ClassSession,
    NoFreeCodeError,
    Phase,
    RoundRecord,
    UnknownClassError,
)
from webapp.classroom.rules import close_expired_vote
from webapp.questions.models import Choice, Question, Truth
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper, spread, text
from webapp.storage.tables.classes import ClassRoundRow, ClassRow
from webapp.web.names import new_codes

CLASSES = RowMapper(ClassRecord, ClassRow, plan=text("plan", str, column="lesson"))
QUESTIONS = RowMapper(
    Question,
    ClassRoundRow,
    truth=text("truth", str, empty=""),
    moves=text("moves", lambda moves: tuple(moves.split()), " ".join),
    choices=text(
        "choices",
        lambda pairs: tuple(Choice(*each) for each in json.loads(pairs)),
        lambda choices: json.dumps([(choice.text, choice.claim) for choice in choices]),
        empty=(),
    ),
    machine=text("machine", str, empty=""),
)
ROUNDS = RowMapper(
    RoundRecord,
    ClassRoundRow,
    question=spread("question", QUESTIONS),
    truth=text("truth", Truth.from_json, Truth.to_json, column="ruling"),
)

# Parameters are not named after columns: an UPDATE would take them for new values.
CLASS_ID: BindParameter[str] = bindparam("wanted")
NOT_EXPIRED = ClassRow.ends > bindparam("now")
SELECT_CLASS = select(*CLASSES.columns).where(ClassRow.id == CLASS_ID, NOT_EXPIRED)
SELECT_CLASS_BY_CODE = select(*CLASSES.columns).where(
    ClassRow.code == bindparam("code"), NOT_EXPIRED
)
SELECT_CODE = select(ClassRow.id).where(ClassRow.code == bindparam("code"))
LOCK_CLASS = SELECT_CLASS.with_for_update()
LOCK_CLASS_BY_CODE = SELECT_CLASS_BY_CODE.with_for_update()
SELECT_TAUGHT = (
    select(*CLASSES.columns)
    .where(
        or_(ClassRow.owner == bindparam("player"), ClassRow.second == bindparam("player")),
        NOT_EXPIRED,
    )
    .order_by(ClassRow.created.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # else SQLite adds an unnamed parameter
)
SELECT_ROUND = select(*ROUNDS.columns).where(
    ClassRoundRow.class_id == CLASS_ID, ClassRoundRow.number == bindparam("number")
)
SELECT_ROUNDS = (
    select(*ROUNDS.columns).where(ClassRoundRow.class_id == CLASS_ID).order_by(ClassRoundRow.number)
)
IS_EXPIRED = ClassRow.ends <= bindparam("now")
SOME_EXPIRED = (
    select(ClassRow.id).where(IS_EXPIRED).limit(bindparam("most")).offset(bindparam("after"))
)
DELETE_EXPIRED = delete(ClassRow).where(ClassRow.id.in_(SOME_EXPIRED))
INSERT_CLASS, INSERT_ROUND = insert(ClassRow), insert(ClassRoundRow)
UPDATE_CLASS = update(ClassRow).where(ClassRow.id == CLASS_ID)
RAISE_VERSION = UPDATE_CLASS.values(version=ClassRow.version + literal_column("1"))
UPDATE_ROUND = update(ClassRoundRow).where(
    ClassRoundRow.class_id == CLASS_ID, ClassRoundRow.number == bindparam("which")
)


def unknown_class() -> UnknownClassError:
    return UnknownClassError("there is no such class: its code may be mistyped, or it has ended")


class ClassStore:
    """The store of classes and their rounds."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self.now = clock

    def begin(self, owner: str, plan: str | None = None) -> ClassRecord:
        """Create a class with an unguessable id and a short join code; raises NoFreeCodeError."""
        now = int(self.now())
        with self.database.write() as cursor:
            free = (code for code in new_codes() if not self._is_taken(cursor, code))
            if (code := next(free, None)) is None:
                raise NoFreeCodeError("there are too many classes just now: try again later")
            record = ClassRecord(
                id=secrets.token_urlsafe(12),
                owner=owner,
                key=secrets.token_urlsafe(16),
                code=code,
                label=code,
                plan=plan,
                created=now,
                ends=now + DAY_S,
            )
            self.database.run(cursor, INSERT_CLASS, CLASSES.write(record))
        return record

    def _is_taken(self, cursor: DBAPICursor, code: str) -> bool:
        """Also by a class that has ended and is not removed yet."""
        return self.database.run(cursor, SELECT_CODE, {"code": code}).fetchone() is not None

    def find(self, class_id: str) -> ClassSession:
        """Load a class by id; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self.load(cursor, SELECT_CLASS, wanted=class_id)

    def by_code(self, code: str) -> ClassSession:
        """Load a class by its join code; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self.load(cursor, SELECT_CLASS_BY_CODE, code=code)

    def taught_by(self, player: str, most: int = 20) -> tuple[ClassRecord, ...]:
        """A teacher's classes, newest first."""
        now = int(self.now())
        rows = self.database.fetch(SELECT_TAUGHT, player=player, now=now, most=most, after=0)
        return tuple(map(CLASSES.read, rows))

    def remove_ended(self, most: int) -> int:
        """Delete expired classes; returns how many."""
        with self.database.write() as cursor:
            values = {"now": int(self.now()), "most": most, "after": 0}
            return self.database.run(cursor, DELETE_EXPIRED, values).rowcount

    def change(self, class_id: str, decide: Callable[[ClassSession], ClassSession]) -> ClassSession:
        """Store what `decide` returns for the class; nothing changes if it raises."""
        with self.database.write() as cursor:
            stored = self._load_stored(cursor, LOCK_CLASS, wanted=class_id)
            before = close_expired_vote(stored, self.now())
            after = decide(before)
            if after == stored:
                return stored
            if _public_part(after) != _public_part(before):
                after = after.with_record(version=before.record.version + 1)
            self._save(cursor, stored, after)
            return after

    def rounds(self, class_id: str) -> tuple[RoundRecord, ...]:
        """All rounds of a class."""
        return tuple(map(ROUNDS.read, self.database.fetch(SELECT_ROUNDS, wanted=class_id)))

    def row(self, cursor: DBAPICursor, statement: ClauseElement, **values: Any) -> Any:
        """One row of an unexpired class; None if a parameter is not printable text."""
        if not all(str(value).isprintable() for value in values.values()):
            return None
        now = {"now": int(self.now())}
        return self.database.run(cursor, statement, values | now).fetchone()

    def load(self, cursor: DBAPICursor, statement: ClauseElement, **values: Any) -> ClassSession:
        """Load a class, with a vote past its deadline closed; raises UnknownClassError."""
        return close_expired_vote(self._load_stored(cursor, statement, **values), self.now())

    def _load_stored(
        self, cursor: DBAPICursor, statement: ClauseElement, **values: Any
    ) -> ClassSession:
        """Load a class as stored; raises UnknownClassError."""
        if (row := self.row(cursor, statement, **values)) is None:
            raise unknown_class()
        record = CLASSES.read(row)
        if not record.round:
            return ClassSession(record)
        key = {"wanted": record.id, "number": record.round}
        found = self.database.run(cursor, SELECT_ROUND, key).fetchone()
        return ClassSession(record, None if found is None else ROUNDS.read(found))

    def _save(self, cursor: DBAPICursor, before: ClassSession, after: ClassSession) -> None:
        class_id, columns = after.record.id, CLASSES.write(after.record)
        del columns["id"]
        self.database.run(cursor, UPDATE_CLASS, {"wanted": class_id} | columns)
        old, new = before.round, after.round
        if new is None or new == old:
            return
        if old is None or old.number != new.number:
            if old is not None and old.is_open:
                self._update_round(cursor, class_id, replace(old, phase=Phase.CLOSED))
            self.database.run(cursor, INSERT_ROUND, ROUNDS.write(new, class_id=class_id))
        else:
            self._update_round(cursor, class_id, new)

    def _update_round(self, cursor: DBAPICursor, class_id: str, changed: RoundRecord) -> None:
        columns = ROUNDS.write(changed)
        key = {"wanted": class_id, "which": columns.pop("number")}
        self.database.run(cursor, UPDATE_ROUND, key | columns)


def _public_part(session: ClassSession) -> ClassSession:
    """The part visible on phones and projector: without the truth before the reveal."""
    if session.round is None or session.round.phase is Phase.REVEALED:
        return session
    return session.with_round(truth=None)
