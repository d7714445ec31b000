"""Everything that is asked of the database about classes (the SQL of it: `statements`)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from time import time

from sqlalchemy import insert
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.classroom.balloting import ClassBallots
from webapp.classroom.columns import class_columns, class_in, round_columns, round_in
from webapp.classroom.conduct import lapsed
from webapp.classroom.names import new_code
from webapp.classroom.records import A_DAY, ClassRecord, Phase, Room, RoundRecord
from webapp.classroom.seating import ClassSeats
from webapp.classroom.statements import CLASS, GONE, ROUND, ROUNDS, TAUGHT, THIS, THIS_ROUND
from webapp.storage.db import Database
from webapp.storage.models import ClassRoundRow, ClassRow


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
