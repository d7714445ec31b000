"""Actions of the control on what the class plays: its match against a machine, its cup."""

from __future__ import annotations

from dataclasses import replace

from flask import request

from engine import Seat
from webapp.bots.store import BotStore
from webapp.classroom import cup, rules
from webapp.classroom.forms import read_position, read_seconds
from webapp.classroom.models import ClassSession, ClosedVoteError, Scene
from webapp.classroom.page import machine_for
from webapp.classroom.routes.records import class_matches, games_at_once
from webapp.classroom.routes.session import change
from webapp.classroom.seat_store import SeatStore
from webapp.jobs.admission import admit
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.arena import arena_job
from webapp.services import service
from webapp.web.errors import InvalidFormError


def start_match(session: ClassSession) -> ClassSession:
    """Start a match of the class against a machine."""
    form = request.form
    seat = Seat.SECOND if form.get("seat") == Seat.SECOND.mark else Seat.FIRST
    position, seconds = read_position(form), read_seconds(form)
    return class_matches().begin(session, position, form.get("machine", ""), seat, seconds)


def play_at_once(session: ClassSession) -> ClassSession:
    """Let every student play a machine, or the teacher, at once; or stop it."""
    games = games_at_once()
    if request.form.get("do") == "stop":
        return games.stop(session)
    machine = "" if request.form.get("do") == "teacher" else request.form.get("machine", "")
    return games.open(session, read_position(request.form), machine)


def play(session: ClassSession) -> ClassSession:
    """Play a move for the class: the favourite, the best or any other.

    In the class's match the machine replies; elsewhere a new match starts with it.
    """
    current, move = session.round, request.form.get("move", "")[:16]
    if current is None or current.is_open or current.question.choices:
        raise ClosedVoteError("close a vote on a move first")
    question = current.question
    move = rules.read_answer(question, move)
    if current.match_ply is not None:
        return class_matches().move(session, move)
    machine = machine_for(question)
    if machine is None:
        raise InvalidFormError("", "no machine can answer here")
    seat, seconds = question.to_move, current.seconds
    return class_matches().begin(session, question, machine, seat, seconds, move)


def reply(session: ClassSession) -> ClassSession | None:
    """Play the machine's move; None while it is thinking."""
    return class_matches().reply(session)


def go_on(session: ClassSession) -> ClassSession | None:
    """Do what is due: play the favourite of a counted-down vote, or the machine's reply.

    Requested by the control and by the teacher's own projector page, so that a match goes on while
    the control is locked; too early or repeated, it does nothing.
    """
    if session.record.scene is Scene.MATCH:
        return class_matches().reply_if_due(session)
    return class_matches().play_if_due(session)


def change_cup(session: ClassSession) -> ClassSession:
    """Open the cup for entries, or start it."""
    if request.form.get("do") == "start":
        return _start_cup(session)
    game, games = request.form.get("game", "")[:500], request.form.get("games", "")
    number = int(games) if games.isascii() and games.isdecimal() and len(games) < 4 else None
    before = cup.stored_cup(session)
    after = change(session, lambda now: cup.opened(now, game, number))
    opened = cup.open_cup(after)
    if before is not None and opened is not None and before.game != opened.game:
        service(SeatStore).withdraw_machines(session.record.id)
    return after


def _start_cup(session: ClassSession) -> ClassSession:
    """Start the arena; raises InvalidSpecError with fewer than two machines."""
    if (state := cup.open_cup(session)) is None:
        raise ClosedVoteError("the cup is being played already")
    machines = cup.entered_machines(service(SeatStore).seats(session.record.id))
    for machine in machines:
        service(BrainStore).ensure(machine)
    bots = cup.entered_bots(state, service(BotStore).of_class(session.record.id))
    plan = cup.plan_cup(state, [*machines, *bots]).plan
    job = admit(arena_job(session.record.owner, cup.TITLE, plan))
    return change(session, lambda now: cup.with_cup(now, replace(state, job=job.id)))
