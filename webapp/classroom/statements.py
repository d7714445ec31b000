"""The SQL about classes: every statement that their store asks the database with."""

from __future__ import annotations

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
