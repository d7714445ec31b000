"""Routes of `/class`: start a class, return to one, or prepare a question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, g, request

from webapp.boards.scene import Board
from webapp.classroom.addresses import is_local_only, network_hosts
from webapp.classroom.forms import PROMPTS, machines_for, read_position, read_question
from webapp.classroom.models import ClassRecord
from webapp.classroom.page import context_text, position_picture
from webapp.classroom.store import ClassStore
from webapp.questions.models import InvalidLessonError
from webapp.questions.plans import (
    MAX_PLAN_BYTES,
    SHIPPED_PLANS,
    plan_from_bytes,
    plan_text,
    shipped_plan,
)
from webapp.questions.query import question_fields
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.forms import Choice
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

MAX_QUERY_CHARS = 8000

classroom = Blueprint("classroom", __name__, url_prefix="/class")


@dataclass(frozen=True, slots=True)
class AskView:
    """A question about to be asked (`classroom/ask.html`)."""

    game: str
    state: str
    moves: str
    board: Board | None
    about: str  # Nim · Marienbad, last loses. x is to move.
    prompts: tuple[tuple[str, str], ...]
    machines: tuple[Choice, ...]
    classes: tuple[ClassRecord, ...]
    given: tuple[tuple[str, str], ...]  # form fields of a complete question
    prompt: str
    choices: tuple[str, ...]
    query: str  # of this page, to return to it with a class


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
        only_here=is_local_only(),
        addresses=network_hosts(),
        lessons=tuple((name, shipped_plan(name)) for name in SHIPPED_PLANS),
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
    plan = _plan_text()
    begun = service(ClassStore).begin(player_of_this_request())
    if plan is not None:
        change = service(ClassStore).change
        change(
            begun.id, lambda session: replace(session, record=replace(session.record, lesson=plan))
        )
    question = parse_qsl(request.form.get("ask", "")[:MAX_QUERY_CHARS])
    return go_to(f"/class/ask?{urlencode(question)}" if question else begun.path)


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
    """Page to ask a class a question: complete, or about a position."""
    given = bool(request.args.get("truth"))
    question = read_question(request.args) if given else read_position(request.args)
    page = "classroom/ask.html"
    view = AskView(
        game=question.game,
        state=question.start or "",
        moves=" ".join(question.moves),
        board=position_picture(question),
        about=context_text(question),
        prompts=tuple(PROMPTS.items()),
        machines=() if given else machines_for(question),
        given=tuple(question_fields(question)) if given else (),
        prompt=question.prompt,
        choices=tuple(choice.text for choice in question.choices),
        query=request.query_string.decode("ascii", "ignore"),
        classes=tuple(record for record in own() if not record.is_over),
    )
    return render(page, page, ask=view)


def own() -> tuple[ClassRecord, ...]:
    """This visitor's classes, newest first."""
    player = current_player()
    return () if player is None else service(ClassStore).taught_by(player)
