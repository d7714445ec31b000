"""Store of classes, seats, rounds and answers (SQL in `rows`).

Every change is one transaction that reads, decides and writes.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from threading import Event, Thread
from time import time
from typing import Any

from sqlalchemy import insert
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError
from webapp.classroom import rows
from webapp.classroom.models import (
    DAY_S,
    PRESENT_S,
    AnswerRecord,
    ClassRecord,
    ClassSession,
    NotYourClassError,
    Phase,
    RoundRecord,
    SeatRecord,
    Turnout,
    UnknownClassError,
)
from webapp.classroom.names import generate_name, new_code
from webapp.classroom.rules import close_expired_vote, is_past_deadline
from webapp.storage.database import Database
from webapp.storage.tables import ClassAnswerRow, ClassRoundRow, ClassRow, ClassSeatRow

MAX_SEATS = 400
CLEANUP_INTERVAL_S = 3600.0  # queries skip expired classes in the meantime

log = logging.getLogger(__name__)


class ClassReader:
    """Reads a class with its round; base of the stores below."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        written = database.written
        self._select_class = written(rows.SELECT_CLASS)
        self._select_by_code = written(rows.SELECT_CLASS_BY_CODE)
        self._lock_class = written(rows.SELECT_CLASS.with_for_update())
        self._lock_by_code = written(rows.SELECT_CLASS_BY_CODE.with_for_update())
        self._select_round = written(rows.SELECT_ROUND)
        self._select_seat = written(rows.SELECT_SEAT)
        self._select_seats = written(rows.SELECT_SEATS)
        self._raise_version = written(rows.RAISE_VERSION)

    def find(self, class_id: str) -> ClassSession:
        """Load a class by id; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self._load(cursor, self._row(cursor, self._select_class, {"wanted": class_id}))

    def by_code(self, code: str) -> ClassSession:
        """Load a class by its join code; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self._load(cursor, self._row(cursor, self._select_by_code, {"code": code}))

    def _row(self, cursor: DBAPICursor, sql: str, params: Mapping[str, Any]) -> Any:
        """One row of an unexpired class; None if a parameter is not printable text."""
        if not all(str(value).isprintable() for value in params.values()):
            return None
        cursor.execute(sql, {**params, "now": int(self._clock())})
        return cursor.fetchone()

    def _load(self, cursor: DBAPICursor, row: Any) -> ClassSession:
        """Load a class, with a vote past its deadline closed."""
        return close_expired_vote(self._load_stored(cursor, row), self._clock())

    def _load_stored(self, cursor: DBAPICursor, row: Any) -> ClassSession:
        """Load a class as stored; raises UnknownClassError."""
        if row is None:
            raise unknown_class()
        record = rows.class_from_row(row)
        if not record.round:
            return ClassSession(record)
        cursor.execute(self._select_round, {"wanted": record.id, "number": record.round})
        found = cursor.fetchone()
        return ClassSession(record, None if found is None else rows.round_from_row(found))


def unknown_class() -> UnknownClassError:
    return UnknownClassError("there is no such class: its code may be mistyped, or it has ended")


@dataclass(frozen=True, slots=True)
class PollResult:
    """Answer to a phone's poll: the class's version and the student's seat."""

    class_id: str
    version: int
    seat: int | None
    removed: bool


class SeatStore(ClassReader):
    """Seats of classes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._select_poll = written(rows.SELECT_POLL)
        self._insert_seat = written(insert(ClassSeatRow))
        self._update_seen = written(rows.UPDATE_SEAT, "seen")
        self._update_removed = written(rows.UPDATE_SEAT, "removed")
        self._update_name = written(rows.UPDATE_SEAT, "name")
        self._update_machine = written(rows.UPDATE_SEAT, "machine")

    def pulse(self, code: str, player: str | None) -> PollResult:
        """Poll a class in one query; raises UnknownClassError."""
        row = None
        with self.database.read() as cursor:
            row = self._row(cursor, self._select_poll, {"code": code, "player": player or ""})
        if row is None:
            raise unknown_class()
        class_id, version, seat, removed, phase, deadline = row
        version += is_past_deadline(phase, deadline, self._clock())
        return PollResult(class_id, version, seat, bool(removed))

    def sit(self, code: str, player: str) -> SeatRecord:
        """The player's seat; a new one with a generated name on first join."""
        now = int(self._clock())
        with self.database.write() as cursor:
            session = self._load(cursor, self._row(cursor, self._lock_by_code, {"code": code}))
            wanted = {"wanted": session.record.id}
            cursor.execute(self._select_seat, wanted | {"player": player})
            row = cursor.fetchone()
            if row is not None:
                return rows.seat_from_row(row)
            cursor.execute(self._select_seats, wanted)
            others = [rows.seat_from_row(found) for found in cursor.fetchall()]
            if len(others) >= MAX_SEATS:
                raise NotYourClassError(f"this class is full: it has {MAX_SEATS} seats")
            name = generate_name({other.name for other in others})
            seat = SeatRecord(len(others) + 1, player, name, joined=now, seen=now)
            cursor.execute(self._insert_seat, {"class_id": session.record.id} | asdict(seat))
            return seat

    def seat_of(self, class_id: str, player: str | None) -> SeatRecord | None:
        """The player's seat, or None."""
        if player is None:
            return None
        with self.database.read() as cursor:
            cursor.execute(self._select_seat, {"wanted": class_id, "player": player})
            row = cursor.fetchone()
            return None if row is None else rows.seat_from_row(row)

    def seats(self, class_id: str) -> tuple[SeatRecord, ...]:
        """All seats, removed ones included."""
        with self.database.read() as cursor:
            cursor.execute(self._select_seats, {"wanted": class_id})
            return tuple(rows.seat_from_row(row) for row in cursor.fetchall())

    def saw(self, seen: Mapping[tuple[str, int], int]) -> None:
        """Store when students' phones last polled, in one transaction."""
        with self.database.write() as cursor:
            for (class_id, number), at in seen.items():
                cursor.execute(self._update_seen, {"wanted": class_id, "which": number, "seen": at})

    def remove_seat(self, class_id: str, number: int, *, removed: bool) -> None:
        """Remove a student from the class or let them in again."""
        with self.database.write() as cursor:
            values = {"wanted": class_id, "which": number, "removed": removed}
            cursor.execute(self._update_removed, values)
            cursor.execute(self._raise_version, {"wanted": class_id})

    def rename(self, class_id: str, number: int, name: str) -> None:
        """Rename a student; raises NotYourClassError for a name in use.

        Renames of one class are serialised: two students may choose the same name at once.
        """
        with self.database.write() as cursor:
            self._row(cursor, self._lock_class, {"wanted": class_id})
            cursor.execute(self._select_seats, {"wanted": class_id})
            others = [rows.seat_from_row(row) for row in cursor.fetchall()]
            if any(seat.name == name and seat.number != number for seat in others):
                raise NotYourClassError("someone here has that name already")
            cursor.execute(self._update_name, {"wanted": class_id, "which": number, "name": name})
            cursor.execute(self._raise_version, {"wanted": class_id})

    def enter(self, class_id: str, number: int, machine: str | None) -> None:
        """Store the machine a student enters in the cup."""
        with self.database.write() as cursor:
            values = {"wanted": class_id, "which": number, "machine": machine}
            cursor.execute(self._update_machine, values)
            cursor.execute(self._raise_version, {"wanted": class_id})


class AnswerStore(ClassReader):
    """Answers in classes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._select_answers = written(rows.SELECT_ANSWERS)
        self._select_round_answers = written(rows.SELECT_ROUND_ANSWERS)
        self._select_seat_answers = written(rows.SELECT_SEAT_ANSWERS)
        self._count_answers = written(rows.COUNT_ANSWERS)
        self._count_present = written(rows.COUNT_PRESENT)
        self._insert_answer = written(insert(ClassAnswerRow))
        self._update_answer = written(rows.UPDATE_ANSWER, "answer", "hidden", "given")
        self._update_hidden = written(rows.UPDATE_HIDDEN, "hidden")

    def answer(
        self,
        code: str,
        player: str,
        accept: Callable[[ClassSession, SeatRecord | None], AnswerRecord],
    ) -> AnswerRecord:
        """Store what `accept` returns, in the transaction that checks whether the vote is open.

        A later answer of the same student in the same vote replaces the earlier one.
        """
        now = int(self._clock())
        with self.database.write() as cursor:
            row = self._row(cursor, self._lock_by_code, {"code": code})
            session = self._load(cursor, row)
            wanted = {"wanted": session.record.id}
            cursor.execute(self._select_seat, wanted | {"player": player})
            found = cursor.fetchone()
            answer = replace(
                accept(session, None if found is None else rows.seat_from_row(found)), given=now
            )
            key = {"number": answer.round, "ballot": answer.vote, "place": answer.seat}
            values = {"answer": answer.answer, "hidden": False, "given": now}
            cursor.execute(self._update_answer, wanted | key | values)
            if not cursor.rowcount:
                cursor.execute(
                    self._insert_answer, {"class_id": session.record.id} | asdict(answer)
                )
            return answer

    def own_answers(self, class_id: str, number: int, seat: int) -> tuple[AnswerRecord, ...]:
        """One student's answers in a round."""
        with self.database.read() as cursor:
            cursor.execute(
                self._select_seat_answers, {"wanted": class_id, "number": number, "place": seat}
            )
            return tuple(rows.answer_from_row(row) for row in cursor.fetchall())

    def answers(self, class_id: str, number: int | None = None) -> tuple[AnswerRecord, ...]:
        """All answers of a round, or of the class."""
        with self.database.read() as cursor:
            if number is None:
                cursor.execute(self._select_answers, {"wanted": class_id})
            else:
                cursor.execute(self._select_round_answers, {"wanted": class_id, "number": number})
            return tuple(rows.answer_from_row(row) for row in cursor.fetchall())

    def hide(self, class_id: str, number: int, answer: str, *, hidden: bool) -> None:
        """Hide an answer from the projector, or show it again."""
        with self.database.write() as cursor:
            values = {"wanted": class_id, "number": number, "said": answer, "hidden": hidden}
            cursor.execute(self._update_hidden, values)
            cursor.execute(self._raise_version, {"wanted": class_id})

    def turnout(self, class_id: str, number: int, vote: int) -> Turnout:
        """Count students present and answers given in a vote."""
        since = int(self._clock()) - PRESENT_S
        ballot = {"wanted": class_id, "number": number, "ballot": vote}
        with self.database.read() as cursor:
            cursor.execute(self._count_answers, ballot)
            answered = int(cursor.fetchall()[0][0])
            cursor.execute(self._count_present, ballot | {"since": since})
            return Turnout(answered, int(cursor.fetchall()[0][0]))


class ClassStore(SeatStore, AnswerStore):
    """The store of classes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._select_taught = written(rows.SELECT_TAUGHT)
        self._select_rounds = written(rows.SELECT_ROUNDS)
        self._insert_class = written(insert(ClassRow))
        self._update_class = written(rows.UPDATE_CLASS, *rows.CLASS_COLUMNS[1:])
        self._insert_round = written(insert(ClassRoundRow))
        self._update_round = written(rows.UPDATE_ROUND, *rows.ROUND_COLUMNS[2:])
        self._delete_expired = written(rows.DELETE_EXPIRED)

    def begin(self, owner: str) -> ClassRecord:
        """Create a class with an unguessable id and a short join code.

        Expired classes are deleted on the way.
        """
        now = int(self._clock())
        with self.database.write() as cursor:
            cursor.execute(self._delete_expired, {"now": now})
            code = new_code()
            while self._row(cursor, self._select_by_code, {"code": code}) is not None:
                code = new_code()
            record = ClassRecord(
                id=secrets.token_urlsafe(12),
                owner=owner,
                key=secrets.token_urlsafe(16),
                code=code,
                created=now,
                ends=now + DAY_S,
            )
            cursor.execute(self._insert_class, rows.class_to_row(record))
        return record

    def remove_ended(self) -> int:
        """Delete expired classes; returns how many."""
        with self.database.write() as cursor:
            cursor.execute(self._delete_expired, {"now": int(self._clock())})
            return cursor.rowcount

    def taught_by(self, player: str, most: int = 20) -> tuple[ClassRecord, ...]:
        """A teacher's classes, newest first."""
        params = {"player": player, "now": int(self._clock()), "most": most, "after": 0}
        with self.database.read() as cursor:
            cursor.execute(self._select_taught, params)
            return tuple(rows.class_from_row(row) for row in cursor.fetchall())

    def change(self, class_id: str, decide: Callable[[ClassSession], ClassSession]) -> ClassSession:
        """Store what `decide` returns for the class; nothing changes if it raises."""
        with self.database.write() as cursor:
            row = self._row(cursor, self._lock_class, {"wanted": class_id})
            stored = self._load_stored(cursor, row)
            before = close_expired_vote(stored, self._clock())
            after = decide(before)
            if after == stored:
                return stored
            if _public_part(after) != _public_part(before):
                version = before.record.version + 1
                after = replace(after, record=replace(after.record, version=version))
            self._save(cursor, stored, after)
            return after

    def rounds(self, class_id: str) -> tuple[RoundRecord, ...]:
        """All rounds of a class."""
        with self.database.read() as cursor:
            cursor.execute(self._select_rounds, {"wanted": class_id})
            return tuple(rows.round_from_row(row) for row in cursor.fetchall())

    def _save(self, cursor: DBAPICursor, before: ClassSession, after: ClassSession) -> None:
        record = rows.class_to_row(after.record)
        cursor.execute(self._update_class, {"wanted": record.pop("id")} | record)
        if after.round is None or after.round == before.round:
            return
        row = {"class_id": after.record.id} | rows.round_to_row(after.round)
        if before.round is None or before.round.number != after.round.number:
            if before.round is not None and before.round.is_open:
                self._write_round(cursor, before, replace(before.round, phase=Phase.CLOSED))
            cursor.execute(self._insert_round, row)
        else:
            self._write_round(cursor, after, after.round)

    def _write_round(
        self, cursor: DBAPICursor, session: ClassSession, written: RoundRecord
    ) -> None:
        values = {"wanted": session.record.id, "which": written.number}
        columns = rows.round_to_row(written)
        columns.pop("number")
        cursor.execute(self._update_round, values | columns)


def _public_part(session: ClassSession) -> ClassSession:
    """The part visible on phones and projector: without the truth before the reveal."""
    current = session.round
    if current is None or current.phase is Phase.REVEALED:
        return session
    return replace(session, round=replace(current, truth=None))


def start_cleanup(store: ClassStore, ended: Event) -> None:
    """Start a daemon thread that deletes expired classes until `ended` is set."""
    Thread(target=_delete_expired_classes, args=(store, ended), name="classes", daemon=True).start()


def _delete_expired_classes(store: ClassStore, ended: Event) -> None:
    while not ended.wait(CLEANUP_INTERVAL_S):
        try:
            store.remove_ended()
        except (SQLAlchemyError, ZermeloError) as error:
            log.warning("classes that have ended could not be removed now: %s", error)
