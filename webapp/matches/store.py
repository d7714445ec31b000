"""The match store, and the thread that removes abandoned matches."""

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
    ABANDONED,
    BEGUN_AT,
    CHANGING_COLUMNS,
    DELETE_ANALYSES,
    DELETE_MOVES,
    FINISHED,
    INVITED,
    LENGTHS,
    LOAD,
    MATCH_ID,
    OF_PLAYER,
    PULSE,
    REMOVE,
    SEEN_COLUMNS,
    UNFINISHED,
    columns_of,
    record_of,
)
from webapp.replays.errors import UnknownMatchError, UnreadableMatchError
from webapp.replays.models import UNSTORED, Finished, Record, Unreadable, is_same_game
from webapp.replays.seats import Pulse
from webapp.storage.database import Database
from webapp.storage.tables import AnalysisRow, MatchRow, MoveRow

log = logging.getLogger(__name__)

DAY_S = 24 * 3600
REMOVAL_INTERVAL_S = 3600.0
REMOVAL_BATCH = 50  # matches in one transaction
REMOVAL_PAUSE_S = 0.5  # between two batches, in which others can write


class Store:
    """The matches in the database; every change reads, decides and writes in one transaction."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        self._load = database.written(LOAD)
        self._load_to_change = database.written(LOAD.with_for_update(of=MatchRow))
        self._invited = database.written(INVITED)
        self._pulse = database.written(PULSE)
        changed = update(MatchRow).where(MatchRow.id == MATCH_ID)
        self._seen = tuple(database.written(changed, name) for name in SEEN_COLUMNS)
        self._of_player = database.written(OF_PLAYER)
        self._lengths = database.written(LENGTHS)
        self._begun_at = database.written(BEGUN_AT)
        self._finished = database.written(FINISHED)
        self._unfinished = database.written(UNFINISHED)
        self._abandoned = database.written(ABANDONED)
        self._remove = database.written(REMOVE)
        self._add = database.written(insert(MatchRow))
        self._add_ply = database.written(insert(MoveRow))
        self._change = database.written(
            update(MatchRow).where(MatchRow.id == MATCH_ID), *CHANGING_COLUMNS
        )
        self._delete_plies = database.written(DELETE_MOVES)
        self._add_analysis = database.written(insert(AnalysisRow))
        self._delete_analyses = database.written(DELETE_ANALYSES)

    def create(self, record: Record) -> Record:
        """Store a new match under an id that nobody can guess."""
        with self.database.write() as cursor:
            return self._begin(cursor, record)

    def find(self, match_id: str) -> Record:
        """Load a match; raises UnknownMatchError."""
        with self.database.read() as cursor:
            return _load(cursor, self._load, match_id)

    def change(self, match_id: str, decide: Callable[[Record], Record]) -> Record:
        """Store what `decide` returns for the match; nothing changes if it raises.

        A record without an id is created as a new match.
        """
        with self.database.write() as cursor:
            before = _load(cursor, self._load_to_change, match_id)
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
        """The id of the match that an invitation belongs to; raises UnknownMatchError."""
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
        """What a following page polls for, by a cheap query; raises UnknownMatchError."""
        row: Any = None
        if match_id.isprintable():
            with self.database.read() as cursor:
                cursor.execute(self._pulse, {"match_id": match_id})
                row = cursor.fetchone()
        if row is None:
            raise UnknownMatchError("there is no such match: its address may be mistyped")
        revision, offer, followed_by, one, other, first, second = row
        return Pulse(revision, offer, followed_by, (one, other), (first, second))

    def saw(self, seen: Mapping[tuple[str, Seat], int]) -> None:
        """Store when players were last seen."""
        with self.database.write() as cursor:
            for (match_id, seat), at in seen.items():
                cursor.execute(self._seen[seat], {"match_id": match_id, SEEN_COLUMNS[seat]: at})

    def unfinished(self, owner: str, most: int) -> tuple[Record | Unreadable, ...]:
        """The owner's unfinished matches, the last changed first."""
        with self.database.read() as cursor:
            cursor.execute(self._unfinished, {"owner": owner, "most": most, "after": 0})
            found = cursor.fetchall()
            return tuple(_load_or_unreadable(cursor, self._load, id_) for (id_,) in found)

    def of_player(self, player: str, most: int, after: int) -> tuple[Record | Unreadable, ...]:
        """A page of a player's matches, the last changed first."""
        with self.database.read() as cursor:
            cursor.execute(self._of_player, {"owner": player, "most": most, "after": after})
            found = cursor.fetchall()
            return tuple(_load_or_unreadable(cursor, self._load, id_) for (id_,) in found)

    def lengths(self, player: str) -> tuple[int, ...]:
        """The number of moves of each match of a player, in the order of `of_player`."""
        with self.database.read() as cursor:
            cursor.execute(self._lengths, {"owner": player})
            return tuple(moves for (moves,) in cursor.fetchall())

    def keep(self, records: Sequence[Record]) -> int:
        """Store those that are new to their owner, all or none, and return how many."""
        with self.database.write() as cursor:
            new = [record for record in records if not self._has(cursor, record)]
            for record in new:
                self._begin(cursor, record)
            return len(new)

    def _has(self, cursor: DBAPICursor, record: Record) -> bool:
        """Whether the owner has a match with the same time of creation and the same moves."""
        cursor.execute(self._begun_at, {"owner": record.owner, "began": record.created})
        found = cursor.fetchall()
        others = [_load_or_unreadable(cursor, self._load, id_) for (id_,) in found]
        return any(isinstance(other, Record) and is_same_game(other, record) for other in others)

    def finished(self, player: str) -> tuple[Finished, ...]:
        """The results of a player's finished matches."""
        with self.database.read() as cursor:
            cursor.execute(self._finished, {"owner": player})
            return tuple(
                Finished(game, (first, second), (one, other), result)
                for game, first, second, one, other, result in cursor.fetchall()
            )

    def abandoned(self, before: int, most: int) -> tuple[str, ...]:
        """The ids of unfinished matches last changed before that time."""
        with self.database.read() as cursor:
            cursor.execute(self._abandoned, {"before": before, "most": most, "after": 0})
            return tuple(match_id for (match_id,) in cursor.fetchall())

    def delete_abandoned(self, match_ids: Sequence[str], before: int) -> int:
        """Delete those still unchanged, with their moves, and return how many."""
        with self.database.write() as cursor:
            removed = 0
            for match_id in match_ids:
                cursor.execute(self._remove, {"match_id": match_id, "before": before})
                removed += cursor.rowcount
            return removed

    def answers(self) -> bool:
        """Whether the database responds."""
        with self.database.read() as cursor:
            cursor.execute("select 1")
            return list(cursor.fetchall()) == [(1,)]

    def _followed(self, record: Record, begun: Record) -> Record:
        """The record with a link to its rematch."""
        return replace(
            record,
            followed_by=begun.id,
            offer=None,
            revision=record.revision + 1,
            updated=int(self._clock()),
        )

    def _begin(self, cursor: DBAPICursor, record: Record) -> Record:
        now = int(self._clock())
        updated = record.updated or now  # an imported match keeps its times
        began = record.created or now
        record = replace(record, id=secrets.token_urlsafe(16), updated=updated, created=began)
        fixed = {"id": record.id, "owner": record.owner, "game": record.game}
        cursor.execute(
            self._add,
            fixed
            | {"start": record.start, "created": began}
            | dict.fromkeys(SEEN_COLUMNS)
            | columns_of(record),
        )
        self._write_plies(cursor, record, 0)
        return record

    def _save(self, cursor: DBAPICursor, before: Record, after: Record) -> None:
        """Write the difference: delete plies that were taken back, insert new ones."""
        kept = sum(1 for old, new in zip(before.plies, after.plies, strict=False) if old == new)
        if kept < len(before.plies):
            cursor.execute(self._delete_plies, {"match_id": after.id, "kept": kept})
            cursor.execute(self._delete_analyses, {"match_id": after.id, "kept": kept})
        self._write_plies(cursor, after, kept)
        cursor.execute(self._change, {"match_id": after.id} | columns_of(after))

    def _write_plies(self, cursor: DBAPICursor, record: Record, kept: int) -> None:
        for number, ply in enumerate(record.plies[kept:], start=kept + 1):
            row = {"match_id": record.id, "ply": number, "text": ply.text}
            cursor.execute(self._add_ply, row | {"revision": ply.revision, "note": ply.note})
            if ply.analysis is not None:
                row = {"match_id": record.id, "ply": number, "packed": ply.analysis}
                cursor.execute(self._add_analysis, row)


def _load(cursor: DBAPICursor, load: str, match_id: str) -> Record:
    rows: Sequence[Any] = ()
    if match_id.isprintable():  # PostgreSQL refuses a NUL in a text
        cursor.execute(load, {"match_id": match_id})
        rows = cursor.fetchall()
    if not rows:
        raise UnknownMatchError("there is no such match: its address may be mistyped")
    try:
        return record_of(match_id, rows)
    except (ValueError, TypeError) as error:
        tell_once(__name__, f"match {match_id} cannot be read: {error!r}"[:500])
        raise UnreadableMatchError("this match was not kept as it must be") from error


def _load_or_unreadable(cursor: DBAPICursor, load: str, match_id: str) -> Record | Unreadable:
    """Load a match for a list, which must not fail on one unreadable row."""
    try:
        record = _load(cursor, load, match_id)
        record.match  # noqa: B018 - whether it can be replayed
    except UnreadableMatchError:
        return Unreadable(match_id)
    return record


def keep_removing(store: Store, days: float | None) -> Event:
    """Start the thread that removes matches unchanged for `days`; set the event to stop it."""
    ended = Event()
    if days is not None:
        work = (store, days * DAY_S, ended)
        Thread(target=_remove_regularly, args=work, name="removal", daemon=True).start()
    return ended


def remove_abandoned(store: Store, before: float, ended: Event) -> int:
    """Delete unfinished matches last changed before that time, in batches; return how many."""
    removed = 0
    while not ended.is_set():
        found = store.abandoned(int(before), REMOVAL_BATCH)
        removed += store.delete_abandoned(found, int(before))
        if len(found) < REMOVAL_BATCH:
            break
        ended.wait(REMOVAL_PAUSE_S)
    return removed


def _remove_regularly(store: Store, seconds: float, ended: Event) -> None:
    while not ended.is_set():
        try:
            if removed := remove_abandoned(store, time() - seconds, ended):
                log.warning("%d unfinished matches were removed: nobody came back", removed)
        except (SQLAlchemyError, ZermeloError) as error:
            log.warning("unfinished matches could not be removed now: %s", error)
        ended.wait(REMOVAL_INTERVAL_S)
