"""The tables. A match is its move list; the board is never a column."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Model(DeclarativeBase):
    """Every table of ours, with constraint names that migrations can rely on."""

    metadata = MetaData(naming_convention=NAMING)


class MatchRow(Model):
    """One match: who plays what, and how often it was changed."""

    __tablename__ = "matches"
    __table_args__ = (Index(None, "owner", "over", "updated"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    game: Mapped[str] = mapped_column(String(500))
    first: Mapped[str] = mapped_column(String(500))  # an agent's spec, `person` or `class:<id>`
    second: Mapped[str] = mapped_column(String(500))
    first_holder: Mapped[str | None] = mapped_column(String(32))  # the player on a person's seat
    second_holder: Mapped[str | None] = mapped_column(String(32))
    start: Mapped[str | None] = mapped_column(String(500))  # a state, unless the game's own start
    revision: Mapped[int] = mapped_column(Integer)
    resigned: Mapped[int | None] = mapped_column(SmallInteger)  # the seat that gave up
    over: Mapped[bool] = mapped_column(Boolean)
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    updated: Mapped[int] = mapped_column(BigInteger)


class MoveRow(Model):
    """One ply. Its key makes a second move at the same ply impossible."""

    __tablename__ = "moves"

    match_id: Mapped[str] = mapped_column(
        String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)  # 1 for the first move
    text: Mapped[str] = mapped_column(String(16))
    revision: Mapped[int] = mapped_column(Integer)  # of the match it was played in
    note: Mapped[str | None] = mapped_column(String(300))  # where a substitute had to move


class AnalysisRow(Model):
    """What an agent said when it made the move of a ply: JSON, packed."""

    __tablename__ = "analyses"

    match_id: Mapped[str] = mapped_column(
        String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    packed: Mapped[bytes] = mapped_column(LargeBinary)
