"""The tables. A match is its move list; the board is never a column."""

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
    """Every table of ours, with constraint names that migrations can rely on."""

    metadata = MetaData(naming_convention=NAMING)


class MatchRow(Model):
    """One match: who plays what, and how often it was changed."""

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


class JobRow(Model):
    """One piece of long work: what is asked, how far it is, and who holds it until when."""

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
    holder: Mapped[str | None] = mapped_column(String(32))  # the coordinator that works on it
    until: Mapped[float | None] = mapped_column(Double)  # when another may take it over


def _job_id() -> Mapped[str]:
    """What a job has written goes with it."""
    return mapped_column(String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)


class JobLaneRow(Model):
    """The state in which one strand of a job stands: bytes that its next task goes on from."""

    __tablename__ = "job_lanes"

    job_id: Mapped[str] = _job_id()
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class JobPointRow(Model):
    """One point of a curve; in a training it is a brain."""

    __tablename__ = "job_points"

    job_id: Mapped[str] = _job_id()
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    metrics: Mapped[str] = mapped_column(Text)  # JSON
    digest: Mapped[str | None] = mapped_column(String(32), index=True)


class JobGameRow(Model):
    """One game of an arena. Its key makes counting it twice impossible."""

    __tablename__ = "job_games"

    job_id: Mapped[str] = _job_id()
    pair: Mapped[int] = mapped_column(Integer, primary_key=True)
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    moves: Mapped[str] = mapped_column(Text)
    winner: Mapped[int | None] = mapped_column(SmallInteger)
    ending: Mapped[str] = mapped_column(String(20))
    fault: Mapped[str | None] = mapped_column(String(300))
    first_seconds: Mapped[float | None] = mapped_column(Double)  # that each seat thought, in all
    second_seconds: Mapped[float | None] = mapped_column(Double)
    first_thoughts: Mapped[int | None] = mapped_column(Integer)  # how often each seat thought
    second_thoughts: Mapped[int | None] = mapped_column(Integer)


class BrainFileRow(Model):
    """What was learned, by its digest: there as long as a brain, a job or a match refers to it."""

    __tablename__ = "brain_files"

    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    size: Mapped[int] = mapped_column(Integer)  # bytes of `data`, told without reading it
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
    """One class: who teaches it, by which code one joins, and what is on."""

    __tablename__ = "classes"
    __table_args__ = (
        Index(None, "code", unique=True),
        Index(None, "owner", "created"),
        Index(None, "second", "created"),
        Index(None, "ends"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    second: Mapped[str | None] = mapped_column(String(32))  # the other device that has control
    key: Mapped[str] = mapped_column(String(32))  # a secret: gives control to another device
    code: Mapped[str | None] = mapped_column(String(8))  # none once the class is over
    version: Mapped[int] = mapped_column(Integer)  # raised with every change that phones show
    round: Mapped[int] = mapped_column(Integer)  # the number of the one that is on; 0: none yet
    scene: Mapped[str] = mapped_column(String(10))  # what the screen is about
    names: Mapped[bool] = mapped_column(Boolean)  # whether answers are shown with names
    address: Mapped[str | None] = mapped_column(String(200))  # by which phones reach it, if chosen
    match_id: Mapped[str | None] = mapped_column(String(32))  # the match that the class plays
    pace: Mapped[int | None] = mapped_column(Integer)  # seconds of each vote in it
    cup: Mapped[str | None] = mapped_column(Text)  # JSON: its terms and the job that plays it
    lesson: Mapped[str | None] = mapped_column(Text)  # a prepared one, as it was written
    step: Mapped[int] = mapped_column(Integer)  # of the lesson, the next to be asked
    created: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970, as the next one
    ends: Mapped[int] = mapped_column(BigInteger)  # when it goes, with all that was said in it


def _class_id() -> Mapped[str]:
    """What belongs to a class goes with it."""
    return mapped_column(String(32), ForeignKey("classes.id", ondelete="CASCADE"), primary_key=True)


class ClassSeatRow(Model):
    """One student, by a cookie, under a made-up name."""

    __tablename__ = "class_seats"
    __table_args__ = (UniqueConstraint("class_id", "player"), UniqueConstraint("class_id", "name"))

    class_id: Mapped[str] = _class_id()
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(40))
    joined: Mapped[int] = mapped_column(BigInteger)
    seen: Mapped[int] = mapped_column(BigInteger)
    removed: Mapped[bool] = mapped_column(Boolean)
    machine: Mapped[str | None] = mapped_column(String(500))  # what they enter in the cup


class ClassRoundRow(Model):
    """One question to a class: what was asked, as plain data, and in which phase it is."""

    __tablename__ = "class_rounds"

    class_id: Mapped[str] = _class_id()
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    game: Mapped[str] = mapped_column(String(500))
    start: Mapped[str | None] = mapped_column(String(500))
    moves: Mapped[str] = mapped_column(Text)
    prompt: Mapped[str] = mapped_column(String(300))
    choices: Mapped[str | None] = mapped_column(Text)  # JSON; none: the answer is a move
    truth: Mapped[str | None] = mapped_column(String(120))  # the name of what is right
    machine: Mapped[str | None] = mapped_column(String(500))  # whose thoughts the reveal shows
    seconds: Mapped[int | None] = mapped_column(Integer)  # of a vote with a countdown
    match_ply: Mapped[int | None] = mapped_column(Integer)  # where the class plays a match
    phase: Mapped[str] = mapped_column(String(10))
    vote: Mapped[int] = mapped_column(SmallInteger)  # the first or the second
    deadline: Mapped[float | None] = mapped_column(Double)
    ruling: Mapped[str | None] = mapped_column(Text)  # JSON: what each answer is worth, and why
    created: Mapped[int] = mapped_column(BigInteger)


class ClassAnswerRow(Model):
    """One answer. Its key makes a second one of the same student in the same vote impossible."""

    __tablename__ = "class_answers"

    class_id: Mapped[str] = _class_id()
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    vote: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    answer: Mapped[str] = mapped_column(String(100))
    hidden: Mapped[bool] = mapped_column(Boolean)  # the teacher does not want it shown
    given: Mapped[int] = mapped_column(BigInteger)
