"""Everything that is asked of the database, and all the SQL there is."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, insert, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from engine import Seat
from webapp.play.records import PlyRecord, Record
from webapp.storage.db import Database
from webapp.storage.models import MatchRow, MoveRow
from webapp.web.errors import UnknownMatchError

_WANTED: BindParameter[str] = bindparam("wanted")
_LOAD = (
    select(
        MatchRow.owner,
        MatchRow.game,
        MatchRow.first,
        MatchRow.second,
        MatchRow.revision,
        MatchRow.resigned,
        MatchRow.updated,
        MoveRow.text,
        MoveRow.revision,
        MoveRow.note,
    )
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(MatchRow.id == _WANTED)
    .order_by(MoveRow.ply)
)
_UNFINISHED = (
    select(MatchRow.id)
    .where(MatchRow.owner == bindparam("owner"), MatchRow.over.is_(False))
    .order_by(MatchRow.updated.desc(), MatchRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # or SQLite is given one without a name
)
_TAKE_BACK = delete(MoveRow).where(MoveRow.match_id == _WANTED, MoveRow.ply > bindparam("kept"))
_CHANGING = ("first", "second", "revision", "resigned", "over", "updated")


class Store:
    """Matches, kept. Every change is one transaction that reads, decides and writes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        self._load = database.written(_LOAD)
        self._load_to_change = database.written(_LOAD.with_for_update(of=MatchRow))
        self._unfinished = database.written(_UNFINISHED)
        self._add = database.written(insert(MatchRow))
        self._add_ply = database.written(insert(MoveRow))
        self._change = database.written(update(MatchRow).where(MatchRow.id == _WANTED), *_CHANGING)
        self._take_back = database.written(_TAKE_BACK)

    def create(
        self,
        owner: str,
        game: str,
        seats: tuple[str, str],
        plies: tuple[PlyRecord, ...] = (),
        resigned: Seat | None = None,
    ) -> Record:
        """A new match under an id that nobody can guess."""
        now = int(self._clock())
        record = Record(
            secrets.token_urlsafe(16), owner, game, seats, plies, len(plies), resigned, now
        )
        with self.database.write() as cursor:
            fixed = {"id": record.id, "owner": owner, "game": game, "created": now}
            cursor.execute(self._add, fixed | _columns(record))
            self._write_plies(cursor, record, 0)
        return record

    def find(self, match_id: str) -> Record:
        """The match as it stands; raises UnknownMatchError."""
        with self.database.read() as cursor:
            return _loaded(cursor, self._load, match_id)

    def change(self, match_id: str, decide: Callable[[Record], Record]) -> Record:
        """What `decide` makes of the match, stored whole; nothing changes where it raises."""
        with self.database.write() as cursor:
            before = _loaded(cursor, self._load_to_change, match_id)
            after = decide(before)
            if after == before:
                return before
            after = replace(after, updated=int(self._clock()))
            self._save(cursor, before, after)
            return after

    def unfinished(self, owner: str, most: int) -> tuple[Record, ...]:
        """The owner's matches that go on, the last touched first."""
        with self.database.read() as cursor:
            cursor.execute(self._unfinished, {"owner": owner, "most": most, "after": 0})
            found = cursor.fetchall()
            return tuple(_loaded(cursor, self._load, match_id) for (match_id,) in found)

    def answers(self) -> bool:
        """Whether the database does."""
        with self.database.read() as cursor:
            cursor.execute("select 1")
            return list(cursor.fetchall()) == [(1,)]

    def _save(self, cursor: DBAPICursor, before: Record, after: Record) -> None:
        """Write the difference: plies taken back go, new ones come."""
        kept = sum(1 for old, new in zip(before.plies, after.plies, strict=False) if old == new)
        if kept < len(before.plies):
            cursor.execute(self._take_back, {"wanted": after.id, "kept": kept})
        self._write_plies(cursor, after, kept)
        cursor.execute(self._change, {"wanted": after.id} | _columns(after))

    def _write_plies(self, cursor: DBAPICursor, record: Record, kept: int) -> None:
        for number, ply in enumerate(record.plies[kept:], start=kept + 1):
            row = {"match_id": record.id, "ply": number, "text": ply.text}
            cursor.execute(self._add_ply, row | {"revision": ply.revision, "note": ply.note})


def _loaded(cursor: DBAPICursor, load: str, match_id: str) -> Record:
    rows: Sequence[Any] = ()
    if match_id.isprintable():  # PostgreSQL takes no text with a NUL in it
        cursor.execute(load, {"wanted": match_id})
        rows = cursor.fetchall()
    if not rows:
        raise UnknownMatchError("there is no such match: its address may be mistyped")
    owner, game, first, second, revision, resigned, updated = rows[0][:7]
    return Record(
        id=match_id,
        owner=owner,
        game=game,
        seats=(first, second),
        plies=tuple(PlyRecord(*row[7:]) for row in rows if row[7] is not None),
        revision=revision,
        resigned=None if resigned is None else Seat(resigned),
        updated=updated,
    )


def _columns(record: Record) -> dict[str, object]:
    """The columns of a match that change as it is played."""
    return {
        "first": record.seats[0],
        "second": record.seats[1],
        "revision": record.revision,
        "resigned": None if record.resigned is None else int(record.resigned),
        "over": record.outcome is not None,
        "updated": record.updated,
    }
