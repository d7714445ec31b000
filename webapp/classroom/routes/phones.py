"""Routes of the students' phones: join, answer, poll."""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine import load_game
from engine.errors import sentence
from webapp.classroom import rules
from webapp.classroom.cup import MAX_SPEC_CHARS, cup_version, current_cup, entered_spec, open_cup
from webapp.classroom.forms import ClassQuery, read_name, read_number
from webapp.classroom.models import (
    AnswerRecord,
    ClassAttendance,
    ClassSession,
    ClosedVoteError,
    NotYourClassError,
    Scene,
    SeatRecord,
    UnknownClassError,
)
from webapp.classroom.phone_page import vote_key
from webapp.classroom.routes.records import games_at_once, phone_page
from webapp.classroom.seat_store import PollResult, SeatStore
from webapp.classroom.store import ClassStore, unknown_class
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.store import JobStore
from webapp.lab.arena.forms import ready_player
from webapp.services import Clock, service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message, Tone
from webapp.web.names import CODE_LENGTH, read_code
from webapp.web.rate_limits import RateLimits

joining = Blueprint("joining", __name__)
phones = Blueprint("phones", __name__, url_prefix="/c/<code>")

NO_ROUND = "the form does not say which question it answers"


@joining.get("/join")
def join_form() -> Response:
    """Form for the join code."""
    return _join_page()


@joining.post("/join")
def join() -> Response:
    """Join the class of the typed code; an assignment's is longer, and opens it."""
    show_errors_on(_join_page)
    code = read_code(request.form.get("code", ""))
    return sit(code) if len(code) <= CODE_LENGTH else go_to(f"/a/{code}")


@phones.get("")
def phone(code: str) -> Response:
    """A student's phone; the join form for a visitor without a seat, and for a wrong code."""
    try:
        session = find(code)
    except UnknownClassError as error:
        return _wrong_code(error)
    seat = service(SeatStore).seat_of(session.record.id, current_player())
    if seat is None:
        return _join_page(session=session)
    note(session.record.id, seat.number)
    query = ClassQuery.parse(request.args)
    is_stale = query.picked_in is not None and query.picked_in != vote_key(session.round)
    return shown(session, seat, None if is_stale else query.pick, machine=query.machine)


@phones.post("/join")
def sit(code: str) -> Response:
    """Join by link or QR code."""
    try:
        session = find(code)
    except UnknownClassError as error:
        return _wrong_code(error)
    seats = service(SeatStore)
    if seats.seat_of(session.record.id, current_player()) is None:
        service(RateLimits).spend_on("seats")
        seats.sit(str(session.record.code), player_of_this_request())
    return go_to(f"/c/{session.record.code}")


@phones.get("/now")
def now(code: str) -> Response:
    """Polled every other second: 204 unless something changed."""
    try:
        pulse = service(SeatStore).pulse(code, current_player())
        if pulse.seat is None:
            find(code)
    except UnknownClassError:
        service(RateLimits).count_guess(wrong=True)
        return _gone_page("This class is over.")
    if pulse.seat is not None and not pulse.removed:
        note(pulse.class_id, pulse.seat)
    known, _, cup = (ClassQuery.parse(request.args).known or "").partition(".")
    if known == str(pulse.version) and (not cup or cup == _part_version(pulse, cup)):
        return vary(Response(status=204))
    return phone(code)


def _part_version(pulse: PollResult, known: str) -> str:
    """How far the cup, or the student's own game, has got, as the phone's page names it."""
    session = service(ClassStore).find(pulse.class_id)
    if session.record.scene is Scene.SIMULTANEOUS and pulse.seat is not None:
        return games_at_once().version(session, pulse.seat, known)
    state = current_cup(session)
    job = None if state is None or state.job is None else service(JobStore).find(state.job)
    return "" if job is None else cup_version(job)


@phones.post("/answer")
def answer(code: str) -> Response:
    """Store an answer; the last one in an open vote counts."""
    player = current_player()
    _show_errors_on_phone(code)
    session = find(code)  # first: what is said of a class is said to whoever may try codes
    if player is None:
        raise NotYourClassError("join the class first: then you can answer")
    service(RateLimits).by_player.take(player)
    text = " ".join(request.form.getlist("height")) or "".join(request.form.getlist("move"))
    number, vote = (read_number(request.form, name, NO_ROUND) for name in ("round", "vote"))
    if session.record.scene is Scene.SIMULTANEOUS:
        games_at_once().move(*_seated(code), text, vote)
        return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")
    at = service(Clock).now()

    def accept(session: ClassSession, seat: SeatRecord | None) -> AnswerRecord:
        return rules.accepted(session, seat, number, vote, text, at)

    service(SeatStore).answer(code, player, accept)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


@phones.post("/game")
def begin_game(code: str) -> Response:
    """Begin one's own game, where everyone plays at once."""
    _show_errors_on_phone(code)
    session, seat = _seated(code)
    limits = service(RateLimits)
    limits.by_player.take(seat.player)
    games_at_once().begin(session, seat, lambda: limits.spend_on_match(0))
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
    service(SeatStore).rename(session.record.id, seat.number, wanted)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


def cup_codes(game: str) -> tuple[str, ...]:
    """Codes of the classes of this visitor whose cup takes machines for this game."""
    player = current_player()
    joined = () if player is None else service(SeatStore).joined_by(player)
    states = ((record.code or "", open_cup(ClassSession(record))) for record in joined)
    return tuple(code for code, state in states if state is not None and state.game == game)


@phones.post("/machine")
def machine(code: str) -> Response:
    """Enter a machine in the cup."""
    _show_errors_on_phone(code)
    session, seat = _seated(code)
    service(RateLimits).by_player.take(seat.player)
    wanted = request.form.get("spec", "").strip()[:MAX_SPEC_CHARS] or entered_spec(request.form)
    if (state := open_cup(session)) is None:
        raise ClosedVoteError("no machine can be entered now")
    service(BrainStore).ensure(wanted)
    entered = ready_player(wanted, load_game(state.game))
    service(SeatStore).change(session.record.id, seat.number, machine=entered)
    return phone(code) if partial_is_wanted() else go_to(f"/c/{code}")


def find(text: str) -> ClassSession:
    """Load a class by code, with wrong codes rate-limited; a student with a seat is let in."""
    player = current_player()
    try:
        session = service(ClassStore).by_code(read_code(text))
    except UnknownClassError:
        session = None
    if session is not None and service(SeatStore).seat_of(session.record.id, player) is not None:
        return session
    service(RateLimits).count_guess(wrong=session is None)
    if session is None:
        raise unknown_class()
    return session


def shown(
    session: ClassSession,
    seat: SeatRecord,
    pick: str | None = None,
    message: Message | None = None,
    status: int = 200,
    machine: str | None = None,
) -> Response:
    """The phone as a page or as the partial `#match`."""
    if seat.removed:
        return _gone_page("Your teacher has taken you out of this class.", status)
    page = phone_page(session, seat, pick, message, machine)
    return render("classroom/phone.html", "classroom/_phone.html", status, phone=page)


def note(class_id: str, seat: int) -> None:
    """Mark the student as present."""
    service(ClassAttendance).note((class_id, seat))


def _seated(code: str) -> tuple[ClassSession, SeatRecord]:
    session = find(code)
    seat = service(SeatStore).seat_of(session.record.id, current_player())
    if seat is None or seat.removed:
        raise NotYourClassError("join the class first")
    return session, seat


def _show_errors_on_phone(code: str) -> None:
    """Show errors on the phone page."""

    def show(message: Message, status: int) -> Response:
        try:
            session = service(ClassStore).by_code(code)
        except UnknownClassError:
            return _join_page(message, status)
        seat = service(SeatStore).seat_of(session.record.id, current_player())
        if seat is None:  # whoever has tried too many codes is not told which one is right
            return _join_page(message, status, None if status == 429 else session)
        return shown(session, seat, None, message, status)

    show_errors_on(show)


def _join_page(
    message: Message | None = None, status: int = 200, session: ClassSession | None = None
) -> Response:
    """The form to join any class, or the one that is given."""
    page = "classroom/join.html"
    code, named = (session.record.code, session.record.names) if session else (None, False)
    return render(page, page, status, code=code, named=named, message=message)


def _wrong_code(error: UnknownClassError) -> Response:
    """The form again, for whoever mistyped the code."""
    return _join_page(Message(Tone.ERROR, sentence(str(error))), error.status)


def _gone_page(why: str, status: int = 200) -> Response:
    """The phone of a student who is in the class no more; it stops polling."""
    return render("classroom/gone.html", "classroom/_gone.html", status, why=why)
