"""The store of students and what they have tried: its SQL, and the methods that run it.

Every change is one transaction that reads, decides and writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.assignments.models import (
    AssignmentRecord,
    NotYourAssignmentError,
    SeatRecord,
    TakenNameError,
    TryRecord,
    UnknownAssignmentError,
)
from webapp.assignments.rules import MatchEnd, accepted, settled
from webapp.assignments.store import (
    FIND,
    ID,
    LOCK_BY_CODE,
    RECORDS,
    SEATS,
    AssignmentStore,
    new_key,
)
from webapp.matches.store import DRAW, MatchStore
from webapp.questions.assignments import MAX_NAMES
from webapp.replays.models import Record
from webapp.storage.rows import RowMapper
from webapp.storage.tables.assignments import (
    AssignmentDeviceRow,
    AssignmentSeatRow,
    AssignmentTryRow,
)
from webapp.storage.tables.matches import MatchRow
from webapp.web.names import generate_name

MAX_SEATS = MAX_NAMES
TRIES = RowMapper(TryRecord, AssignmentTryRow)
SELECT_SEATS = (
    select(*SEATS.columns)
    .where(AssignmentSeatRow.assignment_id == ID)
    .order_by(AssignmentSeatRow.number)
)
SEAT_BY_KEY = SELECT_SEATS.where(AssignmentSeatRow.key == bindparam("secret"))
SEAT_OF = (
    select(*SEATS.columns)
    .join(
        AssignmentDeviceRow,
        (AssignmentDeviceRow.assignment_id == AssignmentSeatRow.assignment_id)
        & (AssignmentDeviceRow.seat == AssignmentSeatRow.number),
    )
    .where(AssignmentSeatRow.assignment_id == ID, AssignmentDeviceRow.player == bindparam("who"))
)
PLAYERS_OF = select(AssignmentDeviceRow.player).where(
    AssignmentDeviceRow.assignment_id == ID, AssignmentDeviceRow.seat == bindparam("place")
)
# Of the match of a try that is not settled yet; NULL otherwise.
END = (MatchRow.over, MatchRow.result, MatchRow.created, MatchRow.updated)
SELECT_TRIES = (
    select(*TRIES.columns, *END)
    .outerjoin(
        MatchRow,
        (MatchRow.id == AssignmentTryRow.match_id) & AssignmentTryRow.solved.is_(None),
    )
    .where(AssignmentTryRow.assignment_id == ID)
    .order_by(
        AssignmentTryRow.seat,
        AssignmentTryRow.task,
        AssignmentTryRow.item,
        AssignmentTryRow.number,
    )
)
SELECT_OWN = SELECT_TRIES.where(AssignmentTryRow.seat == bindparam("place"))
UNSETTLED = (
    select(AssignmentTryRow.assignment_id)
    .join(MatchRow, MatchRow.id == AssignmentTryRow.match_id)
    .where(AssignmentTryRow.solved.is_(None), MatchRow.over.is_(True))
    .distinct()
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
INSERT_DEVICE, INSERT_TRY = insert(AssignmentDeviceRow), insert(AssignmentTryRow)
UPDATE_SEAT = update(AssignmentSeatRow).where(
    AssignmentSeatRow.assignment_id == ID, AssignmentSeatRow.number == bindparam("which")
)
UPDATE_TRY = update(AssignmentTryRow).where(
    AssignmentTryRow.assignment_id == ID,
    AssignmentTryRow.seat == bindparam("place"),
    AssignmentTryRow.task == bindparam("of_task"),
    AssignmentTryRow.item == bindparam("of_item"),
    AssignmentTryRow.number == bindparam("which"),
)
DROP_DEVICE = delete(AssignmentDeviceRow).where(
    AssignmentDeviceRow.assignment_id == ID, AssignmentDeviceRow.player == bindparam("who")
)


class WorkStore:
    """The store of students and what they have tried."""

    def __init__(self, assignments: AssignmentStore) -> None:
        self.assignments = assignments
        self.database = assignments.database

    def seats(self, assignment_id: str) -> tuple[SeatRecord, ...]:
        """All students, those of the list included that have not come yet."""
        return tuple(map(SEATS.read, self.database.fetch(SELECT_SEATS, wanted=assignment_id)))

    def seat_of(self, assignment_id: str, player: str | None) -> SeatRecord | None:
        """The student who works in this browser, or None."""
        if player is None:
            return None
        with self.database.read() as cursor:
            return self._seat_of(cursor, assignment_id, player)

    def seat_by_key(self, assignment_id: str, key: str) -> SeatRecord:
        """The student whose personal link it is; raises UnknownAssignmentError."""
        rows: Sequence[Any] = ()
        if key.isprintable():
            rows = self.database.fetch(SEAT_BY_KEY, wanted=assignment_id, secret=key)
        if not rows:
            raise UnknownAssignmentError("this personal link belongs to nobody here")
        return SEATS.read(rows[0])

    def players_of(self, assignment_id: str, seat: int) -> tuple[str, ...]:
        """The browsers in which a student works."""
        rows = self.database.fetch(PLAYERS_OF, wanted=assignment_id, place=seat)
        return tuple(player for (player,) in rows)

    def sit(self, code: str, player: str, name: str | None = None) -> SeatRecord:
        """The seat of this browser: a free one of the list by its name, else a made-up name.

        Raises NotYourAssignmentError or TakenNameError.
        """
        now = self._now()
        with self.database.write() as cursor:
            record = self.assignments.load(cursor, LOCK_BY_CODE, code)
            if (found := self._seat_of(cursor, record.id, player)) is not None:
                return found
            seats = self._seats(cursor, record.id)
            if record.listed:
                seat = replace(_named(seats, name or ""), joined=now)
                self._update_seat(cursor, record.id, seat.number, joined=now)
            else:
                if len(seats) >= MAX_SEATS:
                    why = f"this assignment is full: it has {MAX_SEATS} students"
                    raise NotYourAssignmentError(why)
                made_up = generate_name({each.name for each in seats})
                seat = SeatRecord(len(seats) + 1, made_up, new_key(), now)
                self.assignments.add_seat(cursor, record.id, seat)
            self._add_device(cursor, record.id, player, seat.number)
            return seat

    def attach(self, assignment_id: str, player: str, seat: SeatRecord) -> None:
        """Let a student go on in this browser, whoever worked in it before."""
        with self.database.write() as cursor:
            values = {"wanted": assignment_id, "who": player}
            self.database.run(cursor, DROP_DEVICE, values)
            self._add_device(cursor, assignment_id, player, seat.number)
            if seat.joined is None:
                self._update_seat(cursor, assignment_id, seat.number, joined=self._now())

    def release(self, assignment_id: str, seat: int) -> None:
        """Give a student a new personal link: the old one and all browsers lose the seat."""
        with self.database.write() as cursor:
            for (player,) in self.database.run(
                cursor, PLAYERS_OF, {"wanted": assignment_id, "place": seat}
            ).fetchall():
                self.database.run(cursor, DROP_DEVICE, {"wanted": assignment_id, "who": player})
            self._update_seat(cursor, assignment_id, seat, key=new_key(), joined=None)

    def answer(
        self, code: str, player: str, make: Callable[[AssignmentRecord, SeatRecord], TryRecord]
    ) -> None:
        """Store a try of this browser's student, once, if it is accepted."""
        with self.database.write() as cursor:
            record = self.assignments.load(cursor, LOCK_BY_CODE, code)
            seat = self._own_seat(cursor, record.id, player)
            self._add_try(cursor, record, seat, make(record, seat))

    def begin_match(
        self, code: str, player: str, task: int, match: Record, matches: MatchStore
    ) -> Record:
        """Store a match and the try that it is, in one transaction."""
        with self.database.write() as cursor:
            record = self.assignments.load(cursor, LOCK_BY_CODE, code)
            seat = self._own_seat(cursor, record.id, player)
            begun = matches.begin(cursor, match)
            own = self._tries(cursor, record, seat.number)
            number = sum(each.task == task for each in own) + 1
            made = TryRecord(seat.number, task, "", number, "", None, 0, self._now(), begun.id)
            self._add_try(cursor, record, seat, made)
            return begun

    def tries(self, record: AssignmentRecord, seat: int | None = None) -> tuple[TryRecord, ...]:
        """What all students, or one of them, have tried, with the results of matches."""
        with self.database.read() as cursor:
            return self._tries(cursor, record, seat)

    def settle(self, most: int) -> int:
        """Store the results of matches that are over, before these are removed; returns of how
        many assignments."""
        with self.database.write() as cursor:
            values = {"most": most, "after": 0}
            rows = self.database.run(cursor, UNSETTLED, values).fetchall()
            for (assignment_id,) in rows:
                self._settle(cursor, assignment_id)
        return len(rows)

    def _now(self) -> int:
        return int(self.assignments.now())

    def _settle(self, cursor: DBAPICursor, assignment_id: str) -> None:
        values = {"wanted": assignment_id, "now": 0}
        (row,) = self.database.run(cursor, FIND, values).fetchall()
        record = RECORDS.read(row)
        for each in self._tries(cursor, record):
            if each.match_id is not None and each.solved is not None:
                key = {"wanted": assignment_id, "place": each.seat, "of_task": each.task}
                key |= {"of_item": each.item, "which": each.number}
                columns = {name: getattr(each, name) for name in ("answer", "seconds", "given")}
                self.database.run(cursor, UPDATE_TRY, key | columns | {"solved": each.solved})

    def _add_try(
        self, cursor: DBAPICursor, record: AssignmentRecord, seat: SeatRecord, made: TryRecord
    ) -> None:
        own = self._tries(cursor, record, seat.number)
        if (new := accepted(record, seat, own, made)) is not None:
            row = TRIES.write(new, assignment_id=record.id)
            self.database.run(cursor, INSERT_TRY, row)

    def _tries(
        self, cursor: DBAPICursor, record: AssignmentRecord, seat: int | None = None
    ) -> tuple[TryRecord, ...]:
        values: dict[str, Any] = {"wanted": record.id}
        if seat is not None:
            values["place"] = seat
        rows = self.database.run(
            cursor, SELECT_TRIES if seat is None else SELECT_OWN, values
        ).fetchall()
        return tuple(_with_result(record, row) for row in rows)

    def _own_seat(self, cursor: DBAPICursor, assignment_id: str, player: str) -> SeatRecord:
        seat = self._seat_of(cursor, assignment_id, player)
        if seat is None:
            raise NotYourAssignmentError("open the assignment under your name first")
        return seat

    def _seat_of(self, cursor: DBAPICursor, assignment_id: str, player: str) -> SeatRecord | None:
        values = {"wanted": assignment_id, "who": player}
        row = self.database.run(cursor, SEAT_OF, values).fetchone()
        return None if row is None else SEATS.read(row)

    def _seats(self, cursor: DBAPICursor, assignment_id: str) -> tuple[SeatRecord, ...]:
        rows = self.database.run(cursor, SELECT_SEATS, {"wanted": assignment_id}).fetchall()
        return tuple(map(SEATS.read, rows))

    def _update_seat(
        self, cursor: DBAPICursor, assignment_id: str, number: int, **values: Any
    ) -> None:
        key = {"wanted": assignment_id, "which": number}
        self.database.run(cursor, UPDATE_SEAT, key | values)

    def _add_device(self, cursor: DBAPICursor, assignment_id: str, player: str, seat: int) -> None:
        row = {"assignment_id": assignment_id, "player": player, "seat": seat}
        self.database.run(cursor, INSERT_DEVICE, row)


def _named(seats: Sequence[SeatRecord], name: str) -> SeatRecord:
    """The free seat of a name of the list; raises NotYourAssignmentError or TakenNameError."""
    folded = " ".join(name.split()).casefold()
    found = next((each for each in seats if each.name.casefold() == folded), None)
    if found is None:
        why = "this name is not on your teacher's list: write it as your teacher does"
        raise NotYourAssignmentError(why)
    if found.joined is not None:
        why = "someone works under this name already: go on by your personal link, or ask your "
        raise TakenNameError(why + "teacher for it")
    return found


def _with_result(record: AssignmentRecord, row: Sequence[Any]) -> TryRecord:
    """A try with the result of its match, if that is over."""
    found = TRIES.read(row)
    over, result, created, updated = TRIES.rest(row)
    if found.match_id is None or found.solved is not None or not over:
        return found
    winner = None if result == DRAW else result
    return settled(record.task(found.task), found, MatchEnd(winner, created, updated))
