"""Everything that is asked of the database about matches."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Event, Thread
from time import time
from typing import Any

from sqlalchemy import insert, update
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import SQLAlchemyError

from engine import Seat
from engine.errors import ZermeloError, tell_once
from webapp.matches.rows import (
    BEGUN_AT,
    CHANGING,
    FINISHED,
    INVITED,
    LENGTHS,
    LOAD,
    OF_PLAYER,
    PULSE,
    REMOVE,
    SAID,
    SEEN,
    TAKE_BACK,
    UNFINISHED,
    UNSAY,
    UNTOUCHED,
    WANTED,
    columns_of,
    record_of,
)
from webapp.replays.models import UNSTORED, Finished, Record, Unreadable, is_same_game
from webapp.replays.seats import Pulse
from webapp.storage.database import Database
from webapp.storage.tables import AnalysisRow, MatchRow, MoveRow
from webapp.web.errors import UnknownMatchError, UnreadableMatchError


class Store:
    """Matches, kept. Every change is one transaction that reads, decides and writes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        self._load = database.written(LOAD)
        self._load_to_change = database.written(LOAD.with_for_update(of=MatchRow))
        self._invited = database.written(INVITED)
        self._pulse = database.written(PULSE)
        changed = update(MatchRow).where(MatchRow.id == WANTED)
        self._seen = tuple(database.written(changed, name) for name in SEEN)
        self._of_player = database.written(OF_PLAYER)
        self._lengths = database.written(LENGTHS)
        self._begun_at = database.written(BEGUN_AT)
        self._finished = database.written(FINISHED)
        self._unfinished = database.written(UNFINISHED)
        self._untouched = database.written(UNTOUCHED)
        self._remove = database.written(REMOVE)
        self._add = database.written(insert(MatchRow))
        self._add_ply = database.written(insert(MoveRow))
        self._change = database.written(update(MatchRow).where(MatchRow.id == WANTED), *CHANGING)
        self._take_back = database.written(TAKE_BACK)
        self._said = database.written(SAID)
        self._say = database.written(insert(AnalysisRow))
        self._unsay = database.written(UNSAY)

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
                begun = self._begin(cursor, after)
                if after.follows == before.id:
                    self._save(cursor, before, self._followed(before, begun))
                return begun
            if after == before:
                return before
            after = replace(after, updated=int(self._clock()))
            self._save(cursor, before, after)
            return after

    def invited_to(self, secret: str) -> str:
        """The match that an invitation leads to; raises UnknownMatchError."""
        rows: Sequence[Any] = ()
        if secret.isprintable():
            with self.database.read() as cursor:
                cursor.execute(self._invited, {"secret": secret})
                rows = cursor.fetchall()
        if not rows:
            why = "there is no such invitation: it was withdrawn, or its address is mistyped"
            raise UnknownMatchError(why)
        return str(rows[0][0])

    def pulse(self, match_id: str) -> Pulse:
        """What a page that follows the match has to know: a look that costs next to nothing."""
        row: Any = None
        if match_id.isprintable():
            with self.database.read() as cursor:
                cursor.execute(self._pulse, {"wanted": match_id})
                row = cursor.fetchone()
        if row is None:
            raise UnknownMatchError("there is no such match: its address may be mistyped")
        revision, offer, followed_by, one, other, first, second = row
        return Pulse(revision, offer, followed_by, (one, other), (first, second))

    def saw(self, seen: Mapping[tuple[str, Seat], int]) -> None:
        """Write down who looked when, all at once."""
        with self.database.write() as cursor:
            for (match_id, seat), at in seen.items():
                cursor.execute(self._seen[seat], {"wanted": match_id, SEEN[seat]: at})

    def unfinished(self, owner: str, most: int) -> tuple[Record | Unreadable, ...]:
        """The owner's matches that go on, the last touched first."""
        with self.database.read() as cursor:
            cursor.execute(self._unfinished, {"owner": owner, "most": most, "after": 0})
            found = cursor.fetchall()
            return tuple(_loaded_if_readable(cursor, self._load, id_) for (id_,) in found)

    def of_player(self, player: str, most: int, after: int) -> tuple[Record | Unreadable, ...]:
        """All matches of a player, the last touched first, so many after so many."""
        with self.database.read() as cursor:
            cursor.execute(self._of_player, {"owner": player, "most": most, "after": after})
            found = cursor.fetchall()
            return tuple(_loaded_if_readable(cursor, self._load, id_) for (id_,) in found)

    def lengths(self, player: str) -> tuple[int, ...]:
        """How many moves each match of a player has, in the order of `of_player`."""
        with self.database.read() as cursor:
            cursor.execute(self._lengths, {"owner": player})
            return tuple(moves for (moves,) in cursor.fetchall())

    def keep(self, records: Sequence[Record]) -> int:
        """How many of these were new to their owner, and are now kept; all or none."""
        with self.database.write() as cursor:
            new = [record for record in records if not self._has(cursor, record)]
            for record in new:
                self._begin(cursor, record)
            return len(new)

    def _has(self, cursor: DBAPICursor, record: Record) -> bool:
        """Whether the owner has a match that began then and went the same way."""
        cursor.execute(self._begun_at, {"owner": record.owner, "began": record.created})
        found = cursor.fetchall()
        others = [_loaded_if_readable(cursor, self._load, id_) for (id_,) in found]
        return any(isinstance(other, Record) and is_same_game(other, record) for other in others)

    def finished(self, player: str) -> tuple[Finished, ...]:
        """How each finished match of a player ended, without a move of it."""
        with self.database.read() as cursor:
            cursor.execute(self._finished, {"owner": player})
            return tuple(
                Finished(game, (first, second), (one, other), result)
                for game, first, second, one, other, result in cursor.fetchall()
            )

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

    def _followed(self, record: Record, begun: Record) -> Record:
        """The match that another was agreed on after, which whoever looks at it is told."""
        return replace(
            record,
            followed_by=begun.id,
            offer=None,
            revision=record.revision + 1,
            updated=int(self._clock()),
        )

    def _begin(self, cursor: DBAPICursor, record: Record) -> Record:
        now = int(self._clock())
        updated = record.updated or now  # a match from elsewhere keeps its time
        began = record.created or now
        record = replace(record, id=secrets.token_urlsafe(16), updated=updated, created=began)
        fixed = {"id": record.id, "owner": record.owner, "game": record.game}
        cursor.execute(
            self._add,
            fixed
            | {"start": record.start, "created": began}
            | dict.fromkeys(SEEN)
            | columns_of(record),
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
        cursor.execute(self._change, {"wanted": after.id} | columns_of(after))

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
        return record_of(match_id, rows)
    except (ValueError, TypeError) as error:
        tell_once(__name__, f"match {match_id} cannot be read: {error!r}"[:500])
        raise UnreadableMatchError("this match was not kept as it must be") from error


def _loaded_if_readable(cursor: DBAPICursor, load: str, match_id: str) -> Record | Unreadable:
    """For a list, which goes on after a row that makes no sense."""
    try:
        record = _loaded(cursor, load, match_id)
        record.match  # noqa: B018 - whether it can be replayed
    except UnreadableMatchError:
        return Unreadable(match_id)
    return record


log = logging.getLogger(__name__)

A_DAY = 24 * 3600
EVERY = 3600.0  # seconds between two looks
AT_ONCE = 50  # matches in one transaction, which nobody notices
PAUSE = 0.5  # seconds between two of these, in which others write


def keep_removing(store: Store, days: float | None) -> Event:
    """Begin to remove what was untouched for so many days, until the event is set."""
    ended = Event()
    if days is not None:
        work = (store, days * A_DAY, ended)
        Thread(target=_work, args=work, name="removal", daemon=True).start()
    return ended


def remove_untouched(store: Store, before: float, ended: Event) -> int:
    """How many unfinished matches went that nobody has touched since."""
    removed = 0
    while not ended.is_set():
        found = store.untouched(int(before), AT_ONCE)
        removed += store.remove_untouched(found, int(before))
        if len(found) < AT_ONCE:
            break
        ended.wait(PAUSE)
    return removed


def _work(store: Store, seconds: float, ended: Event) -> None:
    while not ended.is_set():
        try:
            if removed := remove_untouched(store, time() - seconds, ended):
                log.warning("%d unfinished matches were removed: nobody came back", removed)
        except (SQLAlchemyError, ZermeloError) as error:
            log.warning("unfinished matches could not be removed now: %s", error)
        ended.wait(EVERY)
