"""Routes of the teacher: making assignments, the table, its students."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, g, request

from agents.formats import csv_text
from webapp.assignments import rules
from webapp.assignments.forms import made_record, read_file, read_form, with_added
from webapp.assignments.league import LeagueRating
from webapp.assignments.models import (
    AssignmentRecord,
    NotYourAssignmentError,
    SeatRecord,
    UnknownAssignmentError,
)
from webapp.assignments.store import AssignmentStore
from webapp.assignments.teacher_page import CSV_HEADER, FrontPage, StudentPage, TablePage
from webapp.assignments.work_store import WorkStore
from webapp.learn.models import lesson_titles
from webapp.questions.assignments import MAX_TEXT_BYTES, AssignmentText
from webapp.questions.models import InvalidLessonError
from webapp.services import Clock, service
from webapp.serving.site import reachable_site
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import file_response
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

assignments = Blueprint("assignments", __name__, url_prefix="/assignments")

NOT_YOURS = "only the teacher who made this assignment sees it: students open it by its code"
CRLF = "\r\n"
NAMES_PER_CLASS = 100  # of a list, that count as another class: each is a row


@assignments.get("")
def front() -> Response:
    """A teacher's assignments, and the form of a new one, with a task if a link adds one."""
    fields = request.args.to_dict()
    return _front(with_added(fields, lesson_titles()) if fields.get("add") else fields)


@assignments.post("")
def make() -> Response:
    """Make an assignment of the form or of a file, or add a task to the form."""
    fields = request.form.to_dict()
    if fields.get("add"):
        return _front(with_added(fields, lesson_titles()))
    show_errors_on(lambda message, status: _front(fields, message, status))
    service(RateLimits).spend()
    text = _sent_text(fields)
    record = made_record(text, player_of_this_request(), service(Clock).now())
    record = service(LeagueRating).with_leagues(record)
    service(RateLimits).spend_on("classes", 1 + len(text.names) // NAMES_PER_CLASS)
    return go_to(service(AssignmentStore).make(record, text.names).path)


def _sent_text(fields: Mapping[str, str]) -> AssignmentText:
    """What was typed or uploaded; raises InvalidLessonError, whose problems the page lists."""
    sent, lessons = request.files.get("file"), lesson_titles()
    try:
        if sent is not None and sent.filename:
            return read_file(sent.read(MAX_TEXT_BYTES + 1), lessons)
        return read_form(fields, lessons)
    except InvalidLessonError as error:
        g.problems = error.problems
        raise


def _front(
    fields: Mapping[str, str], message: Message | None = None, status: int = 200
) -> Response:
    player = current_player()
    own = () if player is None else service(AssignmentStore).owned_by(player)
    page = FrontPage(own, fields, lesson_titles(), message, g.get("problems", ()))
    return render("assignments/front.html", "assignments/front.html", status, front=page)


@assignments.get("/<assignment_id>")
def show(assignment_id: str) -> Response:
    """The teacher's table."""
    return _table(_taught(assignment_id))


def _table(record: AssignmentRecord, message: Message | None = None, status: int = 200) -> Response:
    page = _table_page(record, message)
    return render("assignments/table.html", "assignments/table.html", status, table=page)


def _table_page(record: AssignmentRecord, message: Message | None = None) -> TablePage:
    store = service(WorkStore)
    seats, tries = store.seats(record.id), store.tries(record)
    return TablePage(record, seats, tries, reachable_site(), message, service(Clock).now())


@assignments.get("/<assignment_id>.csv")
def table_csv(assignment_id: str) -> Response:
    """The table as CSV, for the teacher only."""
    record = _taught(assignment_id)
    text = csv_text(CSV_HEADER, _table_page(record).csv_rows, lineterminator=CRLF)
    return file_response(text, f"assignment-{record.code}.csv")


@assignments.get("/<assignment_id>/links.csv")
def links_csv(assignment_id: str) -> Response:
    """Every student's personal link, to hand out."""
    record, site = _taught(assignment_id), reachable_site()
    seats = service(WorkStore).seats(record.id)
    rows = [(seat.name, f"{site}{record.personal_path(seat)}") for seat in seats]
    text = csv_text(("student", "link"), rows, lineterminator=CRLF)
    return file_response(text, f"links-{record.code}.csv")


@assignments.get("/<assignment_id>/screen")
def screen(assignment_id: str) -> Response:
    """How to open it, for a projector; shows nothing that students did."""
    record = _taught(assignment_id)
    page = TablePage(record, (), (), reachable_site())
    return render("assignments/screen.html", "assignments/screen.html", table=page)


@assignments.get("/<assignment_id>/students/<int:seat>")
def student(assignment_id: str, seat: int) -> Response:
    """All that a student tried."""
    record = _taught(assignment_id)
    store, found = service(WorkStore), _seat(record, seat)
    progress = rules.progress_of(record, store.tries(record, seat))
    page = StudentPage(record, found, progress, reachable_site())
    return render("assignments/student.html", "assignments/student.html", student=page)


@assignments.post("/<assignment_id>/students/<int:seat>/link")
def new_link(assignment_id: str, seat: int) -> Response:
    """Give a student a new personal link; whoever used the old one is out."""
    record = _changed(assignment_id)
    service(WorkStore).release(record.id, _seat(record, seat).number)
    return go_to(f"{record.path}/students/{seat}")


@assignments.post("/<assignment_id>/settings")
def settings(assignment_id: str) -> Response:
    """Close it, or open it again."""
    record, wanted = _changed(assignment_id), request.form.get("do", "")
    if wanted not in ("close", "open"):
        raise InvalidFormError(wanted[:20], "that cannot be set")
    service(AssignmentStore).change(record.id, closed=wanted == "close")
    return go_to(record.path)


@assignments.post("/<assignment_id>/delete")
def delete(assignment_id: str) -> Response:
    """Delete it with all that was tried."""
    service(AssignmentStore).delete(_changed(assignment_id).id)
    return go_to("/assignments")


@assignments.get("/<assignment_id>/key/<key>")
def offered(assignment_id: str, key: str) -> Response:
    """Offer control to another device; taken by POST, since link previews send GET."""
    record = _by_key(assignment_id, key)
    if record.is_taught_by(current_player()):
        return go_to(record.path)
    page = "assignments/key.html"
    return render(page, page, path=f"{record.path}/key/{key}", title=record.title)


@assignments.post("/<assignment_id>/key/<key>")
def take(assignment_id: str, key: str) -> Response:
    """Give this device control, beside the teacher's first."""
    record = _by_key(assignment_id, key)
    service(RateLimits).spend()
    service(AssignmentStore).change(record.id, second=player_of_this_request())
    return go_to(record.path)


def _by_key(assignment_id: str, key: str) -> AssignmentRecord:
    record = service(AssignmentStore).find(assignment_id)
    if record.key != key:
        raise UnknownAssignmentError("this link gives control of no assignment")
    return record


def _taught(assignment_id: str) -> AssignmentRecord:
    record = service(AssignmentStore).find(assignment_id)
    if not record.is_taught_by(current_player()):
        raise NotYourAssignmentError(NOT_YOURS)
    return record


def _changed(assignment_id: str) -> AssignmentRecord:
    """An assignment that its teacher is about to change."""
    record = _taught(assignment_id)
    service(RateLimits).spend()
    return record


def _seat(record: AssignmentRecord, number: int) -> SeatRecord:
    for seat in service(WorkStore).seats(record.id):
        if seat.number == number:
            return seat
    raise UnknownAssignmentError("this assignment has no such student")
