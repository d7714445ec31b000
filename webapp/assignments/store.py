"""The store of assignments: its SQL, and the methods that run it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from time import time
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.assignments.models import (
    DAY_S,
    KEPT_DAYS,
    AssignmentRecord,
    ManyAssignmentsError,
    SeatRecord,
    UnknownAssignmentError,
)
from webapp.questions.assignments import Task
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper, from_json, text
from webapp.storage.tables.assignments import (
    AssignmentRow,
    AssignmentSeatRow,
)
from webapp.web.names import CODE_LETTERS

CODE_CHARS = 5  # a class's has four
CODE_TRIES = 30
MAX_EACH = 60  # assignments of one teacher
RECORDS = RowMapper(
    AssignmentRecord,
    AssignmentRow,
    tasks=text(
        "tasks",
        lambda told: tuple(from_json(Task, each) for each in json.loads(told)),
        lambda tasks: json.dumps([asdict(task) for task in tasks]),
    ),
)
SEATS = RowMapper(SeatRecord, AssignmentSeatRow)
# Parameters are not named after columns: an UPDATE would take them for new values.
ID: BindParameter[str] = bindparam("wanted")
NOT_EXPIRED = AssignmentRow.ends > bindparam("now")
FIND = select(*RECORDS.columns).where(AssignmentRow.id == ID, NOT_EXPIRED)
BY_CODE = select(*RECORDS.columns).where(AssignmentRow.code == ID, NOT_EXPIRED)
LOCK_BY_CODE = BY_CODE.with_for_update()
IS_TAKEN = select(AssignmentRow.id).where(AssignmentRow.code == ID)
OWNED = (
    select(*RECORDS.columns)
    .where(or_(AssignmentRow.owner == ID, AssignmentRow.second == ID), NOT_EXPIRED)
    .order_by(AssignmentRow.created.desc(), AssignmentRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # else SQLite adds an unnamed parameter
)
COUNT_OWNED = select(func.count()).where(AssignmentRow.owner == ID)
SOME_EXPIRED = (
    select(AssignmentRow.id)
    .where(AssignmentRow.ends <= bindparam("now"))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_EXPIRED = delete(AssignmentRow).where(AssignmentRow.id.in_(SOME_EXPIRED))
DELETE = delete(AssignmentRow).where(AssignmentRow.id == ID)
UPDATE = update(AssignmentRow).where(AssignmentRow.id == ID)
INSERT, INSERT_SEAT = insert(AssignmentRow), insert(AssignmentSeatRow)


def unknown_assignment() -> UnknownAssignmentError:
    why = "there is no such assignment: its code may be mistyped, or it was deleted"
    return UnknownAssignmentError(why)


class AssignmentStore:
    """The store of assignments."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self.now = clock

    def make(self, record: AssignmentRecord, names: Sequence[str] = ()) -> AssignmentRecord:
        """Store a new one under an unguessable id, with a seat for each name of the list.

        Raises ManyAssignmentsError.
        """
        now = int(self.now())
        with self.database.write_counted() as cursor:
            owned = {"wanted": record.owner}
            ((count,),) = self.database.run(cursor, COUNT_OWNED, owned).fetchall()
            if count >= MAX_EACH:
                why = f"you have {MAX_EACH} assignments: delete one of them first"
                raise ManyAssignmentsError(why)
            made = replace(
                record,
                id=secrets.token_urlsafe(12),
                key=secrets.token_urlsafe(16),
                code=self._free_code(cursor),
                listed=bool(names),
                created=now,
                ends=max(record.due or now, now) + KEPT_DAYS * DAY_S,
            )
            self.database.run(cursor, INSERT, RECORDS.write(made))
            for number, name in enumerate(names, start=1):
                self.add_seat(cursor, made.id, SeatRecord(number, name, new_key()))
        return made

    def _free_code(self, cursor: DBAPICursor) -> str:
        for _ in range(CODE_TRIES):
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
            if self.database.run(cursor, IS_TAKEN, {"wanted": code}).fetchone() is None:
                return code
        raise ManyAssignmentsError("there are too many assignments just now: try again later")

    def find(self, assignment_id: str) -> AssignmentRecord:
        """An assignment by its id; raises UnknownAssignmentError."""
        with self.database.read() as cursor:
            return self.load(cursor, FIND, assignment_id)

    def by_code(self, code: str) -> AssignmentRecord:
        """An assignment by its code; raises UnknownAssignmentError."""
        with self.database.read() as cursor:
            return self.load(cursor, BY_CODE, code)

    def owned_by(self, player: str, most: int = MAX_EACH) -> tuple[AssignmentRecord, ...]:
        """A teacher's assignments, newest first."""
        values = {"wanted": player, "now": int(self.now()), "most": most, "after": 0}
        return tuple(map(RECORDS.read, self.database.fetch(OWNED, **values)))

    def change(self, assignment_id: str, **values: Any) -> None:
        """Change columns: its second teacher, its link, whether it is closed."""
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE, {"wanted": assignment_id} | values)

    def delete(self, assignment_id: str) -> None:
        """Delete an assignment with all that was tried; the matches stay."""
        with self.database.write() as cursor:
            self.database.run(cursor, DELETE, {"wanted": assignment_id})

    def remove_ended(self, most: int) -> int:
        """Delete those that have expired; returns how many."""
        with self.database.write() as cursor:
            values = {"now": int(self.now()), "most": most, "after": 0}
            return self.database.run(cursor, DELETE_EXPIRED, values).rowcount

    def load(self, cursor: DBAPICursor, statement: Any, wanted: str) -> AssignmentRecord:
        row = None
        if wanted.isprintable():  # PostgreSQL refuses a NUL in a text
            values = {"wanted": wanted, "now": int(self.now())}
            row = self.database.run(cursor, statement, values).fetchone()
        if row is None:
            raise unknown_assignment()
        return RECORDS.read(row)

    def add_seat(self, cursor: DBAPICursor, assignment_id: str, seat: SeatRecord) -> None:
        row = SEATS.write(seat, assignment_id=assignment_id, folded=seat.name.casefold())
        self.database.run(cursor, INSERT_SEAT, row)


def new_key() -> str:
    return secrets.token_urlsafe(12)
