"""Routes of matches by vote, the cup and the plan of a class."""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine import Seat
from webapp.classroom import cup, match, plans, rules
from webapp.classroom.forms import read_position, read_seconds
from webapp.classroom.models import ClassSession, ClosedVoteError, Scene
from webapp.classroom.reveal import machine_for
from webapp.classroom.routes.control import begin, changed, start_truth
from webapp.classroom.store import ClassStore
from webapp.questions.models import Question
from webapp.questions.plans import PlanStep, StepKind
from webapp.services import Clock, service
from webapp.web.errors import InvalidFormError
from webapp.web.htmx import partial_is_wanted, vary

class_matches = Blueprint("class_matches", __name__, url_prefix="/class/<class_id>")


@class_matches.post("/match")
def start(class_id: str) -> Response:
    """Start a match of the class against a machine."""
    session = begin(class_id)
    position = read_position(request.form)
    seat = Seat.SECOND if request.form.get("seat") == Seat.SECOND.mark else Seat.FIRST
    seconds = read_seconds(request.form.get("seconds", ""))
    return changed(match.begun(session, position, request.form.get("machine", ""), seat, seconds))


@class_matches.post("/play")
def play(class_id: str) -> Response:
    """Play a move for the class: the favourite, the best or any other.

    In the class's match the machine replies; elsewhere a new match starts with it.
    """
    session = begin(class_id)
    current, move = session.round, request.form.get("move", "")[:16]
    if current is None or current.is_open or current.question.choices:
        raise ClosedVoteError("close a vote on a move first")
    move = rules.read_answer(current.question, move)
    if current.match_ply is not None:
        return changed(match.moved(session, move))
    machine = machine_for(current.question)
    if machine is None:
        raise InvalidFormError("", "no machine can answer here")
    seat = current.question.match.state.to_move
    return changed(match.begun(session, current.question, machine, seat, current.seconds, move))


@class_matches.post("/reply")
def reply(class_id: str) -> Response:
    """Play the machine's move, or 204 while it is thinking."""
    session = match.replied(begin(class_id))
    if session is None:
        still = service(ClassStore).find(class_id)
        return vary(Response(status=204)) if partial_is_wanted() else changed(still)
    return changed(session)


@class_matches.post("/on")
def on(class_id: str) -> Response:
    """Do what is due: play the favourite of a counted-down vote, or the machine's reply.

    Requested by the control and by the teacher's own projector page, so that a match goes on while
    the control is locked; too early or repeated, it does nothing.
    """
    session = begin(class_id)
    if session.record.scene is Scene.MATCH:
        after = match.replied(session)
    else:
        after = match.play_if_due(session, service(Clock).now())
    if partial_is_wanted() and after is None:
        return vary(Response(status=204))
    return changed(after or session)


@class_matches.post("/cup")
def change_cup(class_id: str) -> Response:
    """Open the cup for entries, or start it."""
    session = begin(class_id)
    if request.form.get("do") == "start":
        return changed(cup.started(session))
    game, games = request.form.get("game", "")[:500], request.form.get("games", "")
    number = int(games) if games.isascii() and games.isdecimal() and len(games) < 4 else None
    change = service(ClassStore).change
    return changed(change(class_id, lambda now: cup.opened(now, game, number)))


@class_matches.post("/lesson")
def lesson(class_id: str) -> Response:
    """Go to another step of the plan, or do what the current one says."""
    session = begin(class_id)
    wanted = request.form.get("do", "")
    if wanted in ("next", "previous"):
        by = 1 if wanted == "next" else -1
        return changed(service(ClassStore).change(class_id, lambda now: plans.go_to_step(now, by)))
    step = plans.current_step(session.record)
    if step is None or wanted != "begin":
        raise InvalidFormError(wanted[:20], "that is no step of a lesson")
    return changed(_do_step(session, step))


def _do_step(session: ClassSession, step: PlanStep) -> ClassSession:
    """Do what a step of the plan says."""
    if step.kind is StepKind.ASK and step.question is not None:
        question, now = step.question, service(Clock).now()
        after = service(ClassStore).change(
            session.record.id, lambda current: rules.asked(current, question, now, step.seconds)
        )
        start_truth(question)
        return after
    if step.kind is StepKind.PLAY:
        position = Question(step.game, match.PROMPT, start=step.start, moves=step.moves)
        return match.begun(session, position, step.machine, step.seat, step.seconds)
    if step.kind is StepKind.CUP:
        change = service(ClassStore).change
        return change(session.record.id, lambda now: cup.opened(now, step.game, step.games))
    raise ClosedVoteError("this step is done by its link")
