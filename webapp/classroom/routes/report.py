"""Routes of the report: all answers as CSV, and every revealed round with its result."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from flask import Blueprint, Response, make_response

from webapp.boards.scene import Board
from webapp.classroom.models import (
    AnswerRecord,
    ClassSession,
    Phase,
    RoundRecord,
    SeatRecord,
)
from webapp.classroom.page import context_text, position_picture
from webapp.classroom.reveal import result_view
from webapp.classroom.routes.control import taught
from webapp.classroom.store import ClassStore
from webapp.classroom.views import ResultView
from webapp.questions.models import Judgement
from webapp.services import service
from webapp.web.htmx import render

HEADER = ("round", "vote", "student", "answer", "value", "best")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters of a formula in a spreadsheet


def answers_csv(
    rounds: Sequence[RoundRecord], seats: Sequence[SeatRecord], answers: Sequence[AnswerRecord]
) -> str:
    """One row per answer; unknown values are empty."""
    names = {seat.number: seat.name for seat in seats}
    by_number = {each.number: each for each in rounds}
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    for answer in answers:
        judgement = by_number[answer.round].judgement_on(answer.answer)
        student = names.get(answer.seat, "")
        row = (answer.round, answer.vote, _plain(student), _plain(answer.answer))
        writer.writerow((*row, *_value_and_best(judgement)))
    return out.getvalue()


def _value_and_best(judgement: Judgement | None) -> tuple[str, str]:
    if judgement is None:
        return "", ""
    value = "" if judgement.value is None else f"{judgement.value:g}"
    return value, "yes" if judgement.right else "no"


def _plain(text: str) -> str:
    """Quote a text that a spreadsheet would take for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


afterwards = Blueprint("afterwards", __name__, url_prefix="/class")


@dataclass(frozen=True, slots=True)
class ReportedRound:
    """One round of a report (`classroom/report.html`)."""

    number: int
    prompt: str
    about: str
    board: Board | None
    result: ResultView


@afterwards.get("/<class_id>.csv")
def answers(class_id: str) -> Response:
    """Every answer as CSV, for the teacher only."""
    taught(class_id)
    store = service(ClassStore)
    text = answers_csv(store.rounds(class_id), store.seats(class_id), store.answers(class_id))
    response = make_response(text)
    response.mimetype = "text/csv"
    response.headers["Content-Disposition"] = 'attachment; filename="class.csv"'
    return response


@afterwards.get("/<class_id>/report")
def report(class_id: str) -> Response:
    """Revealed rounds with their results, without names."""
    session = service(ClassStore).find(class_id)
    rounds = [each for each in service(ClassStore).rounds(class_id) if _is_shown(each)]
    page = "classroom/report.html"
    shown = tuple(_reported(session, each) for each in rounds)
    return render(page, page, rounds=shown, path=session.record.path)


def _is_shown(current: RoundRecord) -> bool:
    return current.phase is Phase.REVEALED


def _reported(session: ClassSession, current: RoundRecord) -> ReportedRound:
    return ReportedRound(
        number=current.number,
        prompt=current.question.prompt,
        about=context_text(current.question),
        board=position_picture(current.question),
        result=result_view(session, current),
    )
