"""Routes of the teacher's control and of the projector.

Every action of the control is a function of the class in ACTIONS: it reads the form, changes the
class and returns it, or None if there was nothing to do yet.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from webapp.classroom.forms import ClassQuery
from webapp.classroom.models import ClassSession
from webapp.classroom.routes.contests import (
    change_cup,
    go_on,
    play,
    play_at_once,
    reply,
    start_match,
)
from webapp.classroom.routes.plan import follow_plan
from webapp.classroom.routes.records import control_page, screen_page
from webapp.classroom.routes.rounds import ask, change_phase, choose_machine, hide_answer
from webapp.classroom.routes.session import find_by_key, taught, update
from webapp.classroom.routes.settings import change_seat, change_settings
from webapp.classroom.routes.stage import set_stage
from webapp.classroom.store import ClassStore
from webapp.services import service
from webapp.web.cookies import current_player, follow_class, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

screen = Blueprint("screen", __name__, url_prefix="/class/<class_id>/screen")
teaching = Blueprint("teaching", __name__, url_prefix="/class/<class_id>")


@screen.get("")
def show(class_id: str) -> Response:
    """The projector; 204 if the page is current."""
    page = screen_page(service(ClassStore).find(class_id))
    if partial_is_wanted() and _is_known(page.known):
        return vary(Response(status=204))
    return render("classroom/screen.html", "classroom/_screen.html", screen=page)


@teaching.get("")
def control(class_id: str) -> Response:
    """The control; 204 if the page is current."""
    return _shown(taught(class_id))


@teaching.get("/key/<key>")
def offered(class_id: str, key: str) -> Response:
    """Offer control to another device; taken by POST, since link previews send GET."""
    session = find_by_key(class_id, key)
    if session.record.is_taught_by(current_player()):
        return go_to(session.record.path)
    page = "classroom/key.html"
    return render(page, page, path=f"{session.record.path}/key/{key}", code=session.record.code)


@teaching.post("/key/<key>")
def take(class_id: str, key: str) -> Response:
    """Give this device control, beside the teacher's first."""
    session = find_by_key(class_id, key)
    service(RateLimits).spend()
    return go_to(update(session, second=player_of_this_request()).record.path)


ACTIONS: dict[str, Callable[[ClassSession], ClassSession | None]] = {
    "rounds": ask,
    "phase": change_phase,
    "machine": choose_machine,
    "settings": change_settings,
    "seats": change_seat,
    "answers": hide_answer,
    "match": start_match,
    "at-once": play_at_once,
    "play": play,
    "reply": reply,
    "on": go_on,
    "cup": change_cup,
    "lesson": follow_plan,
    "stage": set_stage,
}


def _add_action(name: str, act: Callable[[ClassSession], ClassSession | None]) -> None:
    def do(class_id: str) -> Response:
        session = taught(class_id)
        show_errors_on(
            lambda message, status: _shown(service(ClassStore).find(class_id), message, status)
        )
        service(RateLimits).spend()
        after = act(session)
        if not partial_is_wanted():
            return go_to(session.record.path)
        return vary(Response(status=204)) if after is None else _shown(after)

    teaching.add_url_rule(f"/{name}", name, do, methods=["POST"])


for _name, _act in ACTIONS.items():
    _add_action(_name, _act)


def _shown(session: ClassSession, message: Message | None = None, status: int = 200) -> Response:
    """The control as a page or as the partial `#control`."""
    page = control_page(session, message, ClassQuery.parse(request.args).game)
    if partial_is_wanted() and message is None and _is_known(page.known):
        return vary(Response(status=204))
    response = render("classroom/control.html", "classroom/_control.html", status, control=page)
    return follow_class(response, is_over=session.record.is_over)


def _is_known(known: str) -> bool:
    """Whether the page that polls shows what this key names."""
    return ClassQuery.parse(request.args).known == known
