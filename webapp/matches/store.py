"""The match store: its SQL, and the methods that run it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from time import time
from typing import Any

from sqlalchemy import (
    BindParameter,
    ClauseElement,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPICursor

from engine import Seat
from engine.errors import warn_once
from webapp.replays.models import (
    UNSTORED,
    PlyRecord,
    Proposal,
    Record,
    UnknownMatchError,
    Unreadable,
    UnreadableMatchError,
)
from webapp.replays.presence import Pulse
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper, pair, text
from webapp.storage.tables.matches import AnalysisRow, MatchRow, MoveRow

SEEN_COLUMNS = ("first_seen", "second_seen")
MATCHES = RowMapper(
    Record,
    MatchRow,
    seats=pair("seats", "first", "second"),
    holders=pair("holders", "first_holder", "second_holder"),
    seen=pair("seen", *SEEN_COLUMNS),
    offer=text("offer", Proposal.read),
)
UNCHANGING = {"id", "owner", "game", "start", "created", *SEEN_COLUMNS}  # while it is played
DIGEST_CHARS = 32
DRAW = 2  # in the column `result`, which else is the winner's seat

MATCH_ID: BindParameter[str] = bindparam("match_id")
LOAD = (
    select(*MATCHES.columns, MoveRow.text, MoveRow.revision, MoveRow.note)
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(MatchRow.id == MATCH_ID)
    .order_by(MoveRow.ply)
)
LOAD_TO_CHANGE = LOAD.with_for_update(of=MatchRow)
IS_PLAYERS = or_(
    MatchRow.owner == bindparam("owner"),
    MatchRow.first_holder == bindparam("owner"),
    MatchRow.second_holder == bindparam("owner"),
)
INVITED = select(MatchRow.id).where(MatchRow.invitation == bindparam("secret"))
PULSE = select(
    MatchRow.revision,
    MatchRow.offer,
    MatchRow.followed_by,
    MatchRow.first_holder,
    MatchRow.second_holder,
    MatchRow.first_seen,
    MatchRow.second_seen,
).where(MatchRow.id == MATCH_ID)
OF_PLAYER = (
    select(MatchRow.id)
    .where(IS_PLAYERS)
    .order_by(MatchRow.updated.desc(), MatchRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # without it SQLite gets an unnamed parameter
)
UNFINISHED = OF_PLAYER.where(MatchRow.over.is_(False))
LENGTHS = (
    select(func.count(MoveRow.ply))
    .select_from(MatchRow)
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(IS_PLAYERS)
    .group_by(MatchRow.id, MatchRow.updated)
    .order_by(MatchRow.updated.desc(), MatchRow.id)
)
SAME_GAME = select(MatchRow.id).where(MatchRow.digest == bindparam("same"), IS_PLAYERS)
FINISHED = select(
    MatchRow.game,
    MatchRow.first,
    MatchRow.second,
    MatchRow.first_holder,
    MatchRow.second_holder,
    MatchRow.result,
).where(IS_PLAYERS, MatchRow.result.is_not(None))
IS_OLD = (MatchRow.over == bindparam("finished"), MatchRow.updated < bindparam("before"))
SOME_OLD = select(MatchRow.id).where(*IS_OLD).limit(bindparam("most")).offset(bindparam("after"))
DELETE_OLD = delete(MatchRow).where(MatchRow.id.in_(SOME_OLD), *IS_OLD)
INSERT_MATCH, INSERT_MOVE, INSERT_ANALYSIS = insert(MatchRow), insert(MoveRow), insert(AnalysisRow)
UPDATE_MATCH = update(MatchRow).where(MatchRow.id == MATCH_ID)
DELETE_MOVES = delete(MoveRow).where(MoveRow.match_id == MATCH_ID, MoveRow.ply > bindparam("kept"))
DELETE_ANALYSES = delete(AnalysisRow).where(
    AnalysisRow.match_id == MATCH_ID, AnalysisRow.ply > bindparam("kept")
)


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a finished match, without its moves."""

    game: str
    seats: tuple[str, str]
    holders: tuple[str | None, str | None]
    result: int  # the winner's seat, or 2 for a draw


class MatchStore:
    """The matches in the database; every change reads, decides and writes in one transaction."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock

    def create(self, record: Record) -> Record:
        """Store a new match under an id that nobody can guess."""
        with self.database.write() as cursor:
            return self.begin(cursor, record)

    def find(self, match_id: str) -> Record:
        """Load a match; raises UnknownMatchError."""
        with self.database.read() as cursor:
            return self.load(cursor, match_id)

    def change(self, match_id: str, decide: Callable[[Record], Record]) -> Record:
        """Store what `decide` returns for the match; nothing changes if it raises.

        A record without an id is created as a new match.
        """
        with self.database.write() as cursor:
            before = self.load(cursor, match_id, LOAD_TO_CHANGE)
            after = decide(before)
            if after.id == UNSTORED:
                begun = self.begin(cursor, after)
                if after.follows == before.id:
                    self._save(cursor, before, self._followed(before, begun))
                return begun
            return self.save(cursor, before, after)

    def save(self, cursor: DBAPICursor, before: Record, after: Record) -> Record:
        """Write the difference within a transaction that has loaded the match to change it."""
        if after == before:
            return before
        after = replace(after, updated=int(self._clock()))
        self._save(cursor, before, after)
        return after

    def invited_to(self, secret: str) -> str:
        """The id of the match that an invitation belongs to; raises UnknownMatchError."""
        rows = self.database.fetch(INVITED, secret=secret) if secret.isprintable() else ()
        if not rows:
            why = "there is no such invitation: it was withdrawn, or its address is mistyped"
            raise UnknownMatchError(why)
        return str(rows[0][0])

    def pulse(self, match_id: str) -> Pulse:
        """What a following page polls for, by a cheap query; raises UnknownMatchError."""
        rows = self.database.fetch(PULSE, match_id=match_id) if match_id.isprintable() else ()
        if not rows:
            raise UnknownMatchError("there is no such match: its address may be mistyped")
        revision, offer, followed_by, one, other, first, second = rows[0]
        return Pulse(revision, offer, followed_by, (one, other), (first, second))

    def saw(self, seen: Mapping[tuple[str, Seat], int]) -> None:
        """Store when players were last seen."""
        with self.database.write() as cursor:
            for (match_id, seat), at in seen.items():
                values = {"match_id": match_id, SEEN_COLUMNS[seat]: at}
                self.database.run(cursor, UPDATE_MATCH, values)

    def unfinished(self, owner: str, most: int) -> tuple[Record | Unreadable, ...]:
        """The owner's unfinished matches, the last changed first."""
        with self.database.read() as cursor:
            return self._listed(cursor, UNFINISHED, owner=owner, most=most, after=0)

    def of_player(self, player: str, most: int, after: int) -> tuple[Record | Unreadable, ...]:
        """A page of a player's matches, the last changed first."""
        with self.database.read() as cursor:
            return self._listed(cursor, OF_PLAYER, owner=player, most=most, after=after)

    def lengths(self, player: str) -> tuple[int, ...]:
        """The number of moves of each match of a player, in the order of `of_player`."""
        return tuple(moves for (moves,) in self.database.fetch(LENGTHS, owner=player))

    def keep(self, records: Sequence[Record]) -> int:
        """Store those that are new to their owner, all or none, and return how many.

        Looked for before the transaction, so that a file sent again keeps no writer waiting, and
        again in it, since two requests may bring the same file at once.
        """
        with self.database.read() as cursor:
            new = self._new_of(cursor, records)
        if not new:
            return 0
        rows = {id(record): self._fresh(record) for record in new}  # which replays every move
        with self.database.write() as cursor:
            new = self._new_of(cursor, new)
            for record in new:
                self._insert(cursor, *rows[id(record)])
            return len(new)

    def _new_of(self, cursor: DBAPICursor, records: Sequence[Record]) -> list[Record]:
        """Those of which the owner has none with the same time of creation, players and moves."""
        new = []
        for record in records:
            same = {"owner": record.owner, "same": digest_of(record)}
            if self.database.run(cursor, SAME_GAME, same).fetchone() is None:
                new.append(record)
        return new

    def finished(self, player: str) -> tuple[Finished, ...]:
        """The results of a player's finished matches."""
        return tuple(
            Finished(game, (first, second), (one, other), result)
            for game, first, second, one, other, result in self.database.fetch(
                FINISHED, owner=player
            )
        )

    def remove_old(self, before: float, most: int, *, finished: bool) -> int:
        """Delete finished or unfinished matches last changed before then; returns how many."""
        with self.database.write() as cursor:
            values = {"before": int(before), "most": most, "after": 0, "finished": finished}
            return self.database.run(cursor, DELETE_OLD, values).rowcount

    def _followed(self, record: Record, begun: Record) -> Record:
        """The record with a link to its rematch."""
        return replace(
            record,
            followed_by=begun.id,
            offer=None,
            revision=record.revision + 1,
            updated=int(self._clock()),
        )

    def begin(self, cursor: DBAPICursor, record: Record) -> Record:
        """Store a new match within a transaction."""
        return self._insert(cursor, *self._fresh(record))

    def _fresh(self, record: Record) -> tuple[Record, dict[str, Any]]:
        """The record of a new match, with an id and times, and its row."""
        now = int(self._clock())
        updated = record.updated or now  # an imported match keeps its times
        began = record.created or now
        record = replace(record, id=secrets.token_urlsafe(16), updated=updated, created=began)
        return record, _row(record)

    def _insert(self, cursor: DBAPICursor, record: Record, row: dict[str, Any]) -> Record:
        self.database.run(cursor, INSERT_MATCH, row | dict.fromkeys(SEEN_COLUMNS))
        self._write_plies(cursor, record, 0)
        return record

    def _save(self, cursor: DBAPICursor, before: Record, after: Record) -> None:
        """Write the difference: delete plies that were taken back, insert new ones."""
        kept = sum(1 for old, new in zip(before.plies, after.plies, strict=False) if old == new)
        if kept < len(before.plies):
            for statement in (DELETE_MOVES, DELETE_ANALYSES):
                self.database.run(cursor, statement, {"match_id": after.id, "kept": kept})
        self._write_plies(cursor, after, kept)
        row = {name: value for name, value in _row(after).items() if name not in UNCHANGING}
        self.database.run(cursor, UPDATE_MATCH, {"match_id": after.id} | row)

    def _write_plies(self, cursor: DBAPICursor, record: Record, kept: int) -> None:
        for number, ply in enumerate(record.plies[kept:], start=kept + 1):
            of_ply = {"match_id": record.id, "ply": number}
            row = {"text": ply.text, "revision": ply.revision, "note": ply.note}
            self.database.run(cursor, INSERT_MOVE, of_ply | row)
            if ply.analysis is not None:
                self.database.run(cursor, INSERT_ANALYSIS, of_ply | {"packed": ply.analysis})

    def load(self, cursor: DBAPICursor, match_id: str, load: ClauseElement = LOAD) -> Record:
        """Load a match within a transaction; raises UnknownMatchError."""
        rows: Sequence[Any] = ()
        if match_id.isprintable():  # PostgreSQL refuses a NUL in a text
            rows = self.database.run(cursor, load, {"match_id": match_id}).fetchall()
        if not rows:
            raise UnknownMatchError("there is no such match: its address may be mistyped")
        moves = map(MATCHES.rest, rows)
        try:
            plies = tuple(PlyRecord(*move) for move in moves if move[0] is not None)
            return MATCHES.read(rows[0], plies=plies)
        except (ValueError, TypeError) as error:
            warn_once(__name__, f"match {match_id} cannot be read: {error!r}"[:500])
            raise UnreadableMatchError("this match was not kept as it must be") from error

    def _listed(
        self, cursor: DBAPICursor, statement: ClauseElement, **values: Any
    ) -> tuple[Record | Unreadable, ...]:
        """The matches of these ids; a list must not fail on one unreadable row."""
        found = self.database.run(cursor, statement, values).fetchall()
        return tuple(self._load_or_unreadable(cursor, match_id) for (match_id,) in found)

    def _load_or_unreadable(self, cursor: DBAPICursor, match_id: str) -> Record | Unreadable:
        try:
            record = self.load(cursor, match_id)
            record.match  # noqa: B018 - whether it can be replayed
        except UnreadableMatchError:
            return Unreadable(match_id)
        return record


def _row(record: Record) -> dict[str, Any]:
    """Record to row."""
    outcome = record.outcome
    result = None
    if outcome is not None:
        result = DRAW if outcome.winner is None else int(outcome.winner)
    digest = digest_of(record)
    return MATCHES.write(record, over=outcome is not None, result=result, digest=digest)


def digest_of(record: Record) -> str:
    """Of when it began, its players and its moves: what makes an imported match the same."""
    moves = " ".join(ply.text for ply in record.plies)
    resigned = None if record.resigned is None else int(record.resigned)
    told = repr((record.created, record.game, *record.seats, record.start, resigned, moves))
    return sha256(told.encode()).hexdigest()[:DIGEST_CHARS]
