"""Routes of the students' phones: join, answer, poll."""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine import load_game
from webapp.classroom import cup, rules
from webapp.classroom.forms import ClassQuery, read_name, read_number
from webapp.classroom.models import (
    AnswerRecord,
    ClassAttendance,
    ClassSession,
    NotYourClassError,
    SeatRecord,
    UnknownClassError,
)
from webapp.classroom.names import read_code
from webapp.classroom.routes.records import phone_page
from webapp.classroom.store import ClassStore, unknown_class
from webapp.jobs.brain_store import BrainStore
from webapp.lab.arena.forms import ready_player
from webapp.services import Clock, service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import TooManyRequestsError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message, Tone
from webapp.web.rate_limits import RateLimits, client_network

joining = Blueprint("joining", __name__)
phones = Blueprint("phones", __name__, url_prefix="/c/<code>")

NO_ROUND = "the form does not say which question it answers"


@joining.get("/join")
def join_form() -> Response:
    """Form for the join code."""
    return _join_page()


@joining.post("/join")
def join() -> Response:
    """Join the class of the typed code."""
    text = request.form.get("code", "")
    show_errors_on(_join_page)
    session = find(text)
    service(ClassStore).sit(str(session.record.code), player_of_this_request())
    return go_to(f"/c/{session.record.code}")


@phones.get("")
def phone(code: str) -> Response:
    """A student's phone; the join form for a visitor without a seat."""
    session = find(code)
    seat = service(ClassStore).seat_of(session.record.id, current_player())
    if seat is None:
        page = "classroom/join.html"
        return render(page, page, code=session.record.code, message=None)
    note(session.record.id, seat.number)
    return shown(session, seat, ClassQuery.parse(request.args).pick)


@phones.post("/join")
def sit(code: str) -> Response:
    """Join by link or QR code."""
    session = find(code)
    service(ClassStore).sit(str(session.record.code), player_of_this_request())
    return go_to(f"/c/{session.record.code}")


@phones.get("/now")
def now(code: str) -> Response:
    """Polled every other second: 204 unless something changed."""
    try:
        pulse = service(ClassStore).pulse(code, current_player())
    except UnknownClassError:
        return _over_page()
    if pulse.seat is not None and not pulse.removed:
        note(pulse.class_id, pulse.seat)
    if ClassQuery.parse(request.args).known == str(pulse.version):
        return vary(Response(status=204))
    return phone(code)


@phones.post("/answer")
def answer(code: str) -> Response:
    """Store an answer; the last one in an open vote counts."""
    player = current_player()
    _show_errors_on_phone(code)
    if player is None:
        raise NotYourClassError("join the class first: then you can answer")
    service(RateLimits).by_player.take(player)
    text = "".join(request.form.getlist("move"))
    number, vote = (read_number(request.form, name, NO_ROUND) for name in ("round", "vote"))
    at = service(Clock).now()

    def accept(session: ClassSession, seat: SeatRecord | None) -> AnswerRecord:
        return rules.accepted(session, seat, number, vote, text, at)

    service(ClassStore).answer(code, player, accept)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


@phones.post("/name")
def name(code: str) -> Response:
    """Rename a student, if names are on."""
    _show_errors_on_phone(code)
    session, seat = _seated(code)
    service(RateLimits).by_player.take(seat.player)
    wanted = read_name(request.form)
    if not session.record.names:
        raise NotYourClassError("names are made up in this class")
    service(ClassStore).rename(session.record.id, seat.number, wanted)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


@phones.post("/machine")
def machine(code: str) -> Response:
    """Enter a machine in the cup."""
    _show_errors_on_phone(code)
    session, seat = _seated(code)
    service(RateLimits).by_player.take(seat.player)
    wanted = (request.form.get("spec", "").strip() or request.form.get("machine", ""))[:500]
    state = cup.waiting_cup(session, "no machine can be entered now")
    service(BrainStore).ensure(wanted)
    entered = ready_player(wanted, load_game(state.game))
    service(ClassStore).enter(session.record.id, seat.number, entered)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


def find(text: str) -> ClassSession:
    """Load a class by code, with wrong codes rate-limited.

    They are counted by player, since a class shares one address; visitors without a cookie share an
    allowance by address, and get a cookie, with an allowance of their own, once that is used up. A
    student who has a seat is never refused.
    """
    player = current_player()
    guesses = service(RateLimits).guesses if player else service(RateLimits).guesses_by_address
    visitor = player or client_network()
    try:
        session = service(ClassStore).by_code(read_code(text))
    except UnknownClassError:
        session = None
    if session is not None and service(ClassStore).seat_of(session.record.id, player) is not None:
        return session
    try:
        guesses.check(visitor)
    except TooManyRequestsError:
        player_of_this_request()
        raise
    if session is None:
        guesses.take(visitor)
        raise unknown_class()
    return session


def shown(
    session: ClassSession,
    seat: SeatRecord,
    pick: str | None = None,
    message: Message | None = None,
    status: int = 200,
) -> Response:
    """The phone as a page or as the partial `#match`."""
    if seat.removed:
        return _removed_page(status)
    page = phone_page(session, seat, pick, message)
    return render("classroom/phone.html", "classroom/_phone.html", status, phone=page)


def note(class_id: str, seat: int) -> None:
    """Mark the student as present."""
    service(ClassAttendance).note((class_id, seat))


def _seated(code: str) -> tuple[ClassSession, SeatRecord]:
    session = find(code)
    seat = service(ClassStore).seat_of(session.record.id, current_player())
    if seat is None or seat.removed:
        raise NotYourClassError("join the class first")
    return session, seat


def _show_errors_on_phone(code: str) -> None:
    """Show errors on the phone page."""

    def show(message: Message, status: int) -> Response:
        session = service(ClassStore).by_code(code)
        seat = service(ClassStore).seat_of(session.record.id, current_player())
        if seat is None:
            page = "classroom/join.html"
            return render(page, page, status, code=session.record.code, message=message)
        return shown(session, seat, None, message, status)

    show_errors_on(show)


def _join_page(message: Message | None = None, status: int = 200) -> Response:
    page = "classroom/join.html"
    return render(page, page, status, code=None, message=message)


def _over_page() -> Response:
    """The page of a class that is over; it stops polling."""
    message = Message(Tone.NOTE, "This class is over.")
    return render("classroom/gone.html", "classroom/_gone.html", message=message)


def _removed_page(status: int) -> Response:
    message = Message(Tone.NOTE, "Your teacher has taken you out of this class.")
    return render("classroom/gone.html", "classroom/_gone.html", status, message=message)
