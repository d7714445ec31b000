"""The SQL about classes: every statement that their store asks the database with."""

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
    Judgement,
    Phase,
    Posed,
    RoundRecord,
    Ruling,
    SceneOf,
    SeatRecord,
)
from webapp.storage.tables import ClassAnswerRow, ClassRoundRow, ClassRow, ClassSeatRow

CLASS = tuple(ClassRow.__table__.columns.keys())
ROUND = tuple(ClassRoundRow.__table__.columns.keys())
SEAT = ("number", "player", "name", "joined", "seen", "removed", "machine")
ANSWER = ("round", "vote", "seat", "answer", "hidden", "given")

WANTED: BindParameter[str] = bindparam("wanted")
RUNS = ClassRow.ends > bindparam("now")
FIND = select(ClassRow.__table__).where(ClassRow.id == WANTED, RUNS)
BY_CODE = select(ClassRow.__table__).where(ClassRow.code == bindparam("code"), RUNS)
TAUGHT = (
    select(ClassRow.__table__)
    .where(or_(ClassRow.owner == bindparam("player"), ClassRow.second == bindparam("player")), RUNS)
    .order_by(ClassRow.created.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # or SQLite is given one without a name
)
PULSE = (
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
    .where(ClassRow.code == bindparam("code"), RUNS)
)
A_ROUND = select(ClassRoundRow.__table__).where(
    ClassRoundRow.class_id == WANTED, ClassRoundRow.number == bindparam("number")
)
ROUNDS = (
    select(ClassRoundRow.__table__)
    .where(ClassRoundRow.class_id == WANTED)
    .order_by(ClassRoundRow.number)
)
SEATS = (
    select(*(getattr(ClassSeatRow, name) for name in SEAT))
    .where(ClassSeatRow.class_id == WANTED)
    .order_by(ClassSeatRow.number)
)
A_SEAT = select(*(getattr(ClassSeatRow, name) for name in SEAT)).where(
    ClassSeatRow.class_id == WANTED, ClassSeatRow.player == bindparam("player")
)
ANSWERS = (
    select(*(getattr(ClassAnswerRow, name) for name in ANSWER))
    .where(ClassAnswerRow.class_id == WANTED)
    .order_by(ClassAnswerRow.round, ClassAnswerRow.vote, ClassAnswerRow.seat)
)
OF_ROUND = ANSWERS.where(ClassAnswerRow.round == bindparam("number"))
OWN = OF_ROUND.where(ClassAnswerRow.seat == bindparam("place"))
IN_VOTE = and_(
    ClassAnswerRow.class_id == WANTED,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.vote == bindparam("ballot"),
)
ANSWERED = select(func.count()).where(IN_VOTE)
PRESENT = (
    select(func.count())
    .select_from(ClassSeatRow)
    .where(
        ClassSeatRow.class_id == WANTED,
        ClassSeatRow.removed.is_(False),
        or_(
            ClassSeatRow.seen >= bindparam("since"),
            ClassSeatRow.number.in_(select(ClassAnswerRow.seat).where(IN_VOTE)),
        ),
    )
)
GONE = delete(ClassRow).where(ClassRow.ends <= bindparam("now"))
THIS = update(ClassRow).where(ClassRow.id == WANTED)
TOUCH = THIS.values(version=ClassRow.version + literal_column("1"))
THIS_ROUND = update(ClassRoundRow).where(
    ClassRoundRow.class_id == WANTED, ClassRoundRow.number == bindparam("which")
)
THIS_SEAT = update(ClassSeatRow).where(
    ClassSeatRow.class_id == WANTED, ClassSeatRow.number == bindparam("which")
)
THIS_ANSWER = update(ClassAnswerRow).where(IN_VOTE, ClassAnswerRow.seat == bindparam("place"))
HIDE = update(ClassAnswerRow).where(
    ClassAnswerRow.class_id == WANTED,
    ClassAnswerRow.round == bindparam("number"),
    ClassAnswerRow.answer == bindparam("said"),
)


def class_in(row: Sequence[Any]) -> ClassRecord:
    """A class as its row has it."""
    told = dict(zip(CLASS, row, strict=True))
    return ClassRecord(**(told | {"scene": SceneOf(told["scene"]), "names": bool(told["names"])}))


def class_columns(record: ClassRecord) -> dict[str, Any]:
    """And back."""
    return asdict(record) | {"scene": str(record.scene)}


def seat_in(row: Sequence[Any]) -> SeatRecord:
    """A student."""
    told = dict(zip(SEAT, row, strict=True))
    return SeatRecord(**(told | {"removed": bool(told["removed"])}))


def answer_in(row: Sequence[Any]) -> AnswerRecord:
    """What a student said."""
    told = dict(zip(ANSWER, row, strict=True))
    return AnswerRecord(**(told | {"hidden": bool(told["hidden"])}))


def round_in(row: Sequence[Any]) -> RoundRecord:
    """A question in one of its phases."""
    told = dict(zip(ROUND, row, strict=True))
    choices, ruling = told["choices"], told["ruling"]
    pairs = None if choices is None else json.loads(choices)
    asked = Posed(
        game=told["game"],
        prompt=told["prompt"],
        start=told["start"],
        moves=tuple(told["moves"].split()),
        choices=None if pairs is None else tuple(text for text, _ in pairs),
        claims=None if pairs is None else tuple(claim for _, claim in pairs),
        truth=told["truth"],
        machine=told["machine"],
        seconds=told["seconds"],
    )
    return RoundRecord(
        number=told["number"],
        asked=asked,
        phase=Phase(told["phase"]),
        vote=told["vote"],
        deadline=told["deadline"],
        ruling=None if ruling is None else _ruling(json.loads(ruling)),
        match_ply=told["match_ply"],
        created=told["created"],
    )


def _ruling(told: dict[str, Any]) -> Ruling:
    judgements = tuple(Judgement(**each) for each in told["judgements"])
    return Ruling(judgements, told["why"], told["source"])


def round_columns(record: RoundRecord) -> dict[str, Any]:
    """And back, but for its class."""
    asked, choices = record.asked, record.asked.choices
    return {
        "number": record.number,
        "game": asked.game,
        "start": asked.start,
        "moves": " ".join(asked.moves),
        "prompt": asked.prompt,
        "choices": None
        if choices is None
        else json.dumps(list(zip(choices, asked.claims or choices, strict=True))),
        "truth": asked.truth,
        "machine": asked.machine,
        "seconds": asked.seconds,
        "match_ply": record.match_ply,
        "phase": str(record.phase),
        "vote": record.vote,
        "deadline": record.deadline,
        "ruling": None if record.ruling is None else json.dumps(asdict(record.ruling)),
        "created": record.created,
    }
