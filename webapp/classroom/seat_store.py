"""The store of students' seats and answers: its SQL, and the methods that run it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import and_, bindparam, func, insert, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.classroom.models import (
    PRESENT_S,
    AnswerRecord,
    ClassRecord,
    ClassSession,
    NotYourClassError,
    SeatRecord,
    Turnout,
)
from webapp.classroom.rules import closing_deadline, is_past_deadline
from webapp.classroom.store import (
    CLASS_ID,
    CLASSES,
    LOCK_CLASS,
    LOCK_CLASS_BY_CODE,
    NOT_EXPIRED,
    RAISE_VERSION,
    UPDATE_ROUND,
    ClassStore,
    unknown_class,
)
from webapp.storage.rows import RowMapper
from webapp.storage.tables.classes import ClassAnswerRow, ClassRoundRow, ClassRow, ClassSeatRow
from webapp.web.names import generate_name

MAX_SEATS = 400
MAX_JOINED = 3  # classes of one player that are on
MAX_SEATS_EVER = 2000  # including those sent out: fewer than there are names
SEATS = RowMapper(SeatRecord, ClassSeatRow)
ANSWERS = RowMapper(AnswerRecord, ClassAnswerRow)

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
SELECT_SEATS = (
    select(*SEATS.columns).where(ClassSeatRow.class_id == CLASS_ID).order_by(ClassSeatRow.number)
)
SELECT_SEAT = select(*SEATS.columns).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.player == bindparam("player")
)
SELECT_JOINED = (
    select(*CLASSES.columns)
    .join(ClassSeatRow, ClassSeatRow.class_id == ClassRow.id)
    .where(
        ClassSeatRow.player == bindparam("player"),
        ClassSeatRow.removed.is_(False),
        ClassRow.code.is_not(None),
        NOT_EXPIRED,
    )
    .order_by(ClassRow.created.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))
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
INSERT_SEAT, INSERT_ANSWER = insert(ClassSeatRow), insert(ClassAnswerRow)
UPDATE_SEAT = update(ClassSeatRow).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.number == bindparam("which")
)
UPDATE_SEATS = update(ClassSeatRow).where(ClassSeatRow.class_id == CLASS_ID)
REMOVE_SINCE = update(ClassSeatRow).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.joined >= bindparam("since")
)
UPDATE_ANSWER = update(ClassAnswerRow).where(IN_VOTE, ClassAnswerRow.seat == bindparam("place"))
UPDATE_HIDDEN = update(ClassAnswerRow).where(
    ClassAnswerRow.class_id == CLASS_ID,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.answer == bindparam("said"),
)


@dataclass(frozen=True, slots=True)
class PollResult:
    """Answer to a phone's poll: the class's version and the student's seat."""

    class_id: str
    version: int
    seat: int | None
    removed: bool


class SeatStore:
    """The store of students' seats and answers."""

    def __init__(self, classes: ClassStore) -> None:
        self.classes = classes
        self.database = classes.database

    def pulse(self, code: str, player: str | None) -> PollResult:
        """Poll a class in one query; raises UnknownClassError."""
        with self.database.read() as cursor:
            row = self.classes.row(cursor, SELECT_POLL, code=code, player=player or "")
        if row is None:
            raise unknown_class()
        class_id, version, seat, removed, phase, deadline = row
        version += is_past_deadline(phase, deadline, self.classes.now())
        return PollResult(class_id, version, seat, bool(removed))

    def sit(self, code: str, player: str) -> SeatRecord:
        """The player's seat; a new one with a generated name on first join."""
        now = int(self.classes.now())
        with self.database.write() as cursor:
            record = self.classes.load(cursor, LOCK_CLASS_BY_CODE, code=code).record
            class_id = record.id
            if (found := self._seat(cursor, class_id, player)) is not None:
                return found
            if record.locked:
                raise NotYourClassError("nobody new can join just now: ask your teacher")
            others = self._seats(cursor, class_id)
            taken = sum(not other.removed for other in others)
            if taken >= MAX_SEATS or len(others) >= MAX_SEATS_EVER:
                raise NotYourClassError(f"this class is full: it has {MAX_SEATS} seats")
            name = generate_name({name for other in others for name in (other.name, other.alias)})
            seat = SeatRecord(len(others) + 1, player, name, joined=now, seen=now, alias=name)
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

    def joined_by(self, player: str) -> tuple[ClassRecord, ...]:
        """The classes that are on in which this player has a seat, newest first."""
        now = int(self.classes.now())
        rows = self.database.fetch(SELECT_JOINED, player=player, now=now, most=MAX_JOINED, after=0)
        return tuple(map(CLASSES.read, rows))

    def saw(self, seen: Mapping[tuple[str, int], int]) -> None:
        """Store when students' phones last polled, in one transaction."""
        with self.database.write() as cursor:
            for (class_id, number), at in seen.items():
                values = {"wanted": class_id, "which": number, "seen": at}
                self.database.run(cursor, UPDATE_SEAT, values)

    def change(self, class_id: str, number: int, **values: Any) -> None:
        """Change columns of a seat: whether it is removed, the machine entered in the cup."""
        with self.database.write() as cursor:
            self._change(cursor, class_id, number, **values)

    def remove_since(self, class_id: str, since: float) -> None:
        """Remove the students who joined after that time."""
        with self.database.write() as cursor:
            values = {"wanted": class_id, "since": int(since), "removed": True}
            self.database.run(cursor, REMOVE_SINCE, values)
            self.database.run(cursor, RAISE_VERSION, {"wanted": class_id})

    def withdraw_machines(self, class_id: str) -> None:
        """Forget what every student entered in the cup: the next one is of another game."""
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE_SEATS, {"wanted": class_id, "machine": None})
            self.database.run(cursor, RAISE_VERSION, {"wanted": class_id})

    def rename(self, class_id: str, number: int, name: str) -> None:
        """Rename a student; raises NotYourClassError for a name in use.

        Renames of one class are serialised: two students may choose the same name at once.
        """
        with self.database.write() as cursor:
            self.classes.row(cursor, LOCK_CLASS, wanted=class_id)
            others = self._seats(cursor, class_id)
            if any(name in (seat.name, seat.alias) and seat.number != number for seat in others):
                raise NotYourClassError("someone here has that name already")
            self._change(cursor, class_id, number, name=name)

    def answer(
        self,
        code: str,
        player: str,
        accept: Callable[[ClassSession, SeatRecord | None], AnswerRecord],
    ) -> AnswerRecord:
        """Store what `accept` returns, in the transaction that checks whether the vote is open.

        A later answer of the same student in the same vote replaces the earlier one.
        """
        now = int(self.classes.now())
        with self.database.write() as cursor:
            session = self.classes.load(cursor, LOCK_CLASS_BY_CODE, code=code)
            class_id = session.record.id
            seat = self._seat(cursor, class_id, player)
            answer = replace(accept(session, seat), given=now)
            key = {"number": answer.round, "ballot": answer.vote, "place": answer.seat}
            values = {"answer": answer.answer, "hidden": False, "given": now}
            updated = self.database.run(cursor, UPDATE_ANSWER, {"wanted": class_id} | key | values)
            if not updated.rowcount:
                self.database.run(cursor, INSERT_ANSWER, ANSWERS.write(answer, class_id=class_id))
            self._close_soon(cursor, session)
            return answer

    def _close_soon(self, cursor: DBAPICursor, session: ClassSession) -> None:
        """Give a vote in a match a deadline once all who are here have answered."""
        current = session.round
        if current is None or current.match_ply is None:
            return
        turnout = self._turnout(cursor, session.record.id, current.number, current.vote)
        deadline = closing_deadline(current, turnout, self.classes.now())
        if deadline is not None:
            values = {"wanted": session.record.id, "which": current.number, "deadline": deadline}
            self.database.run(cursor, UPDATE_ROUND, values)

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
        with self.database.read() as cursor:
            return self._turnout(cursor, class_id, number, vote)

    def _turnout(self, cursor: DBAPICursor, class_id: str, number: int, vote: int) -> Turnout:
        ballot = {"wanted": class_id, "number": number, "ballot": vote}
        present = ballot | {"since": int(self.classes.now()) - PRESENT_S}
        ((answered,),) = self.database.run(cursor, COUNT_ANSWERS, ballot).fetchall()
        ((here,),) = self.database.run(cursor, COUNT_PRESENT, present).fetchall()
        return Turnout(int(answered), int(here))

    def _seat(self, cursor: DBAPICursor, class_id: str, player: str) -> SeatRecord | None:
        values = {"wanted": class_id, "player": player}
        row = self.database.run(cursor, SELECT_SEAT, values).fetchone()
        return None if row is None else SEATS.read(row)

    def _seats(self, cursor: DBAPICursor, class_id: str) -> tuple[SeatRecord, ...]:
        rows = self.database.run(cursor, SELECT_SEATS, {"wanted": class_id}).fetchall()
        return tuple(map(SEATS.read, rows))

    def _change(self, cursor: DBAPICursor, class_id: str, number: int, **values: Any) -> None:
        """Write columns of a seat that phones show."""
        key = {"wanted": class_id, "which": number}
        self.database.run(cursor, UPDATE_SEAT, key | values)
        self.database.run(cursor, RAISE_VERSION, {"wanted": class_id})
