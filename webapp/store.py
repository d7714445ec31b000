"""Everything that is asked of the database, and all the SQL there is."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from time import time

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, text, update

from engine import Seat
from webapp.db import Database
from webapp.errors import UnknownMatchError
from webapp.models import MatchRow, MoveRow
from webapp.records import PlyRecord, Record

# Statements are built once: building one costs more than running it.
_WANTED: BindParameter[str] = bindparam("wanted")
_LOAD = (
    select(MatchRow.__table__, MoveRow.text, MoveRow.revision.label("played"), MoveRow.note)
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(MatchRow.id == _WANTED)
    .order_by(MoveRow.ply)
)
_LOAD_TO_CHANGE = _LOAD.with_for_update(of=MatchRow)
_UNFINISHED = (
    select(MatchRow.id)
    .where(MatchRow.owner == bindparam("owner"), MatchRow.over.is_(False))
    .order_by(MatchRow.updated.desc(), MatchRow.id)
    .limit(bindparam("most"))
)
_ADD = insert(MatchRow)
_ADD_PLIES = insert(MoveRow)
_CHANGE = update(MatchRow).where(MatchRow.id == _WANTED)
_TAKE_BACK = delete(MoveRow).where(MoveRow.match_id == _WANTED, MoveRow.ply > bindparam("kept"))


class Store:
    """Matches, kept. Every change is one transaction that reads, decides and writes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock

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
        with self.database.write() as connection:
            fixed = {"id": record.id, "owner": owner, "game": game, "created": now}
            connection.execute(_ADD, fixed | _columns(record))
            _add_plies(connection, record, 0)
        return record

    def find(self, match_id: str) -> Record:
        """The match as it stands; raises UnknownMatchError."""
        with self.database.read() as connection:
            return _load(connection, match_id)

    def change(self, match_id: str, decide: Callable[[Record], Record]) -> Record:
        """What `decide` makes of the match, stored whole; nothing changes where it raises."""
        with self.database.write() as connection:
            before = _load(connection, match_id, to_change=True)
            after = decide(before)
            if after == before:
                return before
            after = replace(after, updated=int(self._clock()))
            _save(connection, before, after)
            return after

    def unfinished(self, owner: str, most: int) -> tuple[Record, ...]:
        """The owner's matches that go on, the last touched first."""
        with self.database.read() as connection:
            found = connection.scalars(_UNFINISHED, {"owner": owner, "most": most}).all()
            return tuple(_load(connection, match_id) for match_id in found)

    def answers(self) -> bool:
        """Whether the database does."""
        with self.database.read() as connection:
            return bool(connection.scalar(text("select 1")) == 1)


def _load(connection: Connection, match_id: str, *, to_change: bool = False) -> Record:
    rows = connection.execute(_LOAD_TO_CHANGE if to_change else _LOAD, {"wanted": match_id}).all()
    if not rows:
        raise UnknownMatchError("there is no such match: its address may be mistyped")
    row = rows[0]
    return Record(
        id=row.id,
        owner=row.owner,
        game=row.game,
        seats=(row.first, row.second),
        plies=tuple(PlyRecord(ply.text, ply.played, ply.note) for ply in rows if ply.text),
        revision=row.revision,
        resigned=None if row.resigned is None else Seat(row.resigned),
        updated=row.updated,
    )


def _save(connection: Connection, before: Record, after: Record) -> None:
    """Write the difference: plies taken back go, new ones come."""
    kept = sum(1 for old, new in zip(before.plies, after.plies, strict=False) if old == new)
    if kept < len(before.plies):
        connection.execute(_TAKE_BACK, {"wanted": after.id, "kept": kept})
    _add_plies(connection, after, kept)
    connection.execute(_CHANGE, {"wanted": after.id} | _columns(after))


def _add_plies(connection: Connection, record: Record, kept: int) -> None:
    rows = [
        {
            "match_id": record.id,
            "ply": number,
            "text": ply.text,
            "revision": ply.revision,
            "note": ply.note,
        }
        for number, ply in enumerate(record.plies[kept:], start=kept + 1)
    ]
    if rows:
        connection.execute(_ADD_PLIES, rows)


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
