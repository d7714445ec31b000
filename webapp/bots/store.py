"""The store of bots, their tokens, clocks and logs: its SQL, and the methods that run it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import time
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from engine import Seat
from webapp.api.tokens import ExpiredTokenError, TokenError, new_token, token_hash
from webapp.bots import rules
from webapp.bots.models import (
    DAY_S,
    BotGame,
    BotRecord,
    Change,
    FullError,
    NotYourBotError,
    TurnLog,
    UnknownBotError,
    UnknownTurnError,
)
from webapp.matches.store import LOAD_TO_CHANGE, MatchStore
from webapp.replays.models import Record, UnknownMatchError, UnreadableMatchError, bot_id_of
from webapp.storage.rows import RowMapper
from webapp.storage.tables import BotGameRow, BotRow, BotTokenRow, BotTurnRow, MatchRow

TOKEN_PREFIX = "zb_"  # noqa: S105 - of every token, which is no secret
ID_LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
ID_CHARS = 6
MAX_BOTS = 1000  # at a time
REMEMBERED_DAYS = 30  # after its token has ended, a bot's page is still there
MAX_LOGGED_GAMES = 10  # of a bot, the last ones
BOTS = RowMapper(BotRecord, BotRow)
GAMES = RowMapper(BotGame, BotGameRow)
LOGS = RowMapper(TurnLog, BotTurnRow)

# Parameters are not named after columns: an UPDATE would take them for new values.
IS_ALIVE = BotRow.until > bindparam("now")
FIND = select(*BOTS.columns).where(BotRow.id == bindparam("wanted"))
LOCK = FIND.with_for_update()
BY_TOKEN = (
    select(*BOTS.columns, BotTokenRow.revoked)
    .join(BotTokenRow, BotTokenRow.bot_id == BotRow.id)
    .where(BotTokenRow.hash == bindparam("hash"))
)
SEEN_SINCE = (
    select(*BOTS.columns)
    .where(IS_ALIVE, BotRow.seen >= bindparam("since"))
    .order_by(BotRow.seen.desc(), BotRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # else SQLite adds an unnamed parameter
)
OWNED = (
    select(*BOTS.columns)
    .where(BotRow.owner == bindparam("player"))
    .order_by(BotRow.created.desc(), BotRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
COUNT = select(func.count(BotRow.id)).where(IS_ALIVE)
NAMES = select(BotRow.name).where(IS_ALIVE, BotRow.name.like(bindparam("pattern"), escape="\\"))
CLAIM = select(BotRow.claim).where(BotRow.id == bindparam("wanted"))
UPDATE_BOT = update(BotRow).where(BotRow.id == bindparam("wanted"))
REVOKE = update(BotTokenRow).where(BotTokenRow.bot_id == bindparam("wanted"))
INSERT_BOT, INSERT_TOKEN, INSERT_GAME = insert(BotRow), insert(BotTokenRow), insert(BotGameRow)
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
SOME_ENDED = (
    select(BotRow.id)
    .where(BotRow.until < bindparam("before"))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_ENDED = delete(BotRow).where(BotRow.id.in_(SOME_ENDED))


@dataclass(frozen=True, slots=True)
class Registration:
    """A new bot with its secrets, which are stored as hashes only."""

    bot: BotRecord
    token: str
    claim: str


class BotStore:
    """The store of bots; every change of a game reads, decides and writes in one transaction."""

    def __init__(
        self, matches: MatchStore, clock: Callable[[], float] = time, most: int = MAX_BOTS
    ) -> None:
        self.database = matches.database
        self.matches = matches
        self.now = clock
        self._most = most
        self._started = clock()  # before, no bot could give a sign of life
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

    def register(
        self, name: str, plays: tuple[str, ...], until: int, class_id: str | None = None
    ) -> Registration:
        """Store a new bot; a name that another has gets a number. Raises FullError."""
        now, token, claim = int(self.now()), new_token(TOKEN_PREFIX), new_token("")
        with self.database.write_counted() as cursor:
            if self._one(cursor, COUNT, now=now)[0] >= self._most:
                raise FullError(f"{self._most} bots are here already: try again later")
            bot_id = "b" + "".join(secrets.choice(ID_LETTERS) for _ in range(ID_CHARS))
            free = self._free_name(cursor, name, now)
            bot = BotRecord(bot_id, free, now, until, None, class_id, plays)
            row = BOTS.write(bot, claim=token_hash(claim))
            self.database.run(cursor, INSERT_BOT, row)
            values = {"hash": token_hash(token), "bot_id": bot.id, "created": now, "revoked": False}
            self.database.run(cursor, INSERT_TOKEN, values)
        return Registration(bot, token, claim)

    def by_token(self, token: str) -> BotRecord:
        """The bot with this token; raises TokenError or ExpiredTokenError."""
        rows = self.database.fetch(BY_TOKEN, hash=token_hash(token))
        if not rows or BOTS.rest(rows[0])[0]:
            raise TokenError("this token is unknown, or was revoked: join again for a new one")
        bot = BOTS.read(rows[0])
        if bot.until <= self.now():
            raise ExpiredTokenError("this token has ended: join again for a new one")
        return bot

    def find(self, bot_id: str) -> BotRecord:
        """A bot by its id; raises UnknownBotError."""
        rows = self.database.fetch(FIND, wanted=bot_id) if bot_id.isprintable() else ()
        if not rows:
            raise UnknownBotError(
                "there is no such bot: its address may be mistyped, or it is gone"
            )
        return BOTS.read(rows[0])

    def seen_within(self, seconds: float, most: int = 100) -> tuple[BotRecord, ...]:
        """Bots that may play and have asked for a turn lately, the latest first."""
        now = self.now()
        values = {"now": int(now), "since": int(now - seconds), "most": most, "after": 0}
        return tuple(map(BOTS.read, self.database.fetch(SEEN_SINCE, **values)))

    def owned_by(self, player: str, most: int = 20) -> tuple[BotRecord, ...]:
        """The bots that this player's browser has claimed, newest first."""
        return tuple(map(BOTS.read, self.database.fetch(OWNED, player=player, most=most, after=0)))

    def claim(self, bot_id: str, secret: str, player: str) -> BotRecord:
        """Make the player its owner; raises NotYourBotError unless this is its secret."""
        rows = self.database.fetch(CLAIM, wanted=bot_id) if bot_id.isprintable() else ()
        if not rows or not secrets.compare_digest(rows[0][0], token_hash(secret)):
            raise NotYourBotError("this link belongs to no bot: its program prints the right one")
        return self._update(bot_id, owner=player)

    def keep(self, bot_id: str, until: int) -> BotRecord:
        """Let its tokens end at another time."""
        return self._update(bot_id, until=until)

    def saw(self, seen: Mapping[str, int]) -> None:
        """Store when bots were last seen."""
        with self.database.write() as cursor:
            for bot_id, at in seen.items():
                self.database.run(cursor, UPDATE_BOT, {"wanted": bot_id, "seen": at})

    def end(self, bot_id: str) -> None:
        """Revoke its tokens; its open games are lost."""
        now = self.now()
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE_BOT, {"wanted": bot_id, "until": int(now)})
            self.database.run(cursor, REVOKE, {"wanted": bot_id, "revoked": True})
        self.forfeit_overdue()

    def begin_game(self, record: Record, *, timed: bool = True, called: bool = False) -> Record:
        """Store a match with bots that are free and here; raises BusyBotError.

        A bot that has `called` for the match itself is here.
        """
        now = self.now()
        with self.database.write_counted() as cursor:
            games: list[BotGame] = []
            for seat in record.bots:
                bot = self._lock(cursor, str(bot_id_of(record.seats[seat])))
                if called:
                    bot = replace(bot, seen=int(now))
                count = self._one(cursor, COUNT_OPEN, wanted=bot.id)[0]
                count += sum(game.bot_id == bot.id for game in games)  # against itself
                rules.check_free(bot, record.match.game, count, now)
                games.append(rules.new_game(bot.id, seat, timed=timed, now=now))
                record = _seated(record, seat, bot)
                self._forget_old_logs(cursor, bot.id)
            stored = self.matches.begin(cursor, record)
            for game in games:
                row = _game_row(replace(game, match_id=stored.id))
                self.database.run(cursor, INSERT_GAME, row)
        return stored

    def open_games(self, bot_id: str) -> tuple[tuple[Record, BotGame], ...]:
        """The games that a bot plays; first that whose turn was handed out, then the oldest.

        Those that have ended meanwhile are closed.
        """
        found, over = [], []
        with self.database.read() as cursor:
            for game in self._games(cursor, OPEN_GAMES, wanted=bot_id):
                try:
                    record = self.matches.load(cursor, game.match_id)
                    ended = record.outcome is not None
                except (UnknownMatchError, UnreadableMatchError):
                    ended = True
                if ended:
                    over.append(game)
                else:
                    found.append((record, game))
        if over:
            with self.database.write() as cursor:
                for game in over:
                    self._save_game(cursor, game, replace(game, open=False, handed=None))
        return tuple(found)

    def change(
        self,
        match_id: str,
        bot_id: str,
        revision: int,
        decide: Callable[[Record, BotGame], Change],
    ) -> Change:
        """Store what `decide` says of a bot's turn in this revision; raises UnknownTurnError."""
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
            return self._apply(cursor, record, game, decide)

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
            seen = max(self.find(game.bot_id).seen or 0, int(self._started))
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

    def remove_ended(self, most: int) -> int:
        """Delete bots that left some time ago; their matches stay. Returns how many."""
        before = int(self.now()) - REMEMBERED_DAYS * DAY_S
        with self.database.write() as cursor:
            values = {"before": before, "most": most, "after": 0}
            return self.database.run(cursor, DELETE_ENDED, values).rowcount

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

    def _forget_old_logs(self, cursor: DBAPICursor, bot_id: str) -> None:
        """Keep the logs of the last games only."""
        values = {"wanted": bot_id, "most": 1, "after": MAX_LOGGED_GAMES - 2}
        for game in self._games(cursor, LAST_GAMES, **values):
            before = {"wanted": bot_id, "before": game.created}
            self.database.run(cursor, DELETE_LOGS, before)

    def _free_name(self, cursor: DBAPICursor, name: str, now: int) -> str:
        """The name, or the first of `Ada 2`, `Ada 3`, … that no bot here has."""
        safe = name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        values = {"pattern": f"{safe}%", "now": now}
        taken = {found for (found,) in self.database.run(cursor, NAMES, values).fetchall()}
        number, free = 2, name
        while free in taken:
            free = f"{name} {number}"
            number += 1
        return free

    def _lock(self, cursor: DBAPICursor, bot_id: str) -> BotRecord:
        row = self.database.run(cursor, LOCK, {"wanted": bot_id}).fetchone()
        if row is None:
            raise UnknownBotError("there is no such bot here any more")
        return BOTS.read(row)

    def _update(self, bot_id: str, **columns: Any) -> BotRecord:
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE_BOT, {"wanted": bot_id} | columns)
        return self.find(bot_id)

    def _one(self, cursor: DBAPICursor, statement: Any, **values: Any) -> Any:
        return self.database.run(cursor, statement, values).fetchone()


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
