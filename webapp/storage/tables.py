"""All tables. A match is its move list; the board is never a column."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Model(DeclarativeBase):
    """Base of all tables, with constraint names that migrations can rely on."""

    metadata = MetaData(naming_convention=NAMING)


class MatchRow(Model):
    """A match, without its moves."""

    __tablename__ = "matches"
    __table_args__ = (
        Index(None, "owner", "over", "updated"),
        Index(None, "first_holder", "updated"),
        Index(None, "second_holder", "updated"),
        Index(None, "invitation", unique=True),
    )

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
    result: Mapped[int | None] = mapped_column(SmallInteger)  # the winner's seat, or 2 for a draw
    invitation: Mapped[str | None] = mapped_column(String(32))  # a secret: to the seat that is free
    offer: Mapped[str | None] = mapped_column(String(16))  # `undo 0`: what the first seat offers
    followed_by: Mapped[str | None] = mapped_column(String(32))  # the match agreed on after it
    first_seen: Mapped[int | None] = mapped_column(BigInteger)  # when its holder last looked
    second_seen: Mapped[int | None] = mapped_column(BigInteger)
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    updated: Mapped[int] = mapped_column(BigInteger)


class MoveRow(Model):
    """A ply; the key allows one move for each."""

    __tablename__ = "moves"

    match_id: Mapped[str] = mapped_column(
        String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)  # 1 for the first move
    text: Mapped[str] = mapped_column(String(16))
    revision: Mapped[int] = mapped_column(Integer)  # of the match it was played in
    note: Mapped[str | None] = mapped_column(String(300))  # where a substitute had to move


class AnalysisRow(Model):
    """The analysis that made the move of a ply: compressed JSON."""

    __tablename__ = "analyses"

    match_id: Mapped[str] = mapped_column(
        String(32), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True
    )
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    packed: Mapped[bytes] = mapped_column(LargeBinary)


class JobRow(Model):
    """A job, its progress and its lease."""

    __tablename__ = "jobs"
    __table_args__ = (Index(None, "state", "created"), Index(None, "owner", "created"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    kind: Mapped[str] = mapped_column(String(20))
    title: Mapped[str] = mapped_column(String(200))
    parameters: Mapped[str] = mapped_column(Text)  # JSON
    seed: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(String(10))
    step: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(BigInteger)
    metrics: Mapped[str] = mapped_column(Text)  # JSON
    pace: Mapped[float | None] = mapped_column(Double)  # steps a second
    error: Mapped[str | None] = mapped_column(String(500))
    hindrance: Mapped[str | None] = mapped_column(String(200))
    cancel: Mapped[bool] = mapped_column(Boolean)
    created: Mapped[float] = mapped_column(Double)  # seconds since 1970, as the next ones
    updated: Mapped[float] = mapped_column(Double)
    begun: Mapped[float | None] = mapped_column(Double)
    ended: Mapped[float | None] = mapped_column(Double)
    holder: Mapped[str | None] = mapped_column(String(32))  # the coordinator that has the lease
    until: Mapped[float | None] = mapped_column(Double)  # when the lease ends


def _job_id() -> Mapped[str]:
    """A key whose row is deleted with its job."""
    return mapped_column(String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)


class JobLaneRow(Model):
    """The state of one lane of a job, from which its next task goes on."""

    __tablename__ = "job_lanes"

    job_id: Mapped[str] = _job_id()
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class JobPointRow(Model):
    """A point of a curve; in a training it is a brain."""

    __tablename__ = "job_points"

    job_id: Mapped[str] = _job_id()
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    metrics: Mapped[str] = mapped_column(Text)  # JSON
    digest: Mapped[str | None] = mapped_column(String(32), index=True)


class JobGameRow(Model):
    """A game of an arena; the key keeps it from being counted twice."""

    __tablename__ = "job_games"

    job_id: Mapped[str] = _job_id()
    pair: Mapped[int] = mapped_column(Integer, primary_key=True)
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    moves: Mapped[str] = mapped_column(Text)
    winner: Mapped[int | None] = mapped_column(SmallInteger)
    ending: Mapped[str] = mapped_column(String(20))
    fault: Mapped[str | None] = mapped_column(String(300))
    first_seconds: Mapped[float | None] = mapped_column(Double)  # of all moves of a seat
    second_seconds: Mapped[float | None] = mapped_column(Double)
    first_thoughts: Mapped[int | None] = mapped_column(Integer)  # analysed moves of a seat
    second_thoughts: Mapped[int | None] = mapped_column(Integer)


class BrainFileRow(Model):
    """A brain's bytes by digest, kept while a brain, a job, a match or a class refers to them."""

    __tablename__ = "brain_files"

    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    size: Mapped[int] = mapped_column(Integer)  # bytes of `data`
    created: Mapped[float] = mapped_column(Double)


class BrainRow(Model):
    """A brain under the name that its owner gave it."""

    __tablename__ = "brains"
    __table_args__ = (UniqueConstraint("owner", "digest"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(80))
    digest: Mapped[str] = mapped_column(String(32), index=True)
    agent: Mapped[str] = mapped_column(String(60))
    game: Mapped[str] = mapped_column(String(500))
    size: Mapped[int] = mapped_column(Integer)
    facts: Mapped[str] = mapped_column(Text)  # JSON: how it was trained, and its curve
    job_id: Mapped[str | None] = mapped_column(String(32))  # the training it comes from
    created: Mapped[float] = mapped_column(Double)


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
    version: Mapped[int] = mapped_column(Integer)  # incremented with every change that phones show
    round: Mapped[int] = mapped_column(Integer)  # number of the current one; 0: none yet
    scene: Mapped[str] = mapped_column(String(10))  # what the screen is about
    names: Mapped[bool] = mapped_column(Boolean)  # whether answers are shown with names
    address: Mapped[str | None] = mapped_column(String(200))  # for phones, if the teacher chose one
    match_id: Mapped[str | None] = mapped_column(String(32))  # the match that the class plays
    pace: Mapped[int | None] = mapped_column(Integer)  # seconds of each vote in it
    cup: Mapped[str | None] = mapped_column(Text)  # JSON: terms and job
    lesson: Mapped[str | None] = mapped_column(Text)  # the source of its plan
    step: Mapped[int] = mapped_column(Integer)  # of the plan, the next to be asked
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970, as the next one
    ends: Mapped[int] = mapped_column(BigInteger)  # when it is deleted, with its answers


def _class_id() -> Mapped[str]:
    """A key whose row is deleted with its class."""
    return mapped_column(String(32), ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True)


class ClassSeatRow(Model):
    """A student, known by a cookie, under a made-up name."""

    __tablename__ = "class_seats"
    __table_args__ = (UniqueConstraint("class_id", "player"), UniqueConstraint("class_id", "name"))

    class_id: Mapped[str] = _class_id()
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(40))
    joined: Mapped[int] = mapped_column(BigInteger)
    seen: Mapped[int] = mapped_column(BigInteger)
    removed: Mapped[bool] = mapped_column(Boolean)
    machine: Mapped[str | None] = mapped_column(String(500))  # entered in the cup


class ClassRoundRow(Model):
    """A question to a class, and its phase."""

    __tablename__ = "class_rounds"

    class_id: Mapped[str] = _class_id()
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    game: Mapped[str] = mapped_column(String(500))
    start: Mapped[str | None] = mapped_column(String(500))
    moves: Mapped[str] = mapped_column(Text)
    prompt: Mapped[str] = mapped_column(String(300))
    choices: Mapped[str | None] = mapped_column(Text)  # JSON; None: the answer is a move
    truth: Mapped[str | None] = mapped_column(String(120))  # the name of the fact that answers it
    machine: Mapped[str | None] = mapped_column(String(500))  # whose analysis the reveal shows
    seconds: Mapped[int | None] = mapped_column(Integer)  # of a countdown
    match_ply: Mapped[int | None] = mapped_column(Integer)  # of the match that the class plays
    phase: Mapped[str] = mapped_column(String(10))
    vote: Mapped[int] = mapped_column(SmallInteger)  # 1 or 2
    deadline: Mapped[float | None] = mapped_column(Double)
    ruling: Mapped[str | None] = mapped_column(Text)  # JSON: the value of each answer, and why
    created: Mapped[int] = mapped_column(BigInteger)


class ClassAnswerRow(Model):
    """An answer; the key allows one for each student and vote."""

    __tablename__ = "class_answers"

    class_id: Mapped[str] = _class_id()
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    vote: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    answer: Mapped[str] = mapped_column(String(100))
    hidden: Mapped[bool] = mapped_column(Boolean)  # by the teacher
    given: Mapped[int] = mapped_column(BigInteger)
