"""The projector: address, code, the question, and the result when its phase has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, request

from webapp.classroom import rules
from webapp.classroom.addresses import here_on_the_network
from webapp.classroom.control_page import control_view
from webapp.classroom.forms import question_in
from webapp.classroom.models import NotYourClassError, Posed, Room, UnknownClassError
from webapp.classroom.page import screen_view
from webapp.classroom.reveal import machine_for
from webapp.classroom.store import ClassStore
from webapp.classroom.truths import begin_thinking, ruling_on
from webapp.services import Clock, service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.queue import BusyError

screen = Blueprint("screen", __name__, url_prefix="/class/<class_id>/screen")


@screen.get("")
def show(class_id: str) -> Response:
    """The screen as it is now; nothing for a page that knows it."""
    view = screen_view(service(ClassStore).find(class_id))
    if partial_is_wanted() and view.follow.endswith(f"?known={request.args.get('known', '')}"):
        return vary(Response(status=204))
    return render("classroom/screen.html", "classroom/_screen.html", screen=view)


teaching = Blueprint("teaching", __name__, url_prefix="/class/<class_id>")

NOT_YOURS = "only the teacher of this class sees its control: students join by the code"


@teaching.get("")
def control(class_id: str) -> Response:
    """Everything about the class; nothing for a page that knows it."""
    return shown(taught(class_id))


@teaching.post("/rounds")
def ask(class_id: str) -> Response:
    """Put a question to the class."""
    begin(class_id)
    question = question_in(request.form)
    now = service(Clock).now()
    room = service(ClassStore).change(class_id, lambda room: rules.asked(room, question, now))
    think_ahead(question)
    return changed(room)


@teaching.post("/phase")
def phase(class_id: str) -> Response:
    """The next step of a round: close, talk, again, reveal."""
    room = begin(class_id)
    step, number, vote = request.form.get("do", ""), _number("round"), _number("vote")
    now = service(Clock).now()
    steps: dict[str, Callable[[Room], Room]] = {
        "close": lambda room: rules.closed(room, number, vote, now),
        "talk": lambda room: rules.talked(room, number),
        "again": lambda room: rules.voted_again(room, number, now),
        "reveal": lambda room: rules.revealed(room, number),
        "settle": lambda room: room,
    }
    if step not in steps:
        raise InvalidFormError(step[:20], "that is no step of a round")
    if step == "reveal":
        settle(room)
    room = service(ClassStore).change(class_id, steps[step])
    return changed(settle(room))


@teaching.post("/machine")
def machine(class_id: str) -> Response:
    """Whose thoughts are shown."""
    room = begin(class_id)
    number, wanted = _number("round"), request.form.get("machine", "")[:500]
    if room.round is not None:
        posed = replace(room.round.asked, machine=wanted)
        found = machine_for(posed)
        if found is None:
            raise InvalidFormError(wanted[:40], "that machine cannot play this game")
        wanted = found
    change = rules.shown_by
    room = service(ClassStore).change(class_id, lambda room: change(room, number, wanted))
    return changed(room)


@teaching.post("/settings")
def settings(class_id: str) -> Response:
    """What holds for the whole class: names, the address, how long it is kept, its end."""
    begin(class_id)
    wanted = request.form.get("do", "")
    address = request.form.get("address", "")
    changes: dict[str, Callable[[Room], Room]] = {
        "names": lambda room: replace(room, record=replace(room.record, names=True)),
        "no-names": lambda room: replace(room, record=replace(room.record, names=False)),
        "keep": rules.kept,
        "end": rules.ended,
        "address": lambda room: replace(room, record=replace(room.record, address=address)),
    }
    if wanted not in changes or (wanted == "address" and address not in here_on_the_network()):
        raise InvalidFormError(wanted[:20], "that cannot be set")
    return changed(service(ClassStore).change(class_id, changes[wanted]))


@teaching.post("/seats")
def seats(class_id: str) -> Response:
    """Send a student out, or let them in again."""
    begin(class_id)
    store = service(ClassStore)
    store.remove_seat(class_id, _number("seat"), removed=request.form.get("do") == "remove")
    return changed(store.find(class_id))


@teaching.post("/answers")
def answers(class_id: str) -> Response:
    """Hide an answer from the screen, or show it again."""
    begin(class_id)
    store = service(ClassStore)
    said = request.form.get("answer", "")[:100]
    store.hide(class_id, _number("round"), said, hidden=request.form.get("do") == "hide")
    return changed(store.find(class_id))


@teaching.get("/key/<key>")
def offered(class_id: str, key: str) -> Response:
    """Control for another device: taken by a press, since previews look too."""
    room = with_key(class_id, key)
    if room.record.is_taught_by(current_player()):
        return go_to(room.record.path)
    page = "classroom/key.html"
    return render(page, page, path=f"{room.record.path}/key/{key}", code=room.record.code)


@teaching.post("/key/<key>")
def take(class_id: str, key: str) -> Response:
    """This device has control from now on, beside the teacher's first."""
    with_key(class_id, key)
    service(RateLimits).spend()
    player = player_of_this_request()
    change = service(ClassStore).change
    room = change(class_id, lambda room: replace(room, record=replace(room.record, second=player)))
    return go_to(room.record.path)


def taught(class_id: str) -> Room:
    """The class, for whoever teaches it; raises NotYourClassError."""
    room = service(ClassStore).find(class_id)
    if not room.record.is_taught_by(current_player()):
        raise NotYourClassError(NOT_YOURS)
    return room


def with_key(class_id: str, key: str) -> Room:
    """The class that the key belongs to; raises UnknownClassError."""
    room = service(ClassStore).find(class_id)
    if room.record.key != key:
        raise UnknownClassError("this link gives control of no class")
    return room


def begin(class_id: str) -> Room:
    """A change by the teacher: counted, and what goes wrong is said on the control."""
    room = taught(class_id)

    def show(message: Message, status: int) -> Response:
        return shown(service(ClassStore).find(class_id), message, status)

    show_errors_on(show)
    service(RateLimits).spend()
    return room


def shown(room: Room, message: Message | None = None, status: int = 200) -> Response:
    """The control as a page or as the partial `#control`."""
    view = control_view(room, message)
    known = f"{room.record.path}?known={request.args.get('known', '')}"
    if partial_is_wanted() and view.follow == known and message is None:
        return vary(Response(status=204))
    return render("classroom/control.html", "classroom/_control.html", status, control=view)


def changed(room: Room) -> Response:
    """After a change: the control for htmx, its page for a browser."""
    return shown(room) if partial_is_wanted() else go_to(room.record.path)


def settle(room: Room) -> Room:
    """With what each answer is worth, as soon as that is worked out and no vote is open."""
    current = room.round
    if current is None or current.is_open or current.ruling is not None:
        return room
    try:
        ruling = ruling_on(current.asked)
    except BusyError:
        return room
    if ruling is None:
        return room
    number = current.number
    change = service(ClassStore).change
    return change(room.record.id, lambda now: rules.settled(now, number, ruling))


def think_ahead(question: Posed) -> None:
    """What is right is worked out while they vote."""
    try:
        begin_thinking(question)
    except BusyError:  # it is asked for again when the vote is closed
        return


def _number(name: str) -> int:
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise InvalidFormError(text[:20], f"the form does not say which {name} it is about")
    return int(text)
