"""Tables of matches."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, Integer, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.storage.tables.base import Model, parent_key


class MatchRow(Model):
    """A match, without its moves."""

    __tablename__ = "matches"
    __table_args__ = (
        Index(None, "owner", "over", "updated"),
        Index(None, "first_holder", "updated"),
        Index(None, "second_holder", "updated"),
        Index(None, "invitation", unique=True),
        Index(None, "digest"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    game: Mapped[str] = mapped_column(String(500))
    first: Mapped[str] = mapped_column(String(500))  # an agent's spec, a person, class or bot
    second: Mapped[str] = mapped_column(String(500))
    first_holder: Mapped[str | None] = mapped_column(String(32))  # the player on a person's seat
    second_holder: Mapped[str | None] = mapped_column(String(32))
    start: Mapped[str | None] = mapped_column(String(500))  # a state, unless the game's own start
    revision: Mapped[int]
    resigned: Mapped[int | None] = mapped_column(SmallInteger)  # the seat that gave up
    fault: Mapped[str | None] = mapped_column(String(300))  # why that seat lost, if it did not
    rated: Mapped[bool]  # no machine advises while it is played
    over: Mapped[bool]
    result: Mapped[int | None] = mapped_column(SmallInteger)  # the winner's seat, or 2 for a draw
    invitation: Mapped[str | None] = mapped_column(String(32))  # a secret: to the seat that is free
    offer: Mapped[str | None] = mapped_column(String(16))  # `undo 0`: what the first seat offers
    followed_by: Mapped[str | None] = mapped_column(String(32))  # the match agreed on after it
    first_seen: Mapped[int | None] = mapped_column(BigInteger)  # when its holder last looked
    second_seen: Mapped[int | None] = mapped_column(BigInteger)
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    updated: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str | None] = mapped_column(String(32))  # of when it began, players and moves


class MoveRow(Model):
    """A ply; the key allows one move for each."""

    __tablename__ = "moves"

    match_id: Mapped[str] = parent_key("matches")
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)  # 1 for the first move
    text: Mapped[str] = mapped_column(String(16))
    revision: Mapped[int]  # of the match it was played in
    note: Mapped[str | None] = mapped_column(String(300))  # where a substitute had to move


class AnalysisRow(Model):
    """The analysis that made the move of a ply: compressed JSON."""

    __tablename__ = "analyses"

    match_id: Mapped[str] = parent_key("matches")
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    packed: Mapped[bytes]
