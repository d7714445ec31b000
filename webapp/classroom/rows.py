"""SQL statements of the class store, and the mapping between rows and records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    BindParameter,
    and_,
    bindparam,
    delete,
    func,
    literal_column,
    or_,
    select,
    update,
)

from webapp.classroom.models import (
    AnswerRecord,
    ClassRecord,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
)
from webapp.questions.models import Choice, Question, Truth
from webapp.storage.tables import ClassAnswerRow, ClassRoundRow, ClassRow, ClassSeatRow

CLASS_COLUMNS = tuple(ClassRow.__table__.columns.keys())
ROUND_COLUMNS = tuple(ClassRoundRow.__table__.columns.keys())
SEAT_COLUMNS = ("number", "player", "name", "joined", "seen", "removed", "machine")
ANSWER_COLUMNS = ("round", "vote", "seat", "answer", "hidden", "given")

# Parameters are not named after columns: an UPDATE would take them for new values.
CLASS_ID: BindParameter[str] = bindparam("wanted")
NOT_EXPIRED = ClassRow.ends > bindparam("now")
SELECT_CLASS = select(ClassRow.__table__).where(ClassRow.id == CLASS_ID, NOT_EXPIRED)
SELECT_CLASS_BY_CODE = select(ClassRow.__table__).where(
    ClassRow.code == bindparam("code"), NOT_EXPIRED
)
SELECT_TAUGHT = (
    select(ClassRow.__table__)
    .where(
        or_(ClassRow.owner == bindparam("player"), ClassRow.second == bindparam("player")),
        NOT_EXPIRED,
    )
    .order_by(ClassRow.created.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # else SQLite adds an unnamed parameter
)
SELECT_POLL = (
    select(
        ClassRow.id,
        ClassRow.version,
        ClassSeatRow.number,
        ClassSeatRow.removed,
        ClassRoundRow.phase,
        ClassRoundRow.deadline,
    )
    .select_from(ClassRow)
    .outerjoin(
        ClassSeatRow,
        and_(ClassSeatRow.class_id == ClassRow.id, ClassSeatRow.player == bindparam("player")),
    )
    .outerjoin(
        ClassRoundRow,
        and_(ClassRoundRow.class_id == ClassRow.id, ClassRoundRow.number == ClassRow.round),
    )
    .where(ClassRow.code == bindparam("code"), NOT_EXPIRED)
)
SELECT_ROUND = select(ClassRoundRow.__table__).where(
    ClassRoundRow.class_id == CLASS_ID, ClassRoundRow.number == bindparam("number")
)
SELECT_ROUNDS = (
    select(ClassRoundRow.__table__)
    .where(ClassRoundRow.class_id == CLASS_ID)
    .order_by(ClassRoundRow.number)
)
SELECT_SEATS = (
    select(*(getattr(ClassSeatRow, name) for name in SEAT_COLUMNS))
    .where(ClassSeatRow.class_id == CLASS_ID)
    .order_by(ClassSeatRow.number)
)
SELECT_SEAT = select(*(getattr(ClassSeatRow, name) for name in SEAT_COLUMNS)).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.player == bindparam("player")
)
SELECT_ANSWERS = (
    select(*(getattr(ClassAnswerRow, name) for name in ANSWER_COLUMNS))
    .where(ClassAnswerRow.class_id == CLASS_ID)
    .order_by(ClassAnswerRow.round, ClassAnswerRow.vote, ClassAnswerRow.seat)
)
SELECT_ROUND_ANSWERS = SELECT_ANSWERS.where(ClassAnswerRow.round == bindparam("number"))
SELECT_SEAT_ANSWERS = SELECT_ROUND_ANSWERS.where(ClassAnswerRow.seat == bindparam("place"))
IN_VOTE = and_(
    ClassAnswerRow.class_id == CLASS_ID,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.vote == bindparam("ballot"),
)
COUNT_ANSWERS = select(func.count()).where(IN_VOTE)
COUNT_PRESENT = (
    select(func.count())
    .select_from(ClassSeatRow)
    .where(
        ClassSeatRow.class_id == CLASS_ID,
        ClassSeatRow.removed.is_(False),
        or_(
            ClassSeatRow.seen >= bindparam("since"),
            ClassSeatRow.number.in_(select(ClassAnswerRow.seat).where(IN_VOTE)),
        ),
    )
)
DELETE_EXPIRED = delete(ClassRow).where(ClassRow.ends <= bindparam("now"))
UPDATE_CLASS = update(ClassRow).where(ClassRow.id == CLASS_ID)
RAISE_VERSION = UPDATE_CLASS.values(version=ClassRow.version + literal_column("1"))
UPDATE_ROUND = update(ClassRoundRow).where(
    ClassRoundRow.class_id == CLASS_ID, ClassRoundRow.number == bindparam("which")
)
UPDATE_SEAT = update(ClassSeatRow).where(
    ClassSeatRow.class_id == CLASS_ID, ClassSeatRow.number == bindparam("which")
)
UPDATE_ANSWER = update(ClassAnswerRow).where(IN_VOTE, ClassAnswerRow.seat == bindparam("place"))
UPDATE_HIDDEN = update(ClassAnswerRow).where(
    ClassAnswerRow.class_id == CLASS_ID,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.answer == bindparam("said"),
)


def class_from_row(row: Sequence[Any]) -> ClassRecord:
    values = dict(zip(CLASS_COLUMNS, row, strict=True))
    return ClassRecord(
        **(values | {"scene": Scene(values["scene"]), "names": bool(values["names"])})
    )


def class_to_row(record: ClassRecord) -> dict[str, Any]:
    return asdict(record) | {"scene": str(record.scene)}


def seat_from_row(row: Sequence[Any]) -> SeatRecord:
    values = dict(zip(SEAT_COLUMNS, row, strict=True))
    return SeatRecord(**(values | {"removed": bool(values["removed"])}))


def answer_from_row(row: Sequence[Any]) -> AnswerRecord:
    values = dict(zip(ANSWER_COLUMNS, row, strict=True))
    return AnswerRecord(**(values | {"hidden": bool(values["hidden"])}))


def round_from_row(row: Sequence[Any]) -> RoundRecord:
    values = dict(zip(ROUND_COLUMNS, row, strict=True))
    choices, truth = values["choices"], values["ruling"]
    pairs = [] if choices is None else json.loads(choices)
    question = Question(
        game=values["game"],
        prompt=values["prompt"],
        start=values["start"],
        moves=tuple(values["moves"].split()),
        choices=tuple(Choice(text, claim) for text, claim in pairs),
        truth=values["truth"] or "",
        machine=values["machine"] or "",
    )
    return RoundRecord(
        number=values["number"],
        question=question,
        phase=Phase(values["phase"]),
        vote=values["vote"],
        seconds=values["seconds"],
        deadline=values["deadline"],
        truth=None if truth is None else Truth.from_json(truth),
        match_ply=values["match_ply"],
        created=values["created"],
    )


def round_to_row(record: RoundRecord) -> dict[str, Any]:
    """Row values of a round, without its class id."""
    question = record.question
    return {
        "number": record.number,
        "game": question.game,
        "start": question.start,
        "moves": " ".join(question.moves),
        "prompt": question.prompt,
        "choices": json.dumps([(one.text, one.claim) for one in question.choices])
        if question.choices
        else None,
        "truth": question.truth or None,
        "machine": question.machine or None,
        "seconds": record.seconds,
        "match_ply": record.match_ply,
        "phase": str(record.phase),
        "vote": record.vote,
        "deadline": record.deadline,
        "ruling": None if record.truth is None else record.truth.to_json(),
        "created": record.created,
    }
