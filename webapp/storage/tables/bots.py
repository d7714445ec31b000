"""Tables of bots and their leagues, and of the tokens by which programs play."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.storage.tables.base import Model, parent_key


def _of_bot(*, index: bool = False) -> Mapped[str]:
    """A column with the id of a bot, with which its row is deleted."""
    return mapped_column(String(32), ForeignKey("bots.id", ondelete="CASCADE"), index=index)


class BotRow(Model):
    """A program that plays over HTTP, from its author's computer."""

    __tablename__ = "bots"
    __table_args__ = (Index(None, "until"), Index(None, "owner", "created"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    owner: Mapped[str | None] = mapped_column(String(32))  # the player whose browser claimed it
    claim: Mapped[str] = mapped_column(String(64))  # hash of the secret that claims it
    class_id: Mapped[str | None] = mapped_column(String(32))  # whose code it came with
    league_id: Mapped[str | None] = mapped_column(String(32), index=True)  # the same
    plays: Mapped[str]  # JSON: specs or keys of games; empty: all of them
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970, as the next ones
    until: Mapped[int] = mapped_column(BigInteger)  # when its tokens end
    seen: Mapped[int | None] = mapped_column(BigInteger)  # when it last asked for a turn


class BotTokenRow(Model):
    """A bearer token of a bot, by its hash."""

    __tablename__ = "bot_tokens"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    bot_id: Mapped[str] = _of_bot(index=True)
    created: Mapped[int] = mapped_column(BigInteger)
    revoked: Mapped[bool]


class BotGameRow(Model):
    """A bot's seat in a match: its clock and its lives."""

    __tablename__ = "bot_games"
    __table_args__ = (Index(None, "bot_id", "open", "created"), Index(None, "open", "deadline"))

    match_id: Mapped[str] = parent_key("matches")
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    bot_id: Mapped[str] = _of_bot()
    open: Mapped[bool]  # until its end was noticed
    move_s: Mapped[float | None]  # seconds for each move; none: no clock
    bank_s: Mapped[float]  # seconds for the whole game beyond those
    left: Mapped[float]  # of the bank
    lives: Mapped[int] = mapped_column(SmallInteger)
    revision: Mapped[int | None]  # of the match, of the turn that was handed out
    handed: Mapped[float | None]  # when that was, in seconds since 1970
    deadline: Mapped[float | None]  # when its time is over
    took: Mapped[float | None]  # seconds of its last move
    error: Mapped[str | None] = mapped_column(String(300))  # the last one
    log_chars: Mapped[int]  # kept of what it logged
    created: Mapped[float]


class BotTurnRow(Model):
    """What a bot took and logged for a move; its owner reads it."""

    __tablename__ = "bot_turns"
    __table_args__ = (Index(None, "bot_id", "at"),)

    match_id: Mapped[str] = parent_key("matches")
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)  # 1 for the first move
    bot_id: Mapped[str] = _of_bot()
    at: Mapped[float]  # seconds since 1970
    took: Mapped[float | None]
    log: Mapped[str | None]
    error: Mapped[str | None]


class LeagueRow(Model):
    """A league of bots."""

    __tablename__ = "leagues"
    __table_args__ = (Index(None, "ends"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(String(80))
    game: Mapped[str] = mapped_column(String(200))
    move_s: Mapped[float]  # seconds for each move
    bank_s: Mapped[float]  # seconds for the whole game beyond those
    code: Mapped[str] = mapped_column(String(12), unique=True)
    begins: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970, as the next ones
    ends: Mapped[int] = mapped_column(BigInteger)
    created: Mapped[int] = mapped_column(BigInteger)


class LeagueGameRow(Model):
    """A game of a league; it stays when its match or its bots are gone."""

    __tablename__ = "league_games"
    __table_args__ = (Index(None, "league_id", "ended"),)

    league_id: Mapped[str] = parent_key("leagues")
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    first: Mapped[str] = mapped_column(String(300))  # a bot's seat or an agent's spec
    second: Mapped[str] = mapped_column(String(300))
    match_id: Mapped[str] = mapped_column(String(32))
    begun: Mapped[float]  # seconds since 1970
    ended: Mapped[float | None]
    winner: Mapped[int | None] = mapped_column(SmallInteger)  # a seat
    plies: Mapped[int]
    fault: Mapped[str | None] = mapped_column(String(300))  # of the loser
    first_blunders: Mapped[int | None] = mapped_column(SmallInteger)  # none: unknown
    second_blunders: Mapped[int | None] = mapped_column(SmallInteger)


class PersonTokenRow(Model):
    """A bearer token of a person, by its hash."""

    __tablename__ = "person_tokens"
    __table_args__ = (
        Index(None, "hash", unique=True),
        Index(None, "owner", "created"),
        Index(None, "used"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64))
    owner: Mapped[str] = mapped_column(String(32))  # the player whose browser made it
    name: Mapped[str] = mapped_column(String(40))
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    used: Mapped[int] = mapped_column(BigInteger)  # when it last was, to the hour
