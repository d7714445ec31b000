"""The store of bots and their tokens: its SQL, and the methods that run it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import time
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from webapp.api.tokens import ExpiredTokenError, TokenError, new_token, token_hash
from webapp.bots.models import (
    DAY_S,
    Admission,
    BotRecord,
    FullError,
    NotYourBotError,
    UnknownBotError,
)
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables.bots import BotRow, BotTokenRow

TOKEN_PREFIX = "zb_"  # noqa: S105 - of every token, which is no secret
ID_LETTERS = "bcdfghjkmnpqrstvwxyz23456789"
ID_CHARS = 6
MAX_BOTS = 1000  # at a time
MAX_LEAGUE_BOTS = 300  # that ever joined one league: its table has a row for each, rated together
REMEMBERED_DAYS = 30  # after its token has ended, a bot's page is still there
BOTS = RowMapper(BotRecord, BotRow)
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
OF_CLASS = (
    select(*BOTS.columns)
    .where(IS_ALIVE, BotRow.class_id == bindparam("which"))
    .order_by(BotRow.created, BotRow.id)
)
OF_LEAGUE = (
    select(*BOTS.columns)
    .where(BotRow.league_id == bindparam("which"))
    .order_by(BotRow.created, BotRow.id)
)
COUNT = select(func.count(BotRow.id)).where(IS_ALIVE)
COUNT_LEAGUE = select(func.count(BotRow.id)).where(BotRow.league_id == bindparam("which"))
NAMES = select(BotRow.name).where(IS_ALIVE, BotRow.name.like(bindparam("pattern"), escape="\\"))
CLAIM = select(BotRow.claim).where(BotRow.id == bindparam("wanted"))
UPDATE_BOT = update(BotRow).where(BotRow.id == bindparam("wanted"))
REVOKE = update(BotTokenRow).where(BotTokenRow.bot_id == bindparam("wanted"))
INSERT_BOT, INSERT_TOKEN = insert(BotRow), insert(BotTokenRow)
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
    """The store of bots."""

    def __init__(
        self, database: Database, clock: Callable[[], float] = time, most: int = MAX_BOTS
    ) -> None:
        self.database = database
        self.now = clock
        self._most = most

    def register(self, name: str, plays: tuple[str, ...], admission: Admission) -> Registration:
        """Store a new bot; a name that another has gets a number. Raises FullError."""
        now, token, claim = int(self.now()), new_token(TOKEN_PREFIX), new_token("")
        with self.database.write_counted() as cursor:
            if self._one(cursor, COUNT, now=now)[0] >= self._most:
                raise FullError(f"{self._most} bots are here already: try again later")
            self._check_league(cursor, admission.league_id)
            bot_id = "b" + "".join(secrets.choice(ID_LETTERS) for _ in range(ID_CHARS))
            free = self._free_name(cursor, name, now)
            bot = BotRecord(
                bot_id,
                free,
                now,
                admission.until,
                class_id=admission.class_id,
                league_id=admission.league_id,
                plays=plays,
            )
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

    def of_class(self, class_id: str) -> tuple[BotRecord, ...]:
        """The bots that came with a class's code and are here, in the order they came."""
        now = self.now()
        found = map(BOTS.read, self.database.fetch(OF_CLASS, now=int(now), which=class_id))
        return tuple(bot for bot in found if bot.is_here(now))

    def of_league(self, league_id: str) -> tuple[BotRecord, ...]:
        """The bots that came with a league's code, in the order they came."""
        return tuple(map(BOTS.read, self.database.fetch(OF_LEAGUE, which=league_id)))

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
        """Revoke its tokens; its open games are then overdue."""
        now = self.now()
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE_BOT, {"wanted": bot_id, "until": int(now)})
            self.database.run(cursor, REVOKE, {"wanted": bot_id, "revoked": True})

    def remove_ended(self, most: int) -> int:
        """Delete bots that left some time ago; their matches stay. Returns how many."""
        before = int(self.now()) - REMEMBERED_DAYS * DAY_S
        with self.database.write() as cursor:
            values = {"before": before, "most": most, "after": 0}
            return self.database.run(cursor, DELETE_ENDED, values).rowcount

    def lock(self, cursor: DBAPICursor, bot_id: str) -> BotRecord:
        """Read a bot in a transaction that is about to change something of it."""
        row = self.database.run(cursor, LOCK, {"wanted": bot_id}).fetchone()
        if row is None:
            raise UnknownBotError("there is no such bot here any more")
        return BOTS.read(row)

    def _check_league(self, cursor: DBAPICursor, league_id: str | None) -> None:
        if league_id is None:
            return
        if self._one(cursor, COUNT_LEAGUE, which=league_id)[0] >= MAX_LEAGUE_BOTS:
            raise FullError(f"{MAX_LEAGUE_BOTS} bots have joined this league: it takes no more")

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

    def _update(self, bot_id: str, **columns: Any) -> BotRecord:
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE_BOT, {"wanted": bot_id} | columns)
        return self.find(bot_id)

    def _one(self, cursor: DBAPICursor, statement: Any, **values: Any) -> Any:
        return self.database.run(cursor, statement, values).fetchone()
