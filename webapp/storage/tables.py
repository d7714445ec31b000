"""All tables. A match is its move list; the board is never a column."""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import (
    BigInteger,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    false,
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
    type_annotation_map: ClassVar = {str: Text, float: Double}


def _parent(table: str) -> Mapped[str]:
    """A key whose row is deleted with that of another table."""
    parent = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return mapped_column(String(32), parent, primary_key=True)


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

    match_id: Mapped[str] = _parent("matches")
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)  # 1 for the first move
    text: Mapped[str] = mapped_column(String(16))
    revision: Mapped[int]  # of the match it was played in
    note: Mapped[str | None] = mapped_column(String(300))  # where a substitute had to move


class AnalysisRow(Model):
    """The analysis that made the move of a ply: compressed JSON."""

    __tablename__ = "analyses"

    match_id: Mapped[str] = _parent("matches")
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    packed: Mapped[bytes]


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

    job_id: Mapped[str] = _parent("jobs")
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger)
    data: Mapped[bytes]


class JobPointRow(Model):
    """A point of a curve; in a training it is a brain."""

    __tablename__ = "job_points"

    job_id: Mapped[str] = _parent("jobs")
    lane: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    metrics: Mapped[str]  # JSON
    digest: Mapped[str | None] = mapped_column(String(32), index=True)


class JobGameRow(Model):
    """A game of an arena; the key keeps it from being counted twice."""

    __tablename__ = "job_games"

    job_id: Mapped[str] = _parent("jobs")
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

    job_id: Mapped[str] = _parent("jobs")
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

    class_id: Mapped[str] = _parent("classes")
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

    class_id: Mapped[str] = _parent("classes")
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

    class_id: Mapped[str] = _parent("classes")
    round: Mapped[int] = mapped_column(Integer, primary_key=True)
    vote: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    answer: Mapped[str] = mapped_column(String(100))
    hidden: Mapped[bool]  # by the teacher
    given: Mapped[int] = mapped_column(BigInteger)


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

    league_id: Mapped[str] = _parent("leagues")
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

    match_id: Mapped[str] = _parent("matches")
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

    match_id: Mapped[str] = _parent("matches")
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)  # 1 for the first move
    bot_id: Mapped[str] = _of_bot()
    at: Mapped[float]  # seconds since 1970
    took: Mapped[float | None]
    log: Mapped[str | None]
    error: Mapped[str | None]


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
