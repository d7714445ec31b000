"""The store of bots' games, their clocks and logs: its SQL, and the methods that run it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from engine import Seat
from webapp.bots import rules
from webapp.bots.models import (
    BotGame,
    BotRecord,
    Change,
    OpenGame,
    TimeControl,
    TurnLog,
    UnknownTurnError,
)
from webapp.bots.store import BotStore
from webapp.matches.store import LOAD_TO_CHANGE, MatchStore
from webapp.replays.models import Record, UnknownMatchError, UnreadableMatchError, bot_id_of
from webapp.storage.rows import RowMapper
from webapp.storage.tables.bots import BotGameRow, BotRow, BotTurnRow
from webapp.storage.tables.matches import MatchRow

DEFAULT_TIME = TimeControl()
MAX_LOGGED_GAMES = 10  # of a bot, the last ones
GAMES = RowMapper(BotGame, BotGameRow)
LOGS = RowMapper(TurnLog, BotTurnRow)

IS_GAME = (BotGameRow.match_id == bindparam("match"), BotGameRow.seat == bindparam("side"))
GAME = select(*GAMES.columns).where(*IS_GAME)
OPEN_GAMES = (
    select(*GAMES.columns)
    .where(BotGameRow.bot_id == bindparam("wanted"), BotGameRow.open.is_(True))
    .order_by(BotGameRow.handed.is_(None), BotGameRow.created)
)
COUNT_OPEN = (
    select(func.count(BotGameRow.match_id))
    .join(MatchRow, MatchRow.id == BotGameRow.match_id)
    .where(
        BotGameRow.bot_id == bindparam("wanted"),
        BotGameRow.open.is_(True),
        MatchRow.over.is_(False),
    )
)
LAST_GAMES = (
    select(*GAMES.columns)
    .where(BotGameRow.bot_id == bindparam("wanted"))
    .order_by(BotGameRow.created.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
OVERDUE = select(*GAMES.columns).where(
    BotGameRow.open.is_(True), BotGameRow.deadline < bindparam("now")
)
SILENT = (
    select(*GAMES.columns)
    .join(BotRow, BotRow.id == BotGameRow.bot_id)
    .where(
        BotGameRow.open.is_(True),
        BotGameRow.handed.is_(None),
        BotGameRow.move_s.is_not(None),
        BotGameRow.created < bindparam("before"),
        or_(BotRow.seen.is_(None), BotRow.seen < bindparam("before")),
    )
)
ENDED = (
    select(*GAMES.columns)
    .join(BotRow, BotRow.id == BotGameRow.bot_id)
    .where(BotGameRow.open.is_(True), BotRow.until <= bindparam("now"))
)
UPDATE_GAME = update(BotGameRow).where(*IS_GAME)
HAND_OUT = UPDATE_GAME.where(BotGameRow.open.is_(True))
STOP_CLOCKS = update(BotGameRow).where(BotGameRow.open.is_(True))
LOGS_OF_MATCH = (
    select(*LOGS.columns)
    .where(BotTurnRow.match_id == bindparam("match"), BotTurnRow.bot_id == bindparam("wanted"))
    .order_by(BotTurnRow.ply)
)
TIMES = (
    select(BotTurnRow.took)
    .where(BotTurnRow.bot_id == bindparam("wanted"), BotTurnRow.took.is_not(None))
    .order_by(BotTurnRow.at.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
LAST_ERROR = (
    select(*LOGS.columns)
    .where(BotTurnRow.bot_id == bindparam("wanted"), BotTurnRow.error.is_not(None))
    .order_by(BotTurnRow.at.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_LOGS = delete(BotTurnRow).where(
    BotTurnRow.bot_id == bindparam("wanted"), BotTurnRow.at < bindparam("before")
)
INSERT_GAME = insert(BotGameRow)


class BotGameStore:
    """Games of bots; every change reads, decides and writes in one transaction."""

    def __init__(self, bots: BotStore, matches: MatchStore) -> None:
        self.database = bots.database
        self.bots = bots
        self.matches = matches
        self.started = bots.now()  # before, no bot could give a sign of life
        turns = self.database.insert(BotTurnRow)
        new = turns.excluded
        self._set_log = turns.on_conflict_do_update(
            index_elements=["match_id", "ply"],
            set_={
                "at": new.at,
                "took": func.coalesce(new.took, BotTurnRow.took),
                "log": func.coalesce(new.log, BotTurnRow.log),
                "error": func.coalesce(new.error, BotTurnRow.error),
            },
        )

    @property
    def now(self) -> Callable[[], float]:
        return self.bots.now

    def begin_game(
        self,
        record: Record,
        time: TimeControl | None = DEFAULT_TIME,
        *,
        called: bool = False,
        also: Callable[[DBAPICursor, Record], None] | None = None,
    ) -> Record:
        """Store a match with bots that are free and here; raises BusyBotError.

        A bot that has `called` for the match itself is here. `also` writes what belongs to the
        match in the same transaction.
        """
        now = self.now()
        with self.database.write_counted() as cursor:
            games: list[BotGame] = []
            for seat in record.bots:
                bot = self.bots.lock(cursor, str(bot_id_of(record.seats[seat])))
                if called:
                    bot = replace(bot, seen=int(now))
                count = self._open_count(cursor, bot.id)
                count += sum(game.bot_id == bot.id for game in games)  # against itself
                rules.check_free(bot, record.match.game, count, now)
                games.append(rules.new_game(bot.id, seat, time, now))
                record = _seated(record, seat, bot)
                self._forget_old_logs(cursor, bot.id)
            stored = self.matches.begin(cursor, record)
            for game in games:
                row = _game_row(replace(game, match_id=stored.id))
                self.database.run(cursor, INSERT_GAME, row)
            if also is not None:
                also(cursor, stored)
        return stored

    def open_games(self, bot_id: str) -> tuple[OpenGame, ...]:
        """The games that a bot plays; first that whose turn was handed out, then the oldest.

        Those that have ended meanwhile are closed.
        """
        with self.database.read() as cursor:
            found, ended = self._load_open(cursor, bot_id)
        if ended:
            with self.database.write() as cursor:
                self._close(cursor, ended)
        return found

    def hand_out(self, game: BotGame, revision: int) -> BotGame:
        """Start the clock of the turn of this revision, unless the game has ended.

        The match is not read again: where it has gone on, an answer to this turn is refused.
        """
        with self.database.write() as cursor:
            return self._hand_out(cursor, game, revision)

    def change(
        self,
        match_id: str,
        bot_id: str,
        revision: int,
        decide: Callable[[Record, BotGame], Change],
    ) -> Change:
        """Store what `decide` says of a bot's turn in this revision; raises UnknownTurnError.

        The bot's open games are loaded, and its next turn is handed out, in the same transaction:
        with a commit for each of them half as many moves are played.
        """
        with self.database.write() as cursor:
            try:
                record = self.matches.load(cursor, match_id, LOAD_TO_CHANGE)
            except (UnknownMatchError, UnreadableMatchError):
                raise UnknownTurnError("there is no such turn of yours") from None
            seat = _seat_at(record, revision)
            games = self._games(cursor, GAME, match=match_id, side=int(seat))
            game = next((each for each in games if each.bot_id == bot_id), None)
            if game is None:
                raise UnknownTurnError("there is no such turn of yours")
            change = self._apply(cursor, record, game, decide)
            if change.error is not None:
                return change
            found, ended = self._load_open(cursor, bot_id, change.record)
            self._close(cursor, ended)
            return replace(change, open_games=self._hand_out_next(cursor, found))

    def forfeit_overdue(self) -> int:
        """End the games of bots whose time is over, or that are gone; returns how many."""
        now, ended = self.now(), 0
        with self.database.read() as cursor:
            late = [
                *self._games(cursor, OVERDUE, now=now),
                *self._games(cursor, SILENT, before=now - rules.FORFEIT_S),
            ]
            gone = self._games(cursor, ENDED, now=int(now))
        for game in late:
            seen = max(self.bots.find(game.bot_id).seen or 0, int(self.started))
            ended += self._forfeit(game, partial(rules.forfeit_reason, seen=seen, now=now))
        for game in gone:
            ended += self._forfeit(game, lambda _: "left")
        return ended

    def stop_clocks(self) -> None:
        """After a start of the server: turns are handed out again, and cost what they took then."""
        with self.database.write() as cursor:
            values = {"handed": None, "revision": None, "deadline": None}
            self.database.run(cursor, STOP_CLOCKS, values)

    def last_games(self, bot_id: str, most: int, after: int = 0) -> tuple[BotGame, ...]:
        """A bot's games, the latest first."""
        with self.database.read() as cursor:
            return self._games(cursor, LAST_GAMES, wanted=bot_id, most=most, after=after)

    def logs(self, match_id: str, bot_id: str) -> tuple[TurnLog, ...]:
        """What a bot took and logged in a match."""
        rows = self.database.fetch(LOGS_OF_MATCH, match=match_id, wanted=bot_id)
        return tuple(map(LOGS.read, rows))

    def last_error(self, bot_id: str) -> TurnLog | None:
        rows = self.database.fetch(LAST_ERROR, wanted=bot_id, most=1, after=0)
        return LOGS.read(rows[0]) if rows else None

    def times(self, bot_id: str, most: int = 20) -> tuple[float, ...]:
        """The seconds of a bot's last moves."""
        return tuple(
            took for (took,) in self.database.fetch(TIMES, wanted=bot_id, most=most, after=0)
        )

    def _forfeit(self, found: BotGame, why: Callable[[BotGame], str | None]) -> bool:
        """End the game if it is still this bot's turn and there still is a reason."""

        def decide(record: Record, game: BotGame) -> Change:
            is_due = record.outcome is None and record.match.state.to_move is found.seat
            reason = why(game) if is_due else None
            if reason is None:
                return Change(record, replace(game, open=record.outcome is None))
            return rules.forfeited(record, game, reason, self.now())

        with self.database.write() as cursor:
            try:
                record = self.matches.load(cursor, found.match_id, LOAD_TO_CHANGE)
            except (UnknownMatchError, UnreadableMatchError):
                return False
            (game,) = self._games(cursor, GAME, match=found.match_id, side=int(found.seat))
            return self._apply(cursor, record, game, decide).record != record

    def _load_open(
        self, cursor: DBAPICursor, bot_id: str, loaded: Record | None = None
    ) -> tuple[tuple[OpenGame, ...], list[BotGame]]:
        """The games that a bot plays with their matches, one of them `loaded`; those that ended."""
        found, ended = [], []
        for game in self._games(cursor, OPEN_GAMES, wanted=bot_id):
            try:
                if loaded is not None and loaded.id == game.match_id:
                    record = loaded
                else:
                    record = self.matches.load(cursor, game.match_id)
                is_open = record.outcome is None
            except (UnknownMatchError, UnreadableMatchError):
                is_open = False
            if is_open:
                found.append((record, game))
            else:
                ended.append(game)
        return tuple(found), ended

    def _close(self, cursor: DBAPICursor, games: Sequence[BotGame]) -> None:
        for game in games:
            self._save_game(cursor, game, replace(game, open=False, handed=None))

    def _hand_out_next(
        self, cursor: DBAPICursor, found: tuple[OpenGame, ...]
    ) -> tuple[OpenGame, ...]:
        """Hand out the first turn that is due, unless a machine has yet to reply before it."""
        for at, (record, game) in enumerate(found):
            if record.agent_is_to_move:
                break
            if rules.is_due(record, game):
                handed = self._hand_out(cursor, game, record.revision)
                return (*found[:at], (record, handed), *found[at + 1 :])
        return found

    def _hand_out(self, cursor: DBAPICursor, game: BotGame, revision: int) -> BotGame:
        handed = rules.handed_out(game, revision, self.now())
        if handed is not game:
            row = _game_row(handed)
            values = {name: row[name] for name in ("revision", "handed", "deadline")}
            key = {"match": game.match_id, "side": int(game.seat)}
            self.database.run(cursor, HAND_OUT, key | values)
        return handed

    def _apply(
        self,
        cursor: DBAPICursor,
        record: Record,
        game: BotGame,
        decide: Callable[[Record, BotGame], Change],
    ) -> Change:
        change = decide(record, game)
        after = self.matches.save(cursor, record, change.record)
        self._save_game(cursor, game, change.game)
        if change.log is not None:
            self.database.run(cursor, self._set_log, LOGS.write(change.log))
        return replace(change, record=after)

    def _save_game(self, cursor: DBAPICursor, before: BotGame, after: BotGame) -> None:
        if after == before:
            return
        row = {
            name: value
            for name, value in _game_row(after).items()
            if name not in ("match_id", "seat", "bot_id", "created")
        }
        key = {"match": after.match_id, "side": int(after.seat)}
        self.database.run(cursor, UPDATE_GAME, key | row)

    def _games(self, cursor: DBAPICursor, statement: Any, **values: Any) -> tuple[BotGame, ...]:
        """Read at once: a cursor is not used after its transaction."""
        rows: Sequence[Any] = self.database.run(cursor, statement, values).fetchall()
        return tuple(
            replace(game, seat=Seat(game.seat), open=bool(game.open))
            for game in map(GAMES.read, rows)
        )

    def _open_count(self, cursor: DBAPICursor, bot_id: str) -> int:
        ((count,),) = self.database.run(cursor, COUNT_OPEN, {"wanted": bot_id}).fetchall()
        return int(count)

    def _forget_old_logs(self, cursor: DBAPICursor, bot_id: str) -> None:
        """Keep the logs of the last games only."""
        values = {"wanted": bot_id, "most": 1, "after": MAX_LOGGED_GAMES - 2}
        for game in self._games(cursor, LAST_GAMES, **values):
            before = {"wanted": bot_id, "before": game.created}
            self.database.run(cursor, DELETE_LOGS, before)


def _game_row(game: BotGame) -> dict[str, Any]:
    return GAMES.write(game, seat=int(game.seat), deadline=game.deadline)


def _seated(record: Record, seat: Seat, bot: BotRecord) -> Record:
    """The match with the bot under its own name, whatever a form said."""
    first, second = record.seats
    seats = (bot.seat, second) if seat is Seat.FIRST else (first, bot.seat)
    return replace(record, seats=seats)


def _seat_at(record: Record, revision: int) -> Seat:
    """The seat that was to move in a revision: of the move played in it, else of the next."""
    states = record.match.states
    for at, ply in enumerate(record.plies):
        if ply.revision == revision:
            return Seat(states[at].to_move)
    return Seat(record.match.state.to_move)
