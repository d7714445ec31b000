"""The store of classes, seats, rounds and answers: its SQL, and the methods that run it.

Every change is one transaction that reads, decides and writes.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import time
from typing import Any

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

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
from webapp.questions.models import Choice, Question, Truth
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper, spread, text
from webapp.storage.tables import ClassAnswerRow, ClassRoundRow, ClassRow, ClassSeatRow

MAX_SEATS = 400


CLASSES = RowMapper(ClassRecord, ClassRow)
SEATS = RowMapper(SeatRecord, ClassSeatRow)
ANSWERS = RowMapper(AnswerRecord, ClassAnswerRow)
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
SELECT_POLL = (
    select(
        ClassRow.id,
        ClassRow.version,
        ClassSeatRow.number,
        ClassSeatRow.removed,
        ClassRoundRow.phase,
        ClassRoundRow.deadline,
    )
    .select_from(ClassRow)
    .outerjoin(
        ClassSeatRow,
        and_(ClassSeatRow.class_id == ClassRow.id, ClassSeatRow.player == bindparam("player")),
    )
    .outerjoin(
        ClassRoundRow,
        and_(ClassRoundRow.class_id == ClassRow.id, ClassRoundRow.number == ClassRow.round),
    )
    .where(ClassRow.code == bindparam("code"), NOT_EXPIRED)
)
SELECT_ROUND = select(*ROUNDS.columns).where(
    ClassRoundRow.class_id == CLASS_ID, ClassRoundRow.number == bindparam("number")
)
SELECT_ROUNDS = (
    select(*ROUNDS.columns).where(ClassRoundRow.class_id == CLASS_ID).order_by(ClassRoundRow.number)
)
SELECT_SEATS = (
    select(*SEATS.columns).where(ClassSeatRow.class_id == CLASS_ID).order_by(ClassSeatRow.number)
)
SELECT_SEAT = select(*SEATS.columns).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.player == bindparam("player")
)
SELECT_ANSWERS = (
    select(*ANSWERS.columns)
    .where(ClassAnswerRow.class_id == CLASS_ID)
    .order_by(ClassAnswerRow.round, ClassAnswerRow.vote, ClassAnswerRow.seat)
)
SELECT_ROUND_ANSWERS = SELECT_ANSWERS.where(ClassAnswerRow.round == bindparam("number"))
SELECT_SEAT_ANSWERS = SELECT_ROUND_ANSWERS.where(ClassAnswerRow.seat == bindparam("place"))
IN_VOTE = and_(
    ClassAnswerRow.class_id == CLASS_ID,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.vote == bindparam("ballot"),
)
COUNT_ANSWERS = select(func.count()).where(IN_VOTE)
COUNT_PRESENT = (
    select(func.count())
    .select_from(ClassSeatRow)
    .where(
        ClassSeatRow.class_id == CLASS_ID,
        ClassSeatRow.removed.is_(False),
        or_(
            ClassSeatRow.seen >= bindparam("since"),
            ClassSeatRow.number.in_(select(ClassAnswerRow.seat).where(IN_VOTE)),
        ),
    )
)
IS_EXPIRED = ClassRow.ends <= bindparam("now")
SOME_EXPIRED = (
    select(ClassRow.id).where(IS_EXPIRED).limit(bindparam("most")).offset(bindparam("after"))
)
DELETE_EXPIRED = delete(ClassRow).where(ClassRow.id.in_(SOME_EXPIRED))
INSERT_CLASS, INSERT_ROUND = insert(ClassRow), insert(ClassRoundRow)
INSERT_SEAT, INSERT_ANSWER = insert(ClassSeatRow), insert(ClassAnswerRow)
UPDATE_CLASS = update(ClassRow).where(ClassRow.id == CLASS_ID)
RAISE_VERSION = UPDATE_CLASS.values(version=ClassRow.version + literal_column("1"))
UPDATE_ROUND = update(ClassRoundRow).where(
    ClassRoundRow.class_id == CLASS_ID, ClassRoundRow.number == bindparam("which")
)
UPDATE_SEAT = update(ClassSeatRow).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.number == bindparam("which")
)
UPDATE_ANSWER = update(ClassAnswerRow).where(IN_VOTE, ClassAnswerRow.seat == bindparam("place"))
UPDATE_HIDDEN = update(ClassAnswerRow).where(
    ClassAnswerRow.class_id == CLASS_ID,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.answer == bindparam("said"),
)


def unknown_class() -> UnknownClassError:
    return UnknownClassError("there is no such class: its code may be mistyped, or it has ended")


@dataclass(frozen=True, slots=True)
class PollResult:
    """Answer to a phone's poll: the class's version and the student's seat."""

    class_id: str
    version: int
    seat: int | None
    removed: bool


class ClassStore:
    """The store of classes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock

    def begin(self, owner: str) -> ClassRecord:
        """Create a class with an unguessable id and a short join code."""
        now = int(self._clock())
        with self.database.write() as cursor:
            code = new_code()
            while self._row(cursor, SELECT_CLASS_BY_CODE, code=code) is not None:
                code = new_code()
            record = ClassRecord(
                id=secrets.token_urlsafe(12),
                owner=owner,
                key=secrets.token_urlsafe(16),
                code=code,
                created=now,
                ends=now + DAY_S,
            )
            self.database.run(cursor, INSERT_CLASS, CLASSES.write(record))
        return record

    def find(self, class_id: str) -> ClassSession:
        """Load a class by id; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self._load(cursor, SELECT_CLASS, wanted=class_id)

    def by_code(self, code: str) -> ClassSession:
        """Load a class by its join code; raises UnknownClassError."""
        with self.database.read() as cursor:
            return self._load(cursor, SELECT_CLASS_BY_CODE, code=code)

    def taught_by(self, player: str, most: int = 20) -> tuple[ClassRecord, ...]:
        """A teacher's classes, newest first."""
        now = int(self._clock())
        rows = self.database.fetch(SELECT_TAUGHT, player=player, now=now, most=most, after=0)
        return tuple(map(CLASSES.read, rows))

    def remove_ended(self, most: int) -> int:
        """Delete expired classes; returns how many."""
        with self.database.write() as cursor:
            values = {"now": int(self._clock()), "most": most, "after": 0}
            return self.database.run(cursor, DELETE_EXPIRED, values).rowcount

    def change(self, class_id: str, decide: Callable[[ClassSession], ClassSession]) -> ClassSession:
        """Store what `decide` returns for the class; nothing changes if it raises."""
        with self.database.write() as cursor:
            stored = self._load_stored(cursor, LOCK_CLASS, wanted=class_id)
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
        return tuple(map(ROUNDS.read, self.database.fetch(SELECT_ROUNDS, wanted=class_id)))

    def pulse(self, code: str, player: str | None) -> PollResult:
        """Poll a class in one query; raises UnknownClassError."""
        with self.database.read() as cursor:
            row = self._row(cursor, SELECT_POLL, code=code, player=player or "")
        if row is None:
            raise unknown_class()
        class_id, version, seat, removed, phase, deadline = row
        version += is_past_deadline(phase, deadline, self._clock())
        return PollResult(class_id, version, seat, bool(removed))

    def sit(self, code: str, player: str) -> SeatRecord:
        """The player's seat; a new one with a generated name on first join."""
        now = int(self._clock())
        with self.database.write() as cursor:
            class_id = self._load(cursor, LOCK_CLASS_BY_CODE, code=code).record.id
            if (found := self._seat(cursor, class_id, player)) is not None:
                return found
            others = self._seats(cursor, class_id)
            if len(others) >= MAX_SEATS:
                raise NotYourClassError(f"this class is full: it has {MAX_SEATS} seats")
            name = generate_name({other.name for other in others})
            seat = SeatRecord(len(others) + 1, player, name, joined=now, seen=now)
            self.database.run(cursor, INSERT_SEAT, SEATS.write(seat, class_id=class_id))
            return seat

    def seat_of(self, class_id: str, player: str | None) -> SeatRecord | None:
        """The player's seat, or None."""
        if player is None:
            return None
        with self.database.read() as cursor:
            return self._seat(cursor, class_id, player)

    def seats(self, class_id: str) -> tuple[SeatRecord, ...]:
        """All seats, removed ones included."""
        with self.database.read() as cursor:
            return self._seats(cursor, class_id)

    def saw(self, seen: Mapping[tuple[str, int], int]) -> None:
        """Store when students' phones last polled, in one transaction."""
        with self.database.write() as cursor:
            for (class_id, number), at in seen.items():
                values = {"wanted": class_id, "which": number, "seen": at}
                self.database.run(cursor, UPDATE_SEAT, values)

    def remove_seat(self, class_id: str, number: int, *, removed: bool) -> None:
        """Remove a student from the class or let them in again."""
        with self.database.write() as cursor:
            self._change_seat(cursor, class_id, number, removed=removed)

    def rename(self, class_id: str, number: int, name: str) -> None:
        """Rename a student; raises NotYourClassError for a name in use.

        Renames of one class are serialised: two students may choose the same name at once.
        """
        with self.database.write() as cursor:
            self._row(cursor, LOCK_CLASS, wanted=class_id)
            others = self._seats(cursor, class_id)
            if any(seat.name == name and seat.number != number for seat in others):
                raise NotYourClassError("someone here has that name already")
            self._change_seat(cursor, class_id, number, name=name)

    def enter(self, class_id: str, number: int, machine: str | None) -> None:
        """Store the machine a student enters in the cup."""
        with self.database.write() as cursor:
            self._change_seat(cursor, class_id, number, machine=machine)

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
            session = self._load(cursor, LOCK_CLASS_BY_CODE, code=code)
            class_id = session.record.id
            seat = self._seat(cursor, class_id, player)
            answer = replace(accept(session, seat), given=now)
            key = {"number": answer.round, "ballot": answer.vote, "place": answer.seat}
            values = {"answer": answer.answer, "hidden": False, "given": now}
            updated = self.database.run(cursor, UPDATE_ANSWER, {"wanted": class_id} | key | values)
            if not updated.rowcount:
                self.database.run(cursor, INSERT_ANSWER, ANSWERS.write(answer, class_id=class_id))
            return answer

    def own_answers(self, class_id: str, number: int, seat: int) -> tuple[AnswerRecord, ...]:
        """One student's answers in a round."""
        rows = self.database.fetch(SELECT_SEAT_ANSWERS, wanted=class_id, number=number, place=seat)
        return tuple(map(ANSWERS.read, rows))

    def answers(self, class_id: str, number: int | None = None) -> tuple[AnswerRecord, ...]:
        """All answers of a round, or of the class."""
        if number is None:
            rows = self.database.fetch(SELECT_ANSWERS, wanted=class_id)
        else:
            rows = self.database.fetch(SELECT_ROUND_ANSWERS, wanted=class_id, number=number)
        return tuple(map(ANSWERS.read, rows))

    def hide(self, class_id: str, number: int, answer: str, *, hidden: bool) -> None:
        """Hide an answer from the projector, or show it again."""
        with self.database.write() as cursor:
            values = {"wanted": class_id, "number": number, "said": answer, "hidden": hidden}
            self.database.run(cursor, UPDATE_HIDDEN, values)
            self.database.run(cursor, RAISE_VERSION, {"wanted": class_id})

    def turnout(self, class_id: str, number: int, vote: int) -> Turnout:
        """Count students present and answers given in a vote."""
        ballot = {"wanted": class_id, "number": number, "ballot": vote}
        present = ballot | {"since": int(self._clock()) - PRESENT_S}
        with self.database.read() as cursor:
            ((answered,),) = self.database.run(cursor, COUNT_ANSWERS, ballot).fetchall()
            ((here,),) = self.database.run(cursor, COUNT_PRESENT, present).fetchall()
            return Turnout(int(answered), int(here))

    def _row(self, cursor: DBAPICursor, statement: ClauseElement, **values: Any) -> Any:
        """One row of an unexpired class; None if a parameter is not printable text."""
        if not all(str(value).isprintable() for value in values.values()):
            return None
        now = {"now": int(self._clock())}
        return self.database.run(cursor, statement, values | now).fetchone()

    def _load(self, cursor: DBAPICursor, statement: ClauseElement, **values: Any) -> ClassSession:
        """Load a class, with a vote past its deadline closed; raises UnknownClassError."""
        return close_expired_vote(self._load_stored(cursor, statement, **values), self._clock())

    def _load_stored(
        self, cursor: DBAPICursor, statement: ClauseElement, **values: Any
    ) -> ClassSession:
        """Load a class as stored; raises UnknownClassError."""
        if (row := self._row(cursor, statement, **values)) is None:
            raise unknown_class()
        record = CLASSES.read(row)
        if not record.round:
            return ClassSession(record)
        key = {"wanted": record.id, "number": record.round}
        found = self.database.run(cursor, SELECT_ROUND, key).fetchone()
        return ClassSession(record, None if found is None else ROUNDS.read(found))

    def _seat(self, cursor: DBAPICursor, class_id: str, player: str) -> SeatRecord | None:
        values = {"wanted": class_id, "player": player}
        row = self.database.run(cursor, SELECT_SEAT, values).fetchone()
        return None if row is None else SEATS.read(row)

    def _seats(self, cursor: DBAPICursor, class_id: str) -> tuple[SeatRecord, ...]:
        rows = self.database.run(cursor, SELECT_SEATS, {"wanted": class_id}).fetchall()
        return tuple(map(SEATS.read, rows))

    def _change_seat(self, cursor: DBAPICursor, class_id: str, number: int, **values: Any) -> None:
        """Write columns of a seat that phones show."""
        key = {"wanted": class_id, "which": number}
        self.database.run(cursor, UPDATE_SEAT, key | values)
        self.database.run(cursor, RAISE_VERSION, {"wanted": class_id})

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
    current = session.round
    if current is None or current.phase is Phase.REVEALED:
        return session
    return replace(session, round=replace(current, truth=None))
