"""The store of people's tokens: its SQL, and the methods that run it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from time import time

from sqlalchemy import bindparam, delete, func, insert, select, update

from webapp.api.tokens import TokenError, new_token, token_hash
from webapp.errors import RequestError
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables.bots import PersonTokenRow

TOKEN_PREFIX = "zp_"  # noqa: S105 - of every token, which is no secret
MAX_TOKENS = 5  # of a person
MAX_NAME_CHARS = 40
USED_STEP_S = 3600  # how exactly it is noted when a token was last used
UNUSED_S = 365 * 24 * 3600  # after which a token is removed


class TooManyTokensError(RequestError):
    """A person has as many tokens as there may be."""

    status = 409


class UnknownTokenError(RequestError):
    """A token that is not there to be revoked."""

    status = 404


@dataclass(frozen=True, slots=True)
class PersonToken:
    """A token of a person, without what it opens."""

    id: str
    owner: str
    name: str
    created: int
    used: int


TOKENS = RowMapper(PersonToken, PersonTokenRow)
# Parameters are not named after columns: an UPDATE would take them for new values.
OF_OWNER = (
    select(*TOKENS.columns)
    .where(PersonTokenRow.owner == bindparam("player"))
    .order_by(PersonTokenRow.created, PersonTokenRow.id)
)
COUNT = select(func.count(PersonTokenRow.id)).where(PersonTokenRow.owner == bindparam("player"))
BY_HASH = select(*TOKENS.columns).where(PersonTokenRow.hash == bindparam("wanted"))
INSERT = insert(PersonTokenRow)
USED = update(PersonTokenRow).where(PersonTokenRow.id == bindparam("wanted"))
REVOKE = delete(PersonTokenRow).where(
    PersonTokenRow.id == bindparam("wanted"), PersonTokenRow.owner == bindparam("player")
)
IS_UNUSED = PersonTokenRow.used < bindparam("before")
SOME_UNUSED = (
    select(PersonTokenRow.id).where(IS_UNUSED).limit(bindparam("most")).offset(bindparam("after"))
)
DELETE_UNUSED = delete(PersonTokenRow).where(PersonTokenRow.id.in_(SOME_UNUSED), IS_UNUSED)


class TokenStore:
    """People's tokens in the database, of which it has only hashes."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self._database = database
        self._clock = clock

    def make(self, owner: str, name: str) -> str:
        """A new token, which is not to be had a second time; raises TooManyTokensError."""
        token, now = new_token(TOKEN_PREFIX), int(self._clock())
        made = PersonToken(secrets.token_hex(8), owner, name[:MAX_NAME_CHARS], now, now)
        with self._database.write_counted() as cursor:
            ((count,),) = self._database.run(cursor, COUNT, {"player": owner}).fetchall()
            if count >= MAX_TOKENS:
                raise TooManyTokensError(f"{MAX_TOKENS} tokens are enough: revoke one of them")
            row = TOKENS.write(made, hash=token_hash(token))
            self._database.run(cursor, INSERT, row)
        return token

    def of(self, owner: str) -> tuple[PersonToken, ...]:
        """A person's tokens, the oldest first."""
        return tuple(map(TOKENS.read, self._database.fetch(OF_OWNER, player=owner)))

    def owner_of(self, token: str) -> str:
        """The person whose token this is; raises TokenError."""
        found = self._database.fetch(BY_HASH, wanted=token_hash(token))
        if not found:
            raise TokenError("this token is unknown, or was revoked: make one on /matches")
        record, now = TOKENS.read(found[0]), int(self._clock())
        if now - record.used >= USED_STEP_S:
            with self._database.write() as cursor:
                self._database.run(cursor, USED, {"wanted": record.id, "used": now})
        return record.owner

    def revoke(self, owner: str, token_id: str) -> None:
        """Remove one of a person's tokens; raises UnknownTokenError."""
        with self._database.write() as cursor:
            values = {"wanted": token_id, "player": owner}
            if not self._database.run(cursor, REVOKE, values).rowcount:
                raise UnknownTokenError("this token is not yours, or was revoked already")

    def remove_unused(self, most: int) -> int:
        """Delete tokens that nobody used for a year; returns how many."""
        with self._database.write() as cursor:
            values = {"before": int(self._clock()) - UNUSED_S, "most": most, "after": 0}
            return self._database.run(cursor, DELETE_UNUSED, values).rowcount
