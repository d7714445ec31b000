"""Afterwards: the answers as a file, and a page to print or share."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, make_response

from webapp.boards.scene import Board
from webapp.classroom.exports import answers_csv
from webapp.classroom.pages.teaching import taught
from webapp.classroom.records import Phase, Room, RoundRecord
from webapp.classroom.revealing import result_of
from webapp.classroom.showing import about_of, picture_of
from webapp.classroom.views import ResultView
from webapp.services import services
from webapp.web.htmx import render

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
    store = services().classes
    text = answers_csv(store.rounds(class_id), store.seats(class_id), store.answers(class_id))
    response = make_response(text)
    response.mimetype = "text/csv"
    response.headers["Content-Disposition"] = 'attachment; filename="class.csv"'
    return response


@afterwards.get("/<class_id>/report")
def report(class_id: str) -> Response:
    """Each round that was revealed, with its histograms; without a name."""
    room = services().classes.find(class_id)
    rounds = [each for each in services().classes.rounds(class_id) if _is_shown(each)]
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
