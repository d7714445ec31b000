"""The students' phones: join by code or link, answer, and be where one was after getting lost."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.classroom import cup, rules
from webapp.classroom.models import (
    AnswerRecord,
    ClassAttendance,
    NotYourClassError,
    Room,
    SeatRecord,
    UnknownClassError,
)
from webapp.classroom.names import read_code
from webapp.classroom.page import phone_view
from webapp.classroom.store import ClassStore, unknown
from webapp.services import Clock, service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import InvalidFormError, TooManyRequestsError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message, Tone
from webapp.web.rate_limits import RateLimits, client_network

joining = Blueprint("joining", __name__)
phones = Blueprint("phones", __name__, url_prefix="/c/<code>")

LONGEST_PICK = 16
LONGEST_NAME = 40


@joining.get("/join")
def door() -> Response:
    """Where the code is typed."""
    return _door()


@joining.post("/join")
def join() -> Response:
    """To the class of that code."""
    text = request.form.get("code", "")
    show_errors_on(_door)
    room = find(text)
    service(ClassStore).sit(str(room.record.code), player_of_this_request())
    return go_to(f"/c/{room.record.code}")


@phones.get("")
def phone(code: str) -> Response:
    """What is on now; for whoever has no seat yet, the way to one."""
    room = find(code)
    seat = service(ClassStore).seat_of(room.record.id, current_player())
    if seat is None:
        page = "classroom/join.html"
        return render(page, page, code=room.record.code, message=None)
    note(room.record.id, seat.number)
    return shown(room, seat, request.args.get("pick", "")[:LONGEST_PICK] or None)


@phones.post("/join")
def sit(code: str) -> Response:
    """A seat, by the link or the QR code."""
    room = find(code)
    service(ClassStore).sit(str(room.record.code), player_of_this_request())
    return go_to(f"/c/{room.record.code}")


@phones.get("/now")
def now(code: str) -> Response:
    """Asked by every phone every other second: nothing, unless something changed."""
    try:
        pulse = service(ClassStore).pulse(code, current_player())
    except UnknownClassError:
        return _over()
    if pulse.seat is not None and not pulse.removed:
        note(pulse.class_id, pulse.seat)
    if request.args.get("known") == str(pulse.version):
        return vary(Response(status=204))
    return phone(code)


@phones.post("/answer")
def answer(code: str) -> Response:
    """One answer per round, vote and student; the last one counts, as long as the vote is open."""
    player = current_player()
    _say_on_phone(code)
    if player is None:
        raise NotYourClassError("join the class first: then you can answer")
    service(RateLimits).by_player.take(player)
    text = "".join(request.form.getlist("move"))
    number, vote = _number("round"), _number("vote")
    at = service(Clock).now()

    def accept(room: Room, seat: SeatRecord | None) -> AnswerRecord:
        return rules.accepted(room, seat, number, vote, text, at)

    service(ClassStore).answer(code, player, accept)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


@phones.post("/name")
def name(code: str) -> Response:
    """What a student wants to be called, where the teacher has turned names on."""
    _say_on_phone(code)
    room, seat = _seated(code)
    service(RateLimits).by_player.take(seat.player)
    wanted = " ".join(request.form.get("name", "").split())
    if not (0 < len(wanted) <= LONGEST_NAME and wanted.isprintable()):
        raise InvalidFormError(wanted[:40], f"a name has 1 to {LONGEST_NAME} letters")
    if not room.record.names:
        raise NotYourClassError("names are made up in this class")
    service(ClassStore).rename(room.record.id, seat.number, wanted)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


@phones.post("/machine")
def machine(code: str) -> Response:
    """What a student enters in the cup: chosen, set by hand, or trained."""
    _say_on_phone(code)
    room, seat = _seated(code)
    service(RateLimits).by_player.take(seat.player)
    wanted = (request.form.get("spec", "").strip() or request.form.get("machine", ""))[:500]
    cup.entered(room, seat, wanted)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


def find(text: str) -> Room:
    """The class of a code. Wrong ones are counted by visitor: a class shares its address.

    Whoever has a seat there comes in however many other codes they mistyped. Whoever comes without
    a cookie shares an allowance with the others at their address, and is given a cookie when that
    is used up: with it they have one of their own.
    """
    player = current_player()
    guesses = service(RateLimits).guesses if player else service(RateLimits).guesses_by_address
    visitor = player or client_network()
    try:
        room = service(ClassStore).by_code(read_code(text))
    except UnknownClassError:
        room = None
    if room is not None and service(ClassStore).seat_of(room.record.id, player) is not None:
        return room
    try:
        guesses.check(visitor)
    except TooManyRequestsError:
        player_of_this_request()
        raise
    if room is None:
        guesses.take(visitor)
        raise unknown()
    return room


def shown(
    room: Room,
    seat: SeatRecord,
    pick: str | None = None,
    message: Message | None = None,
    status: int = 200,
) -> Response:
    """The phone as a page or as the partial `#match`."""
    if seat.removed:
        return _sent_out(status)
    view = phone_view(room, seat, pick, message)
    return render("classroom/phone.html", "classroom/_phone.html", status, phone=view)


def note(class_id: str, seat: int) -> None:
    """Whoever sits there is here."""
    service(ClassAttendance).note((class_id, seat))


def _seated(code: str) -> tuple[Room, SeatRecord]:
    room = find(code)
    seat = service(ClassStore).seat_of(room.record.id, current_player())
    if seat is None or seat.removed:
        raise NotYourClassError("join the class first")
    return room, seat


def _say_on_phone(code: str) -> None:
    """What goes wrong is said on the phone as it then stands."""

    def show(message: Message, status: int) -> Response:
        room = service(ClassStore).by_code(code)
        seat = service(ClassStore).seat_of(room.record.id, current_player())
        if seat is None:
            page = "classroom/join.html"
            return render(page, page, status, code=room.record.code, message=message)
        return shown(room, seat, None, message, status)

    show_errors_on(show)


def _door(message: Message | None = None, status: int = 200) -> Response:
    page = "classroom/join.html"
    return render(page, page, status, code=None, message=message)


def _over() -> Response:
    """The class is over, or was never there: the page says so and asks no more."""
    message = Message(Tone.NOTE, "This class is over.")
    return render("classroom/gone.html", "classroom/_gone.html", message=message)


def _sent_out(status: int) -> Response:
    message = Message(Tone.NOTE, "Your teacher has taken you out of this class.")
    return render("classroom/gone.html", "classroom/_gone.html", status, message=message)


def _number(name: str) -> int:
    text = request.form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise InvalidFormError(text[:20], "the form does not say which question it answers")
    return int(text)
