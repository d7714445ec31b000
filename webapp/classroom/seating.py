"""Who sits in a class: students come in, are seen, are called something, and enter machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from time import time

from sqlalchemy import insert

from webapp.classroom.columns import seat_in
from webapp.classroom.conduct import has_lapsed
from webapp.classroom.names import made_up_name
from webapp.classroom.records import SeatRecord
from webapp.classroom.rooms import ClassRooms, unknown
from webapp.classroom.statements import PULSE, THIS_SEAT
from webapp.storage.db import Database
from webapp.storage.models import ClassSeatRow
from webapp.web.errors import NotYourClassError

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

        One student of a class after the other: two may choose the same name at once.
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
