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
from engine.faults import tell_once
from webapp.play.records import UNSTORED, PlyRecord, Record, Unreadable
from webapp.storage.db import Database
from webapp.storage.models import AnalysisRow, MatchRow, MoveRow
from webapp.web.errors import UnknownMatchError, UnreadableMatchError

_WANTED: BindParameter[str] = bindparam("wanted")
_LOAD = (
    select(
        MatchRow.owner,
        MatchRow.game,
        MatchRow.first,
        MatchRow.second,
        MatchRow.first_holder,
        MatchRow.second_holder,
        MatchRow.start,
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
_UNTOUCHED = (
    select(MatchRow.id)
    .where(MatchRow.over.is_(False), MatchRow.updated < bindparam("before"))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
_REMOVE = delete(MatchRow).where(
    MatchRow.id == _WANTED, MatchRow.over.is_(False), MatchRow.updated < bindparam("before")
)
_SAID = select(AnalysisRow.packed).where(
    AnalysisRow.match_id == _WANTED, AnalysisRow.ply == bindparam("number")
)
_TAKE_BACK = delete(MoveRow).where(MoveRow.match_id == _WANTED, MoveRow.ply > bindparam("kept"))
_UNSAY = delete(AnalysisRow).where(
    AnalysisRow.match_id == _WANTED, AnalysisRow.ply > bindparam("kept")
)
_CHANGING = (
    "first",
    "second",
    "first_holder",
    "second_holder",
    "revision",
    "resigned",
    "over",
    "updated",
)


class Store:
    """Matches, kept. Every change is one transaction that reads, decides and writes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        self._load = database.written(_LOAD)
        self._load_to_change = database.written(_LOAD.with_for_update(of=MatchRow))
        self._unfinished = database.written(_UNFINISHED)
        self._untouched = database.written(_UNTOUCHED)
        self._remove = database.written(_REMOVE)
        self._add = database.written(insert(MatchRow))
        self._add_ply = database.written(insert(MoveRow))
        self._change = database.written(update(MatchRow).where(MatchRow.id == _WANTED), *_CHANGING)
        self._take_back = database.written(_TAKE_BACK)
        self._said = database.written(_SAID)
        self._say = database.written(insert(AnalysisRow))
        self._unsay = database.written(_UNSAY)

    def create(self, record: Record) -> Record:
        """The match, now stored, under an id that nobody can guess."""
        with self.database.write() as cursor:
            return self._begin(cursor, record)

    def find(self, match_id: str) -> Record:
        """The match as it stands; raises UnknownMatchError."""
        with self.database.read() as cursor:
            return _loaded(cursor, self._load, match_id)

    def change(self, match_id: str, decide: Callable[[Record], Record]) -> Record:
        """What `decide` makes of the match, stored whole; nothing changes where it raises.

        A record without an id is another match, which begins here.
        """
        with self.database.write() as cursor:
            before = _loaded(cursor, self._load_to_change, match_id)
            after = decide(before)
            if after.id == UNSTORED:
                return self._begin(cursor, after)
            if after == before:
                return before
            after = replace(after, updated=int(self._clock()))
            self._save(cursor, before, after)
            return after

    def unfinished(self, owner: str, most: int) -> tuple[Record | Unreadable, ...]:
        """The owner's matches that go on, the last touched first."""
        with self.database.read() as cursor:
            cursor.execute(self._unfinished, {"owner": owner, "most": most, "after": 0})
            found = cursor.fetchall()
            return tuple(_loaded_if_readable(cursor, self._load, id_) for (id_,) in found)

    def untouched(self, before: int, most: int) -> tuple[str, ...]:
        """Matches that go on, but that nobody has changed since."""
        with self.database.read() as cursor:
            cursor.execute(self._untouched, {"before": before, "most": most, "after": 0})
            return tuple(match_id for (match_id,) in cursor.fetchall())

    def remove_untouched(self, match_ids: Sequence[str], before: int) -> int:
        """How many of these went, with all their moves: not those that were changed just now."""
        with self.database.write() as cursor:
            removed = 0
            for match_id in match_ids:
                cursor.execute(self._remove, {"wanted": match_id, "before": before})
                removed += cursor.rowcount
            return removed

    def answers(self) -> bool:
        """Whether the database does."""
        with self.database.read() as cursor:
            cursor.execute("select 1")
            return list(cursor.fetchall()) == [(1,)]

    def analysis(self, match_id: str, ply: int) -> bytes | None:
        """What the agent said that made the move of this ply, if an agent did."""
        with self.database.read() as cursor:
            cursor.execute(self._said, {"wanted": match_id, "number": ply})
            row = cursor.fetchone()
            return None if row is None else bytes(row[0])

    def _begin(self, cursor: DBAPICursor, record: Record) -> Record:
        now = int(self._clock())
        record = replace(record, id=secrets.token_urlsafe(16), updated=now)
        fixed = {"id": record.id, "owner": record.owner, "game": record.game}
        cursor.execute(
            self._add, fixed | {"start": record.start, "created": now} | _columns(record)
        )
        self._write_plies(cursor, record, 0)
        return record

    def _save(self, cursor: DBAPICursor, before: Record, after: Record) -> None:
        """Write the difference: plies taken back go, new ones come."""
        kept = sum(1 for old, new in zip(before.plies, after.plies, strict=False) if old == new)
        if kept < len(before.plies):
            cursor.execute(self._take_back, {"wanted": after.id, "kept": kept})
            cursor.execute(self._unsay, {"wanted": after.id, "kept": kept})
        self._write_plies(cursor, after, kept)
        cursor.execute(self._change, {"wanted": after.id} | _columns(after))

    def _write_plies(self, cursor: DBAPICursor, record: Record, kept: int) -> None:
        for number, ply in enumerate(record.plies[kept:], start=kept + 1):
            row = {"match_id": record.id, "ply": number, "text": ply.text}
            cursor.execute(self._add_ply, row | {"revision": ply.revision, "note": ply.note})
            if ply.analysis is not None:
                said = {"match_id": record.id, "ply": number, "packed": ply.analysis}
                cursor.execute(self._say, said)


def _loaded(cursor: DBAPICursor, load: str, match_id: str) -> Record:
    rows: Sequence[Any] = ()
    if match_id.isprintable():  # PostgreSQL takes no text with a NUL in it
        cursor.execute(load, {"wanted": match_id})
        rows = cursor.fetchall()
    if not rows:
        raise UnknownMatchError("there is no such match: its address may be mistyped")
    try:
        return _record(match_id, rows)
    except (ValueError, TypeError) as error:
        tell_once(__name__, f"match {match_id} cannot be read: {error!r}"[:500])
        raise UnreadableMatchError("this match was not kept as it must be") from error


def _record(match_id: str, rows: Sequence[Any]) -> Record:
    owner, game, first, second, one, other, start, revision, resigned, updated = rows[0][:10]
    return Record(
        id=match_id,
        owner=owner,
        game=game,
        seats=(first, second),
        holders=(one, other),
        start=start,
        plies=tuple(PlyRecord(*row[10:]) for row in rows if row[10] is not None),
        revision=revision,
        resigned=None if resigned is None else Seat(resigned),
        updated=updated,
    )


def _loaded_if_readable(cursor: DBAPICursor, load: str, match_id: str) -> Record | Unreadable:
    """For a list, which goes on after a row that makes no sense."""
    try:
        record = _loaded(cursor, load, match_id)
        record.match  # noqa: B018 - whether it can be replayed
    except UnreadableMatchError:
        return Unreadable(match_id)
    return record


def _columns(record: Record) -> dict[str, object]:
    """The columns of a match that change as it is played."""
    return {
        "first": record.seats[0],
        "second": record.seats[1],
        "first_holder": record.holders[0],
        "second_holder": record.holders[1],
        "revision": record.revision,
        "resigned": None if record.resigned is None else int(record.resigned),
        "over": record.outcome is not None,
        "updated": record.updated,
    }
