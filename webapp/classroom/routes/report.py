"""What is taken along: every answer as a row, and each round with its histograms."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from flask import Blueprint, Response, make_response

from webapp.boards.scene import Board
from webapp.classroom.models import AnswerRecord, Phase, Room, RoundRecord, SeatRecord
from webapp.classroom.page import about_of, picture_of
from webapp.classroom.reveal import result_of
from webapp.classroom.routes.control import taught
from webapp.classroom.store import ClassStore
from webapp.classroom.views import ResultView
from webapp.services import service
from webapp.web.htmx import render

HEADER = ("round", "vote", "student", "answer", "value", "best")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would work out


@dataclass(frozen=True, slots=True)
class _Worth:
    value: str
    best: str


def answers_csv(
    rounds: Sequence[RoundRecord], seats: Sequence[SeatRecord], answers: Sequence[AnswerRecord]
) -> str:
    """One row an answer, as they were given; what is not known of one is left empty."""
    names = {seat.number: seat.name for seat in seats}
    asked = {each.number: each for each in rounds}
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    for answer in answers:
        worth = _worth(asked[answer.round], answer.answer)
        student = names.get(answer.seat, "")
        row = (answer.round, answer.vote, _plain(student), _plain(answer.answer))
        writer.writerow((*row, worth.value, worth.best))
    return out.getvalue()


def _worth(current: RoundRecord, answer: str) -> _Worth:
    judged = current.judgement_on(answer)
    if judged is None:
        return _Worth("", "")
    value = "" if judged.value is None else f"{judged.value:g}"
    return _Worth(value, "yes" if judged.best else "no")


def _plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
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
    """Every answer, for the teacher alone: `round,vote,student,answer,value,best`."""
    taught(class_id)
    store = service(ClassStore)
    text = answers_csv(store.rounds(class_id), store.seats(class_id), store.answers(class_id))
    response = make_response(text)
    response.mimetype = "text/csv"
    response.headers["Content-Disposition"] = 'attachment; filename="class.csv"'
    return response


@afterwards.get("/<class_id>/report")
def report(class_id: str) -> Response:
    """Each round that was revealed, with its histograms; without a name."""
    room = service(ClassStore).find(class_id)
    rounds = [each for each in service(ClassStore).rounds(class_id) if _is_shown(each)]
    page = "classroom/report.html"
    shown = tuple(_reported(room, each) for each in rounds)
    return render(page, page, rounds=shown, path=room.record.path)


def _is_shown(current: RoundRecord) -> bool:
    return current.phase is Phase.REVEALED


def _reported(room: Room, current: RoundRecord) -> ReportedRound:
    return ReportedRound(
        number=current.number,
        prompt=current.asked.prompt,
        about=about_of(current.asked),
        board=picture_of(current.asked),
        result=result_of(room, current),
    )
