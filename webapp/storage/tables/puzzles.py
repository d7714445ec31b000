"""Tables of puzzles."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from webapp.storage.tables.base import Model, parent_key


class PuzzleRow(Model):
    """A puzzle that does not ship: made for the supply, or found in somebody's match."""

    __tablename__ = "puzzles"
    __table_args__ = (Index(None, "origin", "game", "level"), Index(None, "made"))

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    origin: Mapped[str] = mapped_column(String(8))  # fresh or match
    game: Mapped[str] = mapped_column(String(200))
    theme: Mapped[str] = mapped_column(String(40))
    level: Mapped[int] = mapped_column(SmallInteger)
    text: Mapped[str]  # JSON
    made: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970


class PuzzleScoreRow(Model):
    """How visitors fared with a puzzle at their first try."""

    __tablename__ = "puzzle_scores"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    rating: Mapped[float]
    deviation: Mapped[float]
    tried: Mapped[int]
    solved: Mapped[int]


class PuzzlePlayerRow(Model):
    """A player's progress with puzzles."""

    __tablename__ = "puzzle_players"
    __table_args__ = (Index(None, "updated"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    rating: Mapped[float]
    deviation: Mapped[float]
    streak: Mapped[int]
    best: Mapped[int]  # streak
    tried: Mapped[int]
    solved: Mapped[int]  # at the first try
    sprint_ends: Mapped[int] = mapped_column(BigInteger)  # of the three minutes; 0: never begun
    sprint_solved: Mapped[int]
    sprint_missed: Mapped[int]
    sprint_best: Mapped[int]
    updated: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970


class PuzzleTryRow(Model):
    """What a player has done with one puzzle."""

    __tablename__ = "puzzle_tries"
    __table_args__ = (Index(None, "player_id", "due"), Index(None, "player_id", "answered"))

    player_id: Mapped[str] = parent_key("puzzle_players")
    puzzle: Mapped[str] = mapped_column(String(16), primary_key=True)
    tries: Mapped[int]
    move: Mapped[str | None] = mapped_column(String(16))  # the last answer
    first: Mapped[bool | None]  # whether the first answer was right, without help
    solved: Mapped[bool]
    hinted: Mapped[bool]
    shown: Mapped[bool]  # the solution, before it was found
    own: Mapped[bool]  # from a match of theirs
    seconds: Mapped[int | None]  # to the last answer
    due: Mapped[int | None] = mapped_column(BigInteger)  # when it is asked again
    repeats: Mapped[int] = mapped_column(SmallInteger)  # times it was right when asked again
    answered: Mapped[int | None] = mapped_column(BigInteger)  # first, in seconds since 1970
