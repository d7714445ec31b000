"""A class and the round that is on, found by its id or by its code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import time
from typing import Any

from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.classroom.columns import class_in, round_in
from webapp.classroom.conduct import lapsed
from webapp.classroom.records import Room
from webapp.classroom.statements import A_ROUND, A_SEAT, BY_CODE, FIND, SEATS, TOUCH
from webapp.storage.db import Database
from webapp.web.errors import UnknownClassError


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
