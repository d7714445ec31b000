"""Tables of classes."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, Integer, SmallInteger, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from webapp.storage.tables.base import Model, parent_key


class ClassRow(Model):
    """A class: its teacher, its code and what it shows."""

    __tablename__ = "classes"
    __table_args__ = (
        Index(None, "code", unique=True),
        Index(None, "owner", "created"),
        Index(None, "second", "created"),
        Index(None, "ends"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    second: Mapped[str | None] = mapped_column(String(32))  # another device with control
    key: Mapped[str] = mapped_column(String(32))  # a secret that gives control to another device
    code: Mapped[str | None] = mapped_column(String(8))  # None once the class is over
    label: Mapped[str] = mapped_column(String(8), server_default="")  # the code, also afterwards
    version: Mapped[int]  # incremented with every change that phones show
    round: Mapped[int]  # number of the current one; 0: none yet
    scene: Mapped[str] = mapped_column(String(10))  # what the screen is about
    locked: Mapped[bool] = mapped_column(server_default=false())  # nobody new may join
    names: Mapped[bool]  # whether rounds that begin now are answered by name
    address: Mapped[str | None] = mapped_column(String(200))  # for phones, if the teacher chose one
    match_id: Mapped[str | None] = mapped_column(String(32))  # the match that the class plays
    pace: Mapped[int | None]  # seconds of each vote in it
    cup: Mapped[str | None]  # JSON: terms and job
    lesson: Mapped[str | None]  # the source of its plan
    step: Mapped[int]  # of the plan, the next to be asked
    plan_begun: Mapped[int | None] = mapped_column(BigInteger)  # when its first step was begun
    shown: Mapped[str | None]  # JSON: the page of this site that is on the screen
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970, as the next one
    ends: Mapped[int] = mapped_column(BigInteger)  # when it is deleted, with its answers


class ClassSeatRow(Model):
    """A student, known by a cookie, under a made-up name."""

    __tablename__ = "class_seats"
    __table_args__ = (UniqueConstraint("class_id", "player"), UniqueConstraint("class_id", "name"))

    class_id: Mapped[str] = parent_key("classes")
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(40))
    alias: Mapped[str] = mapped_column(String(40), server_default="")  # the name made up for it
    joined: Mapped[int] = mapped_column(BigInteger)
    seen: Mapped[int] = mapped_column(BigInteger)
    removed: Mapped[bool]
    machine: Mapped[str | None] = mapped_column(String(500))  # entered in the cup


class ClassRoundRow(Model):
    """A question to a class, and its phase."""

    __tablename__ = "class_rounds"

    class_id: Mapped[str] = parent_key("classes")
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    game: Mapped[str] = mapped_column(String(500))
    start: Mapped[str | None] = mapped_column(String(500))
    moves: Mapped[str]
    prompt: Mapped[str] = mapped_column(String(300))
    choices: Mapped[str | None]  # JSON; None: the answer is a move
    truth: Mapped[str | None] = mapped_column(String(120))  # the name of the fact that answers it
    machine: Mapped[str | None] = mapped_column(String(500))  # whose analysis the reveal shows
    seconds: Mapped[int | None]  # of a countdown
    match_ply: Mapped[int | None]  # of the match that the class plays
    match_id: Mapped[str | None] = mapped_column(String(32))  # that match
    named: Mapped[bool] = mapped_column(server_default=false())  # the teacher sees who said what
    phase: Mapped[str] = mapped_column(String(10))
    vote: Mapped[int] = mapped_column(SmallInteger)  # 1 or 2
    deadline: Mapped[float | None]
    ruling: Mapped[str | None]  # JSON: the value of each answer, and why
    created: Mapped[int] = mapped_column(BigInteger)


class ClassAnswerRow(Model):
    """An answer; the key allows one for each student and vote."""

    __tablename__ = "class_answers"

    class_id: Mapped[str] = parent_key("classes")
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    vote: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    answer: Mapped[str] = mapped_column(String(100))
    hidden: Mapped[bool]  # by the teacher
    given: Mapped[int] = mapped_column(BigInteger)
