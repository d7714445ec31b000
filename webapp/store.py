"""Everything that is asked of the database, and all the SQL there is."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from time import time

from sqlalchemy import Connection, delete, insert, select, text, update

from engine import Seat
from webapp.db import Database
from webapp.errors import UnknownMatchError
from webapp.models import MatchRow, MoveRow
from webapp.records import PlyRecord, Record


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
            connection.execute(
                insert(MatchRow).values(
                    id=record.id, owner=owner, game=game, created=now, **_columns(record)
                )
            )
            _add_plies(connection, record, 0)
        return record

    def find(self, match_id: str) -> Record:
        """The match as it stands; raises UnknownMatchError."""
        with self.database.read() as connection:
            return _load(connection, match_id)

    def change(self, match_id: str, decide: Callable[[Record], Record]) -> Record:
        """What `decide` makes of the match, stored whole; nothing changes where it raises."""
        with self.database.write() as connection:
            before = _load(connection, match_id, for_update=True)
            after = decide(before)
            if after == before:
                return before
            after = replace(after, updated=int(self._clock()))
            _save(connection, before, after)
            return after

    def unfinished(self, owner: str, most: int) -> tuple[Record, ...]:
        """The owner's matches that go on, the last touched first."""
        with self.database.read() as connection:
            wanted = (
                select(MatchRow.id)
                .where(MatchRow.owner == owner, MatchRow.over.is_(False))
                .order_by(MatchRow.updated.desc(), MatchRow.id)
                .limit(most)
            )
            return tuple(_load(connection, match_id) for match_id in connection.scalars(wanted))

    def answers(self) -> bool:
        """Whether the database does."""
        with self.database.read() as connection:
            return bool(connection.scalar(text("select 1")) == 1)


def _load(connection: Connection, match_id: str, *, for_update: bool = False) -> Record:
    wanted = select(MatchRow.__table__).where(MatchRow.id == match_id)
    row = connection.execute(wanted.with_for_update() if for_update else wanted).one_or_none()
    if row is None:
        raise UnknownMatchError("there is no such match: its address may be mistyped")
    moves = connection.execute(
        select(MoveRow.text, MoveRow.revision, MoveRow.note)
        .where(MoveRow.match_id == match_id)
        .order_by(MoveRow.ply)
    )
    return Record(
        id=row.id,
        owner=row.owner,
        game=row.game,
        seats=(row.first, row.second),
        plies=tuple(PlyRecord(*move) for move in moves),
        revision=row.revision,
        resigned=None if row.resigned is None else Seat(row.resigned),
        updated=row.updated,
    )


def _save(connection: Connection, before: Record, after: Record) -> None:
    """Write the difference: plies taken back go, new ones come."""
    kept = sum(1 for old, new in zip(before.plies, after.plies, strict=False) if old == new)
    if kept < len(before.plies):
        gone = (MoveRow.match_id == after.id, MoveRow.ply > kept)
        connection.execute(delete(MoveRow).where(*gone))
    _add_plies(connection, after, kept)
    connection.execute(update(MatchRow).where(MatchRow.id == after.id).values(**_columns(after)))


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
        connection.execute(insert(MoveRow), rows)


def _columns(record: Record) -> dict[str, object]:
    """The columns of a match that change as it is played."""
    return {
        "first": record.seats[0],
        "second": record.seats[1],
        "revision": record.revision,
        "resigned": None if record.resigned is None else int(record.resigned),
        "over": record.match.outcome() is not None,
        "updated": record.updated,
    }
