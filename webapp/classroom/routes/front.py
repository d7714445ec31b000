"""`/class`: begin a class, go back to one, or put a question to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, g, request

from webapp.boards.scene import Board
from webapp.classroom.addresses import here_on_the_network, is_only_here
from webapp.classroom.forms import PROMPTS, machines_for, position_in, question_in
from webapp.classroom.models import ClassRecord
from webapp.classroom.page import about_of, picture_of
from webapp.classroom.store import ClassStore
from webapp.classroom.truths import as_question
from webapp.questions.models import InvalidLessonError
from webapp.questions.plan_parser import LARGEST, SHIPPED, lesson_in, lesson_text, shipped_lesson
from webapp.questions.query import fields_of
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.forms import Choice
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

LONGEST_QUESTION = 8000  # letters of an address

classroom = Blueprint("classroom", __name__, url_prefix="/class")


@dataclass(frozen=True, slots=True)
class AskView:
    """What is about to be put to a class (`classroom/ask.html`)."""

    game: str
    state: str
    moves: str
    board: Board | None
    about: str  # Nim · Marienbad, last loses. x is to move.
    prompts: tuple[tuple[str, str], ...]
    machines: tuple[Choice, ...]
    classes: tuple[ClassRecord, ...]
    given: tuple[tuple[str, str], ...]  # of a question that names its truth, all there is of it
    prompt: str
    choices: tuple[str, ...]
    query: str  # of this page, to come back to it with a class


@classroom.get("")
def front() -> Response:
    """What a teacher begins with."""
    return _front()


def _front(message: Message | None = None, status: int = 200) -> Response:
    page = "classroom/front.html"
    return render(
        page,
        page,
        status,
        classes=own(),
        only_here=is_only_here(),
        addresses=here_on_the_network(),
        lessons=tuple((name, shipped_lesson(name)) for name in SHIPPED),
        message=message,
        problems=g.get("problems", ()),
    )


@classroom.post("")
def begin() -> Response:
    """A class in one press; with a prepared lesson, if one is named or sent.

    Whoever was about to ask something comes back to that.
    """
    show_errors_on(_front)
    service(RateLimits).spend()
    lesson = _lesson()
    begun = service(ClassStore).begin(player_of_this_request())
    if lesson is not None:
        change = service(ClassStore).change
        change(begun.id, lambda room: replace(room, record=replace(room.record, lesson=lesson)))
    question = parse_qsl(request.form.get("ask", "")[:LONGEST_QUESTION])
    return go_to(f"/class/ask?{urlencode(question)}" if question else begun.path)


def _lesson() -> str | None:
    """The text of a lesson that can be read; raises InvalidLessonError with all that is wrong."""
    sent = request.files.get("lesson")
    if sent is not None and sent.filename:
        data = sent.read(LARGEST + 1)
        try:
            lesson_in(data)
        except InvalidLessonError as error:
            g.problems = error.problems  # all of them are shown
            raise
        return str(data, "utf-8-sig")
    name = request.form.get("shipped", "")
    return lesson_text(name) if name else None


@classroom.get("/ask")
def ask() -> Response:
    """How to put this to the class: a question with its truth, or a position to ask about."""
    given = bool(request.args.get("truth"))
    posed = question_in(request.args) if given else position_in(request.args)
    page = "classroom/ask.html"
    view = AskView(
        game=posed.game,
        state=posed.start or "",
        moves=" ".join(posed.moves),
        board=picture_of(posed),
        about=about_of(posed),
        prompts=tuple(PROMPTS.items()),
        machines=() if given else machines_for(posed),
        given=tuple(fields_of(as_question(posed))) if given else (),
        prompt=posed.prompt,
        choices=posed.choices or (),
        query=request.query_string.decode("ascii", "ignore"),
        classes=tuple(record for record in own() if not record.is_over),
    )
    return render(page, page, ask=view)


def own() -> tuple[ClassRecord, ...]:
    """This visitor's classes, the latest first."""
    player = current_player()
    return () if player is None else service(ClassStore).taught_by(player)
