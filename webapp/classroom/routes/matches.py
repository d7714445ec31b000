"""What a class does beside voting on a question: a match by votes, and a prepared lesson."""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine import Seat
from webapp.classroom import cup, match, plans, rules
from webapp.classroom.forms import position_in, seconds_in
from webapp.classroom.models import ClosedVoteError, Posed, Room, SceneOf
from webapp.classroom.reveal import machine_for
from webapp.classroom.routes.control import begin, changed, think_ahead
from webapp.classroom.store import ClassStore
from webapp.classroom.truths import posed_as
from webapp.questions.plans import PreparedStep, StepKind
from webapp.services import Clock, service
from webapp.web.errors import InvalidFormError
from webapp.web.htmx import partial_is_wanted, vary

class_matches = Blueprint("class_matches", __name__, url_prefix="/class/<class_id>")


@class_matches.post("/match")
def start(class_id: str) -> Response:
    """The class against a machine, from the start of a game."""
    room = begin(class_id)
    place = position_in(request.form)
    seat = Seat.SECOND if request.form.get("seat") == Seat.SECOND.mark else Seat.FIRST
    seconds = seconds_in(request.form.get("seconds", ""))
    return changed(match.begun(room, place, request.form.get("machine", ""), seat, seconds))


@class_matches.post("/play")
def play(class_id: str) -> Response:
    """A move for the class: the favourite, the best, or any other it may be.

    In its match the machine answers; anywhere else a match begins with it.
    """
    room = begin(class_id)
    current, move = room.round, request.form.get("move", "")[:16]
    if current is None or current.is_open or current.asked.choices is not None:
        raise ClosedVoteError("close a vote on a move first")
    move = rules.read_answer(current.asked, move)
    if current.match_ply is not None:
        return changed(match.moved(room, move))
    machine = machine_for(current.asked)
    if machine is None:
        raise InvalidFormError("", "no machine can answer here")
    seat = current.asked.match.state.to_move
    return changed(match.begun(room, current.asked, machine, seat, current.asked.seconds, move))


@class_matches.post("/reply")
def reply(class_id: str) -> Response:
    """The machine's move, once it has made up its mind."""
    room = match.replied(begin(class_id))
    if room is None:
        still = service(ClassStore).find(class_id)
        return vary(Response(status=204)) if partial_is_wanted() else changed(still)
    return changed(room)


@class_matches.post("/on")
def on(class_id: str) -> Response:
    """What is due by the clock: the favourite of a vote that was counted down, or the reply.

    The control asks for it, and so does the teacher's own screen: so a match goes on while the
    control lies locked on a desk. Asked for too early, or twice, it is nothing.
    """
    room = begin(class_id)
    if room.record.scene is SceneOf.MATCH:
        after = match.replied(room)
    else:
        after = match.went_on_in_time(room, service(Clock).now())
    if partial_is_wanted() and after is None:
        return vary(Response(status=204))
    return changed(after or room)


@class_matches.post("/cup")
def change_cup(class_id: str) -> Response:
    """Open the cup for entries, and begin it."""
    room = begin(class_id)
    if request.form.get("do") == "start":
        return changed(cup.started(room))
    game, games = request.form.get("game", "")[:500], request.form.get("games", "")
    number = int(games) if games.isascii() and games.isdecimal() and len(games) < 4 else None
    change = service(ClassStore).change
    return changed(change(class_id, lambda now: cup.opened(now, game, number)))


@class_matches.post("/lesson")
def lesson(class_id: str) -> Response:
    """Through a prepared lesson: the next step, the one before, or what this one does."""
    room = begin(class_id)
    wanted = request.form.get("do", "")
    if wanted in ("next", "previous"):
        by = 1 if wanted == "next" else -1
        return changed(service(ClassStore).change(class_id, lambda now: plans.turned(now, by)))
    step = plans.step_of(room.record)
    if step is None or wanted != "begin":
        raise InvalidFormError(wanted[:20], "that is no step of a lesson")
    return changed(_done(room, step))


def _done(room: Room, step: PreparedStep) -> Room:
    """What a step does."""
    if step.kind is StepKind.ASK and step.posed is not None:
        posed, now = posed_as(step.posed, step.seconds), service(Clock).now()
        asked = service(ClassStore).change(
            room.record.id, lambda current: rules.asked(current, posed, now)
        )
        think_ahead(posed)
        return asked
    if step.kind is StepKind.PLAY:
        place = Posed(step.game, match.PROMPT, step.start, step.moves)
        return match.begun(room, place, step.machine, step.seat, step.seconds)
    if step.kind is StepKind.CUP:
        change = service(ClassStore).change
        return change(room.record.id, lambda now: cup.opened(now, step.game, step.games))
    raise ClosedVoteError("this step is done by its link")
