"""Tables of jobs, and of the brains they train."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from webapp.storage.tables.base import Model, parent_key


class JobRow(Model):
    """A job, its progress and its lease."""

    __tablename__ = "jobs"
    __table_args__ = (Index(None, "state", "created"), Index(None, "owner", "created"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32))
    origin: Mapped[str | None] = mapped_column(String(32))  # a digest of the owner's network
    kind: Mapped[str] = mapped_column(String(20))
    title: Mapped[str] = mapped_column(String(200))
    parameters: Mapped[str]  # JSON
    seed: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[str] = mapped_column(String(10))
    step: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(BigInteger)
    metrics: Mapped[str]  # JSON
    pace: Mapped[float | None]  # steps a second
    error: Mapped[str | None] = mapped_column(String(500))
    hindrance: Mapped[str | None] = mapped_column(String(200))
    cancel: Mapped[bool]
    created: Mapped[float]  # seconds since 1970, as the next ones
    updated: Mapped[float]
    begun: Mapped[float | None]
    ended: Mapped[float | None]
    holder: Mapped[str | None] = mapped_column(String(32))  # the coordinator that has the lease
    until: Mapped[float | None]  # when the lease ends


class JobLaneRow(Model):
    """The state of one lane of a job, from which its next task goes on."""

    __tablename__ = "job_lanes"

    job_id: Mapped[str] = parent_key("jobs")
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger)
    data: Mapped[bytes]


class JobPointRow(Model):
    """A point of a curve; in a training it is a brain."""

    __tablename__ = "job_points"

    job_id: Mapped[str] = parent_key("jobs")
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    metrics: Mapped[str]  # JSON
    digest: Mapped[str | None] = mapped_column(String(32), index=True)


class JobGameRow(Model):
    """A game of an arena; the key keeps it from being counted twice."""

    __tablename__ = "job_games"

    job_id: Mapped[str] = parent_key("jobs")
    pair: Mapped[int] = mapped_column(Integer, primary_key=True)
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    moves: Mapped[str]
    winner: Mapped[int | None] = mapped_column(SmallInteger)
    ending: Mapped[str] = mapped_column(String(20))
    fault: Mapped[str | None] = mapped_column(String(300))
    first_seconds: Mapped[float | None]  # of all moves of a seat
    second_seconds: Mapped[float | None]
    first_thoughts: Mapped[int | None]  # analysed moves of a seat
    second_thoughts: Mapped[int | None]
    traceback: Mapped[str | None]  # of the agent that failed


class JobMatchRow(Model):
    """A game of an arena that bots play, as a match; the key keeps it from being begun twice."""

    __tablename__ = "job_matches"

    job_id: Mapped[str] = parent_key("jobs")
    pair: Mapped[int] = mapped_column(Integer, primary_key=True)
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    match_id: Mapped[str] = mapped_column(
        String(32), ForeignKey("matches.id", ondelete="CASCADE"), index=True
    )


class BrainFileRow(Model):
    """A brain's bytes by digest, kept while a brain, a job, a match or a class refers to them."""

    __tablename__ = "brain_files"
    __table_args__ = (Index(None, "size"),)  # to add them up without reading the bytes

    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    data: Mapped[bytes]
    size: Mapped[int]  # bytes of `data`
    created: Mapped[float]


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
    size: Mapped[int]
    facts: Mapped[str]  # JSON: how it was trained, and its curve
    job_id: Mapped[str | None] = mapped_column(String(32))  # the training it comes from
    created: Mapped[float]
    seen: Mapped[float | None] = mapped_column(index=True)  # when its owner last came back to it
