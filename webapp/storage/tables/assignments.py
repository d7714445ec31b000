"""Tables of assignments."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, Integer, SmallInteger, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from webapp.storage.tables.base import Model, parent_key


class AssignmentRow(Model):
    """Tasks for students at home, with a date and a code."""

    __tablename__ = "assignments"
    __table_args__ = (Index(None, "owner", "created"), Index(None, "second"), Index(None, "ends"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    second: Mapped[str | None] = mapped_column(String(32))  # the teacher on another device
    key: Mapped[str] = mapped_column(String(32))  # of the link that gives control
    code: Mapped[str] = mapped_column(String(8), unique=True)
    title: Mapped[str] = mapped_column(String(80))
    about: Mapped[str] = mapped_column(String(500))
    tasks: Mapped[str]  # JSON
    listed: Mapped[bool]  # whether students have the names of a list
    due: Mapped[int | None] = mapped_column(BigInteger)  # seconds since 1970, as the next ones
    closed: Mapped[bool]  # nothing more is accepted
    created: Mapped[int] = mapped_column(BigInteger)
    ends: Mapped[int] = mapped_column(BigInteger)  # when it is deleted


class AssignmentSeatRow(Model):
    """A student of an assignment."""

    __tablename__ = "assignment_seats"
    __table_args__ = (
        UniqueConstraint("assignment_id", "folded"),
        UniqueConstraint("key"),
    )

    assignment_id: Mapped[str] = parent_key("assignments")
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    folded: Mapped[str] = mapped_column(String(120))  # the name without case
    key: Mapped[str] = mapped_column(String(32))  # of the personal link
    joined: Mapped[int | None] = mapped_column(BigInteger)  # None: nobody has taken the name yet


class AssignmentDeviceRow(Model):
    """A browser in which a student works."""

    __tablename__ = "assignment_devices"

    assignment_id: Mapped[str] = parent_key("assignments")
    player: Mapped[str] = mapped_column(String(32), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)


class AssignmentTryRow(Model):
    """What a student has tried; the key allows each once."""

    __tablename__ = "assignment_tries"
    __table_args__ = (Index(None, "match_id"),)

    assignment_id: Mapped[str] = parent_key("assignments")
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    task: Mapped[int] = mapped_column(SmallInteger, primary_key=True)  # from 1
    item: Mapped[str] = mapped_column(String(32), primary_key=True)  # a puzzle, a question
    number: Mapped[int] = mapped_column(SmallInteger, primary_key=True)  # from 1
    answer: Mapped[str] = mapped_column(String(100))
    solved: Mapped[bool | None]  # None: the match is still played
    seconds: Mapped[int]  # it took
    given: Mapped[int] = mapped_column(BigInteger)
    match_id: Mapped[str | None] = mapped_column(String(32))
