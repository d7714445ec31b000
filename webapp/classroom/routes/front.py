"""Routes of `/class`: start a class, return to one, prepare a question, and the report of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Blueprint, Response, g, make_response, request

from agents.formats import csv_text
from webapp.classroom.control_page import AskPage, CurvesPage
from webapp.classroom.forms import PLAIN, PROMPTS, read_position, read_question
from webapp.classroom.game_store import GameStore
from webapp.classroom.models import AnswerRecord, ClassRecord, RoundRecord, SeatRecord
from webapp.classroom.routes.records import played_cup, played_matches, site
from webapp.classroom.routes.session import taught
from webapp.classroom.screen_page import ReportPage
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.questions.models import SKETCH, InvalidLessonError, Question
from webapp.questions.plain import POLL
from webapp.questions.plans import (
    MAX_PLAN_BYTES,
    SHIPPED_PLANS,
    plan_from_bytes,
    plan_text,
    shipped_plan,
)
from webapp.questions.truths import has_board
from webapp.services import service
from webapp.web.cookies import (
    current_player,
    follow_class,
    player_of_this_request,
    shows_teacher_tools,
    wish_teacher_tools,
)
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

MAX_QUERY_CHARS = 8000
HEADER = (
    *("round", "vote", "student", "answer", "value", "best"),
    *("question", "game", "position", "truth", "time", "class"),
)

classroom = Blueprint("classroom", __name__, url_prefix="/class")


@classroom.get("")
def front() -> Response:
    """Front page for teachers."""
    return _front()


def _front(message: Message | None = None, status: int = 200) -> Response:
    page = "classroom/front.html"
    return render(
        page,
        page,
        status,
        classes=own(),
        site=site(),
        plans=tuple((name, shipped_plan(name)) for name in SHIPPED_PLANS),
        message=message,
        problems=g.get("problems", ()),
    )


@classroom.post("")
def begin() -> Response:
    """Start a class, with a plan if one is named or uploaded.

    A teacher who was about to ask something returns to that question.
    """
    show_errors_on(_front)
    service(RateLimits).spend()
    service(RateLimits).spend_on("classes")
    begun = service(ClassStore).begin(player_of_this_request(), _plan_text())
    question = parse_qsl(request.form.get("ask", "")[:MAX_QUERY_CHARS])
    path = f"/class/ask?{urlencode(question)}" if question else begun.path
    return follow_class(go_to(path), is_over=False)


@classroom.post("/tools")
def tools() -> Response:
    """Show or hide the teacher's tools in this browser, and return to the page."""
    return wish_teacher_tools(go_to(_last_page()), shown=request.form.get("show") == "1")


def _last_page() -> str:
    """Path of our page that sent the form, with what it held; the front page if it is not ours."""
    sent = urlsplit(request.referrer or "")
    if sent.netloc != request.host or sent.path.startswith(("//", "/\\")):
        return "/class"
    held = urlencode([pair for pair in request.form.items(multi=True) if pair[0] != "show"])
    query = held[:MAX_QUERY_CHARS] or sent.query
    return f"{sent.path}?{query}" if query else sent.path or "/"


def _plan_text() -> str | None:
    """Text of a valid plan; raises InvalidLessonError with all problems."""
    sent = request.files.get("lesson")
    if sent is not None and sent.filename:
        data = sent.read(MAX_PLAN_BYTES + 1)
        try:
            plan_from_bytes(data)
        except InvalidLessonError as error:
            g.problems = error.problems  # the page lists them all
            raise
        return str(data, "utf-8-sig")
    name = request.form.get("shipped", "")
    return plan_text(name) if name else None


@classroom.get("/ask")
def ask() -> Response:
    """Page to ask a class a question: complete, about a position, or about none."""
    is_complete = bool(request.args.get("truth"))
    if request.args.get("kind") == SKETCH:
        page = "classroom/curves.html"
        return render(page, page, curves=CurvesPage())
    if request.args.get("kind") == PLAIN:
        question = Question("", PROMPTS[PLAIN], POLL)
    else:
        question = read_question(request.args) if is_complete else read_position(request.args)
    open_classes = tuple(record for record in own() if not record.is_over)
    query = request.query_string.decode("ascii", "ignore")
    page = "classroom/ask.html"
    return render(page, page, ask=AskPage(question, is_complete, open_classes, query))


@classroom.get("/<class_id>.csv")
def answers(class_id: str) -> Response:
    """Every answer as CSV, for the teacher only."""
    record, store = taught(class_id).record, service(SeatStore)
    rounds = service(ClassStore).rounds(class_id)
    answers = store.answers(class_id)
    games = GameStore(store.database).results(class_id)
    said = [replace(each, answer=games.get(each.answer, each.answer)) for each in answers]
    response = make_response(answers_csv(rounds, store.seats(class_id), said, record.label))
    response.mimetype = "text/csv"
    day = datetime.fromtimestamp(record.created, UTC)
    name = f"class-{record.label}-{day:%Y-%m-%d}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@classroom.get("/<class_id>/report")
def report(class_id: str) -> Response:
    """Revealed rounds with their results, without names."""
    classes, store = service(ClassStore), service(SeatStore)
    session = classes.find(class_id)  # raises for a class that has expired
    rounds, seats = classes.rounds(class_id), store.seats(class_id)
    made = ReportPage(
        rounds,
        seats,
        store.answers(class_id),
        matches=played_matches(rounds),
        cup=played_cup(session, seats),
    )
    page = "classroom/report.html"
    return render(page, page, report=made)


def own_class() -> str:
    """Path of this visitor's class that is on, where the teacher's tools are shown; else empty."""
    if not shows_teacher_tools():
        return ""
    if "own_class" not in g:
        g.own_class = next((record.path for record in own() if not record.is_over), "")
    return str(g.own_class)


def own() -> tuple[ClassRecord, ...]:
    """This visitor's classes, newest first."""
    player = current_player()
    return () if player is None else service(ClassStore).taught_by(player)


def _question_columns(current: RoundRecord) -> tuple[str, str, str, str]:
    """What was asked, the game, the position asked about, and all right answers."""
    question = current.question
    position = str(question.match.state) if has_board(question) else ""
    return question.prompt, question.game, position, " | ".join(current.best)


def answers_csv(
    rounds: Sequence[RoundRecord],
    seats: Sequence[SeatRecord],
    answers: Sequence[AnswerRecord],
    label: str = "",
) -> str:
    """One row per answer; unknown values are empty.

    A round that was asked without names has made-up ones. Once somebody has a name of their own
    the rows of a vote are sorted by name: by seat, they would tell whose made-up name is whose.
    """
    by_seat = {seat.number: seat for seat in seats}
    by_number = {each.number: each for each in rounds}
    rows = list[tuple[object, ...]]()
    for answer in answers:
        current, seat = by_number[answer.round], by_seat.get(answer.seat)
        judged = current.judgement_on(answer.answer)
        value = "" if judged is None or judged.value is None else f"{judged.value:g}"
        best = "" if judged is None else "yes" if judged.right else "no"
        name = "" if seat is None else seat.shown_name(named=current.named)
        given = datetime.fromtimestamp(answer.given, UTC).isoformat()
        about = (*_question_columns(current), given, label)
        rows.append((answer.round, answer.vote, name, answer.answer, value, best, *about))
    if any(seat.name != seat.shown_name(named=False) for seat in seats):
        rows.sort(key=lambda row: row[:3])
    return csv_text(HEADER, rows, lineterminator="\r\n")
