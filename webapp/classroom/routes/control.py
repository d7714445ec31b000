"""Routes of the teacher's control and of the projector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, request

from webapp.classroom import rules
from webapp.classroom.addresses import network_hosts
from webapp.classroom.control_page import control_view
from webapp.classroom.forms import read_question, read_seconds
from webapp.classroom.models import (
    ClassSession,
    NotYourClassError,
    UnknownClassError,
)
from webapp.classroom.page import screen_view
from webapp.classroom.reveal import machine_for
from webapp.classroom.store import ClassStore
from webapp.questions.models import Question
from webapp.questions.requests import find_truth, request_truth
from webapp.services import Clock, service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError

screen = Blueprint("screen", __name__, url_prefix="/class/<class_id>/screen")
teaching = Blueprint("teaching", __name__, url_prefix="/class/<class_id>")

NOT_YOURS = "only the teacher of this class sees its control: students join by the code"


@screen.get("")
def show(class_id: str) -> Response:
    """The projector; 204 if the page is current."""
    view = screen_view(service(ClassStore).find(class_id))
    if partial_is_wanted() and view.follow.endswith(f"?known={request.args.get('known', '')}"):
        return vary(Response(status=204))
    return render("classroom/screen.html", "classroom/_screen.html", screen=view)


@teaching.get("")
def control(class_id: str) -> Response:
    """The control; 204 if the page is current."""
    return shown(taught(class_id))


@teaching.post("/rounds")
def ask(class_id: str) -> Response:
    """Ask the class a question."""
    begin(class_id)
    question, seconds = read_question(request.form), read_seconds(request.form.get("seconds", ""))
    now = service(Clock).now()
    session = service(ClassStore).change(
        class_id, lambda session: rules.asked(session, question, now, seconds)
    )
    start_truth(question)
    return changed(session)


@teaching.post("/phase")
def phase(class_id: str) -> Response:
    """Next step of a round: close, talk, again, reveal."""
    session = begin(class_id)
    step, number, vote = request.form.get("do", ""), _number("round"), _number("vote")
    now = service(Clock).now()
    steps: dict[str, Callable[[ClassSession], ClassSession]] = {
        "close": lambda session: rules.closed(session, number, vote, now),
        "talk": lambda session: rules.talked(session, number),
        "again": lambda session: rules.voted_again(session, number, now),
        "reveal": lambda session: rules.revealed(session, number),
        "settle": lambda session: session,
    }
    if step not in steps:
        raise InvalidFormError(step[:20], "that is no step of a round")
    if step == "reveal":
        store_truth(session)
    session = service(ClassStore).change(class_id, steps[step])
    return changed(store_truth(session))


@teaching.post("/machine")
def machine(class_id: str) -> Response:
    """Choose the machine whose analysis is shown."""
    session = begin(class_id)
    number, wanted = _number("round"), request.form.get("machine", "")[:500]
    if session.round is not None:
        question = replace(session.round.question, machine=wanted)
        found = machine_for(question)
        if found is None:
            raise InvalidFormError(wanted[:40], "that machine cannot play this game")
        wanted = found
    change = rules.with_machine
    session = service(ClassStore).change(class_id, lambda session: change(session, number, wanted))
    return changed(session)


@teaching.post("/settings")
def settings(class_id: str) -> Response:
    """Settings of the class: names, address, how long it is kept, its end."""
    begin(class_id)
    wanted = request.form.get("do", "")
    address = request.form.get("address", "")
    changes: dict[str, Callable[[ClassSession], ClassSession]] = {
        "names": lambda session: replace(session, record=replace(session.record, names=True)),
        "no-names": lambda session: replace(session, record=replace(session.record, names=False)),
        "keep": rules.kept,
        "end": rules.ended,
        "address": lambda session: replace(
            session, record=replace(session.record, address=address)
        ),
    }
    if wanted not in changes or (wanted == "address" and address not in network_hosts()):
        raise InvalidFormError(wanted[:20], "that cannot be set")
    return changed(service(ClassStore).change(class_id, changes[wanted]))


@teaching.post("/seats")
def seats(class_id: str) -> Response:
    """Remove a student, or let them in again."""
    begin(class_id)
    store = service(ClassStore)
    store.remove_seat(class_id, _number("seat"), removed=request.form.get("do") == "remove")
    return changed(store.find(class_id))


@teaching.post("/answers")
def answers(class_id: str) -> Response:
    """Hide an answer on the projector, or show it again."""
    begin(class_id)
    store = service(ClassStore)
    said = request.form.get("answer", "")[:100]
    store.hide(class_id, _number("round"), said, hidden=request.form.get("do") == "hide")
    return changed(store.find(class_id))


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
    find_by_key(class_id, key)
    service(RateLimits).spend()
    player = player_of_this_request()
    change = service(ClassStore).change
    session = change(
        class_id, lambda session: replace(session, record=replace(session.record, second=player))
    )
    return go_to(session.record.path)


def taught(class_id: str) -> ClassSession:
    """Load a class taught by this visitor; raises NotYourClassError."""
    session = service(ClassStore).find(class_id)
    if not session.record.is_taught_by(current_player()):
        raise NotYourClassError(NOT_YOURS)
    return session


def find_by_key(class_id: str, key: str) -> ClassSession:
    """Load a class by its control key; raises UnknownClassError."""
    session = service(ClassStore).find(class_id)
    if session.record.key != key:
        raise UnknownClassError("this link gives control of no class")
    return session


def begin(class_id: str) -> ClassSession:
    """Start a change by the teacher: rate-limit it, and show errors on the control."""
    session = taught(class_id)

    def show(message: Message, status: int) -> Response:
        return shown(service(ClassStore).find(class_id), message, status)

    show_errors_on(show)
    service(RateLimits).spend()
    return session


def shown(session: ClassSession, message: Message | None = None, status: int = 200) -> Response:
    """The control as a page or as the partial `#control`."""
    view = control_view(session, message)
    known = f"{session.record.path}?known={request.args.get('known', '')}"
    if partial_is_wanted() and view.follow == known and message is None:
        return vary(Response(status=204))
    return render("classroom/control.html", "classroom/_control.html", status, control=view)


def changed(session: ClassSession) -> Response:
    """Response after a change: the partial for htmx, a redirect otherwise."""
    return shown(session) if partial_is_wanted() else go_to(session.record.path)


def store_truth(session: ClassSession) -> ClassSession:
    """Store the truth once it is computed and no vote is open."""
    current = session.round
    if current is None or current.is_open or current.truth is not None:
        return session
    try:
        truth = find_truth(service(WorkerClient), current.question)
    except BusyError:
        return session
    if truth is None:
        return session
    number = current.number
    change = service(ClassStore).change
    return change(session.record.id, lambda now: rules.settled(now, number, truth))


def start_truth(question: Question) -> None:
    """Start computing the right answers while the class votes."""
    try:
        request_truth(service(WorkerClient), question)
    except BusyError:  # requested again when the vote is closed
        return


def _number(name: str) -> int:
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise InvalidFormError(text[:20], f"the form does not say which {name} it is about")
    return int(text)
