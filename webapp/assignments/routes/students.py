"""Routes of the students: joining, the list of tasks, and doing them."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, current_app, request

from engine import Seat
from engine.errors import sentence
from webapp.assignments import rules
from webapp.assignments.forms import TaskQuery, opened_text, read_count, seconds_since
from webapp.assignments.league import LeagueRating
from webapp.assignments.models import (
    AssignmentRecord,
    NotYourAssignmentError,
    SeatRecord,
    TryRecord,
    UnknownAssignmentError,
)
from webapp.assignments.store import AssignmentStore, unknown_assignment
from webapp.assignments.work_page import TaskPage, WorkPage
from webapp.assignments.work_store import WorkStore
from webapp.matches.changes import started
from webapp.matches.store import MatchStore
from webapp.questions.assignments import TaskKind
from webapp.replays.models import PERSON, Record, new_record
from webapp.replays.query import MatchQuery
from webapp.services import Clock, service
from webapp.serving.site import reachable_site
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render
from webapp.web.messages import Message, Tone
from webapp.web.names import CODE_LENGTH, read_code
from webapp.web.rate_limits import RateLimits

homework = Blueprint("homework", __name__, url_prefix="/a")


@homework.get("")
def code_form() -> Response:
    """The form for the code."""
    return _join_page()


@homework.post("")
def open_code() -> Response:
    """Go to the assignment of the typed code, or to the class if it is one's, which is shorter."""
    code = read_code(request.form.get("code", ""))
    return go_to(f"/{'c' if len(code) == CODE_LENGTH else 'a'}/{code or '-'}")


@homework.get("/<code>")
def work(code: str) -> Response:
    """A student's tasks; the form to begin for a visitor who has not."""
    try:
        record = find(code)
    except UnknownAssignmentError as error:
        return _join_page(Message(Tone.ERROR, sentence(str(error))), error.status)
    seat = service(WorkStore).seat_of(record.id, current_player())
    if seat is None:
        return _join_page(record=record)
    progress = rules.progress_of(record, service(WorkStore).tries(record, seat.number))
    page = WorkPage(record, seat, progress, reachable_site(), service(Clock).now())
    return render("assignments/work.html", "assignments/work.html", work=page)


@homework.post("/<code>/join")
def join(code: str) -> Response:
    """Begin, under a name of the list or a made-up one."""
    record = find(code)
    show_errors_on(lambda message, status: _join_page(message, status, record))
    store = service(WorkStore)
    if store.seat_of(record.id, current_player()) is None:
        service(RateLimits).spend_on("seats")
        if record.closed:
            raise NotYourAssignmentError("this assignment is closed: ask your teacher")
        try:
            store.sit(record.code, player_of_this_request(), request.form.get("name", "")[:200])
        except NotYourAssignmentError:
            service(RateLimits).count_guess(wrong=True)  # a name that is not on the list
            raise
    return go_to(record.student_path)


@homework.get("/<code>/as/<key>")
def other_device(code: str, key: str) -> Response:
    """Offer to go on in this browser; taken by POST, since link previews send GET."""
    record = find(code)
    seat = service(WorkStore).seat_by_key(record.id, key)
    page = "assignments/device.html"
    return render(page, page, path=record.personal_path(seat), title=record.title, name=seat.name)


@homework.post("/<code>/as/<key>")
def go_on(code: str, key: str) -> Response:
    """Go on in this browser by the personal link."""
    record, store = find(code), service(WorkStore)
    seat = store.seat_by_key(record.id, key)
    service(RateLimits).spend_on("seats")
    store.attach(record.id, player_of_this_request(), seat)
    return go_to(record.student_path)


@homework.get("/<code>/<int:task>")
def task_page(code: str, task: int) -> Response:
    """A task, with the puzzle or question that the address names."""
    record = find(code)
    seat = service(WorkStore).seat_of(record.id, current_player())
    if seat is None:
        return _join_page(record=record)
    return _task(record, seat, task, TaskQuery.parse(request.args))


@homework.post("/<code>/<int:task>/answer")
def answer(code: str, task: int) -> Response:
    """Store an answer to a puzzle or a question, and show what it came to."""
    record, seat, player = _working(code, task)
    at, chosen = service(Clock).now(), record.task(task)
    names = rules.item_names(chosen)
    part = read_count(request.form, "part", 1, len(names))
    _show_errors_on_task(record, task, part)
    number = read_count(request.form, "number", 1, rules.MAX_TRIES + 1)
    sent = "".join(request.form.getlist("move"))
    text, right = rules.judged(chosen, names[part - 1], sent)
    seconds = seconds_since(_key(), request.form.get("opened", ""), at)
    made = TryRecord(seat.number, task, names[part - 1], number, text, right, seconds, int(at))
    service(WorkStore).answer(record.code, player, lambda _, __: made)
    return _after(record, seat, task, part)


@homework.post("/<code>/<int:task>/play")
def play(code: str, task: int) -> Response:
    """Begin the match of a task, and go to it."""
    record, _, player = _working(code, task)
    chosen = record.task(task)
    if not chosen.is_match:
        raise InvalidFormError("", "this task is no match")
    begun = _begun(record, task, player)
    query = MatchQuery(task=f"{record.code}.{task}").url("")
    return started(begun, query)


def _begun(record: AssignmentRecord, task: int, player: str) -> Record:
    """The match of a task, stored as a try: it counts, so no machine advises."""
    chosen = record.task(task)
    seats = (PERSON, chosen.machine) if chosen.seat is Seat.FIRST else (chosen.machine, PERSON)
    match = replace(new_record(player, chosen.position.match, seats), rated=True)
    service(RateLimits).spend_on_match(len(match.plies))
    return service(WorkStore).begin_match(record.code, player, task, match, service(MatchStore))


@homework.post("/<code>/<int:task>/bot")
def check_bot(code: str, task: int) -> Response:
    """Look up how the student's bots are rated, and store it as a try."""
    record, seat, player = _working(code, task)
    chosen = record.task(task)
    if chosen.kind is not TaskKind.BOT:
        raise InvalidFormError("", "this task needs no bot")
    store = service(WorkStore)
    best = service(LeagueRating).best(chosen, store.players_of(record.id, seat.number))
    if best is None:
        why = "none of your bots has played in this league yet: open its link in this browser"
        raise NotYourAssignmentError(why)
    name, rating = best
    made = TryRecord(
        *(seat.number, task, "", read_count(request.form, "number", 1, rules.MAX_TRIES + 1)),
        *(f"{name}: {rating:.0f}"[: rules.ANSWER_CHARS], rating >= chosen.rating, 0),
        int(service(Clock).now()),
    )
    store.answer(record.code, player, lambda _, __: made)
    return _after(record, seat, task, 1)


def _after(record: AssignmentRecord, seat: SeatRecord, task: int, part: int) -> Response:
    """The task after a change, as the partial; a browser is sent to it."""
    query = TaskQuery(part=part)
    if partial_is_wanted():
        return _task(record, seat, task, query)
    return go_to(query.url(f"{record.student_path}/{task}"))


def _task(
    record: AssignmentRecord,
    seat: SeatRecord,
    task: int,
    query: TaskQuery,
    message: Message | None = None,
    status: int = 200,
) -> Response:
    record.task(task)  # raises
    progress = rules.progress_of(record, service(WorkStore).tries(record, seat.number))
    opened = opened_text(_key(), service(Clock).now(), query.opened)
    line = f"python bot.py {reachable_site()} {record.task(task).league} --name {seat.name}"
    page = TaskPage(record, seat, progress[task - 1], query, opened, line, message)
    return render("assignments/task.html", "assignments/_task.html", status, task=page)


def _working(code: str, task: int) -> tuple[AssignmentRecord, SeatRecord, str]:
    """Assignment, student and player of a request that changes something, counted by seat."""
    record, player = find(code), current_player()
    record.task(task)  # raises
    seat = service(WorkStore).seat_of(record.id, player)
    if seat is None or player is None:
        raise NotYourAssignmentError("open the assignment under your name first")
    _show_errors_on_task(record, task, 0)
    service(RateLimits).spend()
    service(RateLimits).by_player.take(f"{record.id} {seat.number}")  # on all devices
    return record, seat, player


def _show_errors_on_task(record: AssignmentRecord, task: int, part: int) -> None:
    def show_task(message: Message, status: int) -> Response:
        seat = service(WorkStore).seat_of(record.id, current_player())
        if seat is None:
            return _join_page(message, status, record)
        return _task(record, seat, task, TaskQuery(part=part), message, status)

    show_errors_on(show_task)


def find(text: str) -> AssignmentRecord:
    """Load an assignment by code, with wrong codes rate-limited; its students are let in."""
    try:
        record = service(AssignmentStore).by_code(read_code(text))
    except UnknownAssignmentError:
        record = None
    player = current_player()
    if record is not None and service(WorkStore).seat_of(record.id, player) is not None:
        return record
    service(RateLimits).count_guess(wrong=record is None)
    if record is None:
        raise unknown_assignment()
    return record


def _join_page(
    message: Message | None = None, status: int = 200, record: AssignmentRecord | None = None
) -> Response:
    page = "assignments/join.html"
    return render(page, page, status, record=record, message=message)


def _key() -> str:
    key = current_app.secret_key
    assert isinstance(key, str)
    return key
