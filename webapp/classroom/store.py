"""Everything that is asked of the database about classes (the SQL of it: `statements`)."""

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
from webapp.classroom.models import (
    A_DAY,
    HERE,
    AnswerRecord,
    ClassRecord,
    NotYourClassError,
    Phase,
    Room,
    RoundRecord,
    SeatRecord,
    Turnout,
    UnknownClassError,
)
from webapp.classroom.names import made_up_name, new_code
from webapp.classroom.rows import (
    A_ROUND,
    A_SEAT,
    ANSWERED,
    ANSWERS,
    BY_CODE,
    CLASS,
    FIND,
    GONE,
    HIDE,
    OF_ROUND,
    OWN,
    PRESENT,
    PULSE,
    ROUND,
    ROUNDS,
    SEATS,
    TAUGHT,
    THIS,
    THIS_ANSWER,
    THIS_ROUND,
    THIS_SEAT,
    TOUCH,
    answer_in,
    class_columns,
    class_in,
    round_columns,
    round_in,
    seat_in,
)
from webapp.classroom.rules import has_lapsed, lapsed
from webapp.storage.database import Database
from webapp.storage.tables import ClassAnswerRow, ClassRoundRow, ClassRow, ClassSeatRow


class ClassRooms:
    """What every part of the store begins with: the class, as one transaction sees it."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        written = database.written
        self._find, self._by_code = written(FIND), written(BY_CODE)
        self._find_to_change = written(FIND.with_for_update())
        self._by_code_to_change = written(BY_CODE.with_for_update())
        self._a_round = written(A_ROUND)
        self._a_seat, self._seats = written(A_SEAT), written(SEATS)
        self._touch = written(TOUCH)

    def find(self, class_id: str) -> Room:
        """The class and its round as they stand; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self._room(cursor, self._row(cursor, self._find, {"wanted": class_id}))

    def by_code(self, code: str) -> Room:
        """The same by the code on the screen."""
        with self.database.read() as cursor:
            return self._room(cursor, self._row(cursor, self._by_code, {"code": code}))

    def _row(self, cursor: DBAPICursor, sql: str, asked: Mapping[str, Any]) -> Any:
        """One row of a class that has not ended; None for a text no database would take."""
        if not all(str(value).isprintable() for value in asked.values()):
            return None
        cursor.execute(sql, {**asked, "now": int(self._clock())})
        return cursor.fetchone()

    def _room(self, cursor: DBAPICursor, row: Any) -> Room:
        """The class by the clock: a vote whose time is over is closed."""
        return lapsed(self._stored(cursor, row), self._clock())

    def _stored(self, cursor: DBAPICursor, row: Any) -> Room:
        """The class as its rows have it; raises UnknownClassError."""
        if row is None:
            raise unknown()
        record = class_in(row)
        if not record.round:
            return Room(record)
        cursor.execute(self._a_round, {"wanted": record.id, "number": record.round})
        found = cursor.fetchone()
        return Room(record, None if found is None else round_in(found))


def unknown() -> UnknownClassError:
    """What to say to whoever comes to no class."""
    return UnknownClassError("there is no such class: its code may be mistyped, or it has ended")


MOST_SEATS = 400


@dataclass(frozen=True, slots=True)
class ClassPulse:
    """All that a phone has to know: whether anything changed, and who it is."""

    class_id: str
    version: int
    seat: int | None
    removed: bool


class ClassSeats(ClassRooms):
    """The seats of classes, kept."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._pulse = written(PULSE)
        self._add_seat = written(insert(ClassSeatRow))
        self._saw = written(THIS_SEAT, "seen")
        self._removes = written(THIS_SEAT, "removed")
        self._names = written(THIS_SEAT, "name")
        self._enters = written(THIS_SEAT, "machine")

    def pulse(self, code: str, player: str | None) -> ClassPulse:
        """What a phone asks every other second, in one look; raises UnknownClassError."""
        row = None
        with self.database.read() as cursor:
            row = self._row(cursor, self._pulse, {"code": code, "player": player or ""})
        if row is None:
            raise unknown()
        class_id, version, seat, removed, phase, deadline = row
        version += has_lapsed(phase, deadline, self._clock())
        return ClassPulse(class_id, version, seat, bool(removed))

    def sit(self, code: str, player: str) -> SeatRecord:
        """The seat of this player, a new one under a made-up name for whoever comes first."""
        now = int(self._clock())
        with self.database.write() as cursor:
            room = self._room(cursor, self._row(cursor, self._by_code_to_change, {"code": code}))
            wanted = {"wanted": room.record.id}
            cursor.execute(self._a_seat, wanted | {"player": player})
            row = cursor.fetchone()
            if row is not None:
                return seat_in(row)
            cursor.execute(self._seats, wanted)
            others = [seat_in(found) for found in cursor.fetchall()]
            if len(others) >= MOST_SEATS:
                raise NotYourClassError(f"this class is full: it has {MOST_SEATS} seats")
            name = made_up_name({other.name for other in others})
            seat = SeatRecord(len(others) + 1, player, name, joined=now, seen=now)
            cursor.execute(self._add_seat, {"class_id": room.record.id} | asdict(seat))
            return seat

    def seat_of(self, class_id: str, player: str | None) -> SeatRecord | None:
        """Where this player sits, if anywhere."""
        if player is None:
            return None
        with self.database.read() as cursor:
            cursor.execute(self._a_seat, {"wanted": class_id, "player": player})
            row = cursor.fetchone()
            return None if row is None else seat_in(row)

    def seats(self, class_id: str) -> tuple[SeatRecord, ...]:
        """All of them, those removed included."""
        with self.database.read() as cursor:
            cursor.execute(self._seats, {"wanted": class_id})
            return tuple(seat_in(row) for row in cursor.fetchall())

    def saw(self, seen: Mapping[tuple[str, int], int]) -> None:
        """Write down which students' phones asked when, all at once."""
        with self.database.write() as cursor:
            for (class_id, number), at in seen.items():
                cursor.execute(self._saw, {"wanted": class_id, "which": number, "seen": at})

    def remove_seat(self, class_id: str, number: int, *, removed: bool) -> None:
        """A student is sent out, or let in again; what they said is no longer counted."""
        with self.database.write() as cursor:
            told = {"wanted": class_id, "which": number, "removed": removed}
            cursor.execute(self._removes, told)
            cursor.execute(self._touch, {"wanted": class_id})

    def rename(self, class_id: str, number: int, name: str) -> None:
        """What a student wants to be called; raises NotYourClassError for a name that is taken.

        Renames of one class are serialised: two students may choose the same name at once.
        """
        with self.database.write() as cursor:
            self._row(cursor, self._find_to_change, {"wanted": class_id})
            cursor.execute(self._seats, {"wanted": class_id})
            others = [seat_in(row) for row in cursor.fetchall()]
            if any(seat.name == name and seat.number != number for seat in others):
                raise NotYourClassError("someone here has that name already")
            cursor.execute(self._names, {"wanted": class_id, "which": number, "name": name})
            cursor.execute(self._touch, {"wanted": class_id})

    def enter(self, class_id: str, number: int, machine: str | None) -> None:
        """What a student sends into the cup."""
        with self.database.write() as cursor:
            told = {"wanted": class_id, "which": number, "machine": machine}
            cursor.execute(self._enters, told)
            cursor.execute(self._touch, {"wanted": class_id})


class ClassBallots(ClassRooms):
    """The answers in classes, kept."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._answers, self._of_round = written(ANSWERS), written(OF_ROUND)
        self._own = written(OWN)
        self._answered, self._present = written(ANSWERED), written(PRESENT)
        self._add_answer = written(insert(ClassAnswerRow))
        self._change_answer = written(THIS_ANSWER, "answer", "hidden", "given")
        self._hide = written(HIDE, "hidden")

    def answer(
        self, code: str, player: str, accept: Callable[[Room, SeatRecord | None], AnswerRecord]
    ) -> AnswerRecord:
        """What `accept` makes of it, in the transaction that sees whether the vote is open.

        The same student's answer in the same vote takes the place of the one before.
        """
        now = int(self._clock())
        with self.database.write() as cursor:
            row = self._row(cursor, self._by_code_to_change, {"code": code})
            room = self._room(cursor, row)
            wanted = {"wanted": room.record.id}
            cursor.execute(self._a_seat, wanted | {"player": player})
            found = cursor.fetchone()
            answer = replace(accept(room, None if found is None else seat_in(found)), given=now)
            key = {"number": answer.round, "ballot": answer.vote, "place": answer.seat}
            told = {"answer": answer.answer, "hidden": False, "given": now}
            cursor.execute(self._change_answer, wanted | key | told)
            if not cursor.rowcount:
                cursor.execute(self._add_answer, {"class_id": room.record.id} | asdict(answer))
            return answer

    def own_answers(self, class_id: str, number: int, seat: int) -> tuple[AnswerRecord, ...]:
        """What one student said in a round."""
        with self.database.read() as cursor:
            cursor.execute(self._own, {"wanted": class_id, "number": number, "place": seat})
            return tuple(answer_in(row) for row in cursor.fetchall())

    def answers(self, class_id: str, number: int | None = None) -> tuple[AnswerRecord, ...]:
        """What everyone said in a round, or in all."""
        with self.database.read() as cursor:
            if number is None:
                cursor.execute(self._answers, {"wanted": class_id})
            else:
                cursor.execute(self._of_round, {"wanted": class_id, "number": number})
            return tuple(answer_in(row) for row in cursor.fetchall())

    def hide(self, class_id: str, number: int, answer: str, *, hidden: bool) -> None:
        """An answer the teacher does not want shown, or does again."""
        with self.database.write() as cursor:
            told = {"wanted": class_id, "number": number, "said": answer, "hidden": hidden}
            cursor.execute(self._hide, told)
            cursor.execute(self._touch, {"wanted": class_id})

    def turnout(self, class_id: str, number: int, vote: int) -> Turnout:
        """How many are here, and how many of them have answered."""
        since = int(self._clock()) - HERE
        ballot = {"wanted": class_id, "number": number, "ballot": vote}
        with self.database.read() as cursor:
            cursor.execute(self._answered, ballot)
            answered = int(cursor.fetchall()[0][0])
            cursor.execute(self._present, ballot | {"since": since})
            return Turnout(answered, int(cursor.fetchall()[0][0]))


class ClassStore(ClassSeats, ClassBallots):
    """Classes, kept. Every change is one transaction that reads, decides and writes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._taught, self._rounds = written(TAUGHT), written(ROUNDS)
        self._add, self._change = written(insert(ClassRow)), written(THIS, *CLASS[1:])
        self._add_round = written(insert(ClassRoundRow))
        self._change_round = written(THIS_ROUND, *ROUND[2:])
        self._gone = written(GONE)

    def begin(self, owner: str) -> ClassRecord:
        """A class of this teacher's, under an id that nobody guesses and a code that anybody types.

        Those that have ended go now, with everything that was said in them.
        """
        now = int(self._clock())
        with self.database.write() as cursor:
            cursor.execute(self._gone, {"now": now})
            code = new_code()
            while self._row(cursor, self._by_code, {"code": code}) is not None:
                code = new_code()
            record = ClassRecord(
                id=secrets.token_urlsafe(12),
                owner=owner,
                key=secrets.token_urlsafe(16),
                code=code,
                created=now,
                ends=now + A_DAY,
            )
            cursor.execute(self._add, class_columns(record))
        return record

    def remove_ended(self) -> int:
        """How many classes went: their time is over."""
        with self.database.write() as cursor:
            cursor.execute(self._gone, {"now": int(self._clock())})
            return cursor.rowcount

    def taught_by(self, player: str, most: int = 20) -> tuple[ClassRecord, ...]:
        """The classes of a teacher, the latest first."""
        asked = {"player": player, "now": int(self._clock()), "most": most, "after": 0}
        with self.database.read() as cursor:
            cursor.execute(self._taught, asked)
            return tuple(class_in(row) for row in cursor.fetchall())

    def change(self, class_id: str, decide: Callable[[Room], Room]) -> Room:
        """What `decide` makes of the class, stored whole; nothing changes where it raises."""
        with self.database.write() as cursor:
            row = self._row(cursor, self._find_to_change, {"wanted": class_id})
            stored = self._stored(cursor, row)
            before = lapsed(stored, self._clock())
            after = decide(before)
            if after == stored:
                return stored
            if _seen_of(after) != _seen_of(before):
                version = before.record.version + 1
                after = replace(after, record=replace(after.record, version=version))
            self._save(cursor, stored, after)
            return after

    def rounds(self, class_id: str) -> tuple[RoundRecord, ...]:
        """All that was asked."""
        with self.database.read() as cursor:
            cursor.execute(self._rounds, {"wanted": class_id})
            return tuple(round_in(row) for row in cursor.fetchall())

    def _save(self, cursor: DBAPICursor, before: Room, after: Room) -> None:
        record = class_columns(after.record)
        cursor.execute(self._change, {"wanted": record.pop("id")} | record)
        if after.round is None or after.round == before.round:
            return
        row = {"class_id": after.record.id} | round_columns(after.round)
        if before.round is None or before.round.number != after.round.number:
            if before.round is not None and before.round.is_open:  # what is left behind is closed
                self._write_round(cursor, before, replace(before.round, phase=Phase.CLOSED))
            cursor.execute(self._add_round, row)
        else:
            self._write_round(cursor, after, after.round)

    def _write_round(self, cursor: DBAPICursor, room: Room, written: RoundRecord) -> None:
        told = {"wanted": room.record.id, "which": written.number}
        columns = round_columns(written)
        columns.pop("number")
        cursor.execute(self._change_round, told | columns)


def _seen_of(room: Room) -> Room:
    """Of a room what phones and screens may show: not what is right, before it is revealed."""
    current = room.round
    if current is None or current.phase is Phase.REVEALED:
        return room
    return replace(room, round=replace(current, ruling=None))


log = logging.getLogger(__name__)

EVERY = 3600.0  # seconds between two looks; what has ended is found by nobody meanwhile


def keep_ending(store: ClassStore, ended: Event) -> None:
    """Begin to remove classes whose time is over, until the event is set."""
    Thread(target=_work, args=(store, ended), name="classes", daemon=True).start()


def _work(store: ClassStore, ended: Event) -> None:
    while not ended.wait(EVERY):
        try:
            store.remove_ended()
        except (SQLAlchemyError, ZermeloError) as error:
            log.warning("classes that have ended could not be removed now: %s", error)
