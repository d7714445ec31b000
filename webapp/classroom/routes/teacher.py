"""Routes of the teacher's control and of the projector.

Every action of the control is a function of the class in ACTIONS: it reads the form, changes the
class and returns it, or None if there was nothing to do yet.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request

from agents.contest.strength import strongest_agent
from engine import Seat
from webapp.bots.store import BotStore
from webapp.classroom import cup, rules
from webapp.classroom.control_page import PlanPart, class_plan
from webapp.classroom.forms import (
    ClassQuery,
    read_number,
    read_position,
    read_question,
    read_seconds,
    shown_page,
)
from webapp.classroom.match import PROMPT
from webapp.classroom.models import (
    ClassSession,
    ClosedVoteError,
    NotYourClassError,
    Phase,
    RoundRecord,
    Scene,
    UnknownClassError,
)
from webapp.classroom.page import machine_for
from webapp.classroom.routes.records import class_matches, control_page, screen_page, site
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.stage import COMMANDS, Stage, StageKind, stage_of
from webapp.classroom.store import ClassStore
from webapp.config import Config
from webapp.jobs.admission import admit
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.arena import arena_job
from webapp.questions.models import Question
from webapp.questions.plans import MAX_LINK_CHARS, PlanStep, StepKind
from webapp.questions.requests import analysis_request, find_truth, request_truth
from webapp.services import Clock, service
from webapp.web.cookies import current_player, follow_class, player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

screen = Blueprint("screen", __name__, url_prefix="/class/<class_id>/screen")
teaching = Blueprint("teaching", __name__, url_prefix="/class/<class_id>")

NOT_YOURS = "only the teacher of this class sees its control: students join by the code"
RECENT_S = 60  # who joined within it is sent out together

Change = Callable[[ClassSession], ClassSession]


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
    session = _find_by_key(class_id, key)
    if session.record.is_taught_by(current_player()):
        return go_to(session.record.path)
    page = "classroom/key.html"
    return render(page, page, path=f"{session.record.path}/key/{key}", code=session.record.code)


@teaching.post("/key/<key>")
def take(class_id: str, key: str) -> Response:
    """Give this device control, beside the teacher's first."""
    session = _find_by_key(class_id, key)
    service(RateLimits).spend()
    return go_to(_set(session, second=player_of_this_request()).record.path)


def taught(class_id: str) -> ClassSession:
    """Load a class taught by this visitor; raises NotYourClassError."""
    session = service(ClassStore).find(class_id)
    if not session.record.is_taught_by(current_player()):
        raise NotYourClassError(NOT_YOURS)
    return session


def ask(session: ClassSession) -> ClassSession:
    """Ask the class a question."""
    return _ask(session, read_question(request.form), read_seconds(request.form))


def change_phase(session: ClassSession) -> ClassSession:
    """Next step of a round: close, talk, again, reveal."""
    step, number, vote = request.form.get("do", ""), _number("round"), _number("vote")
    now = service(Clock).now()
    steps: dict[str, Change] = {
        "close": lambda session: rules.closed(session, number, vote),
        "talk": lambda session: rules.talked(session, number),
        "again": lambda session: rules.voted_again(session, number, now),
        "reveal": lambda session: rules.revealed(session, number),
        "settle": lambda session: session,
    }
    if step not in steps:
        raise InvalidFormError(step[:20], "that is no step of a round")
    if step == "reveal":
        _store_truth(session)
    return _store_truth(_change(session, lambda now: steps[step](now).with_record(shown=None)))


def choose_machine(session: ClassSession) -> ClassSession:
    """Choose the machine whose analysis is shown."""
    number, wanted = _number("round"), request.form.get("machine", "")[:500]
    if session.round is not None:
        found = machine_for(replace(session.round.question, machine=wanted))
        if found is None:
            raise InvalidFormError(wanted[:40], "that machine cannot play this game")
        wanted = found
    return _change(session, lambda now: rules.with_machine(now, number, wanted))


def change_settings(session: ClassSession) -> ClassSession:
    """Settings of the class: names, address, lock, control link, how long it is kept, its end."""
    wanted, address = request.form.get("do", ""), request.form.get("address", "")
    match wanted:
        case "names" | "no-names":
            return _set(session, names=wanted == "names")
        case "keep":
            days = service(Config).keep_class_days
            return _change(session, lambda now: rules.kept(now, days))
        case "end":
            return _change(session, rules.ended)
        case "lock" | "unlock":
            return _set(session, locked=wanted == "lock")
        case "new-link" if current_player() != session.record.owner:
            raise NotYourClassError("only the device that began the class makes a new link")
        case "new-link":
            return _set(session, key=secrets.token_urlsafe(16), second=None)
        case "address" if address in site().network:
            return _set(session, address=address)
        case _:
            raise InvalidFormError(wanted[:20], "that cannot be set")


def change_seat(session: ClassSession) -> ClassSession:
    """Remove a student, or let them in again; or remove all who joined lately."""
    removed, class_id = request.form.get("do") == "remove", session.record.id
    if request.form.get("do") == "remove-recent":
        service(SeatStore).remove_since(class_id, service(Clock).now() - RECENT_S)
        return service(ClassStore).find(class_id)
    service(SeatStore).change(class_id, _number("seat"), removed=removed)
    return service(ClassStore).find(class_id)


def hide_answer(session: ClassSession) -> ClassSession:
    """Hide an answer on the projector, or show it again."""
    said, hidden = request.form.get("answer", "")[:100], request.form.get("do") == "hide"
    service(SeatStore).hide(session.record.id, _number("round"), said, hidden=hidden)
    return service(ClassStore).find(session.record.id)


def start_match(session: ClassSession) -> ClassSession:
    """Start a match of the class against a machine."""
    form = request.form
    seat = Seat.SECOND if form.get("seat") == Seat.SECOND.mark else Seat.FIRST
    position, seconds = read_position(form), read_seconds(form)
    return class_matches().begin(session, position, form.get("machine", ""), seat, seconds)


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
    return _change(session, lambda now: cup.opened(now, game, number))


def follow_plan(session: ClassSession) -> ClassSession:
    """Go to another step of the plan, or do what the current one says."""
    wanted, plan = request.form.get("do", ""), class_plan(session.record)
    if wanted in ("next", "previous"):
        by = 1 if wanted == "next" else -1
        last = len(plan.steps) - 1 if plan else 0
        return _change(session, lambda now: _with_step(now, by, last))
    if wanted == "jump" and plan is not None:
        step = min(max(_number("step") - 1, 0), len(plan.steps) - 1)
        return _set(session, step=step)
    if plan is None or wanted != "begin":
        raise InvalidFormError(wanted[:20], "that is no step of a lesson")
    if session.record.plan_begun is None:
        session = _set(session, plan_begun=int(service(Clock).now()))
    return _do_step(session, PlanPart(plan, session.record.step).step)


def set_stage(session: ClassSession) -> ClassSession | None:
    """Show an exhibit, a line of play or a page on the screen, go on with it, or take it back."""
    wanted, stage = request.form.get("do", ""), stage_of(session.record)
    match wanted:
        case "back":
            return _set(session, shown=None)
        case "page":
            path = shown_page(request.form.get("path", "")[:MAX_LINK_CHARS])
            return _show(session, Stage(StageKind.PAGE, path))
        case "exhibit":
            return _show(session, Stage(StageKind.EXHIBIT))
        case "line":
            current = _revealed_round(session)
            move = rules.read_answer(current.question, request.form.get("move", "")[:16])
            return _show(session, Stage(StageKind.LINE, moves=(move,), wanted=1))
        case "settle" if stage is not None and stage.pending:
            return _play_out(session, stage)
        case _ if wanted in COMMANDS and stage is not None:
            after = _show(session, stage.ordered(wanted))
            ordered = stage_of(after.record)
            return (_play_out(after, ordered) if ordered and ordered.pending else None) or after
        case _:
            raise InvalidFormError(wanted[:20], "that cannot be shown")


def _revealed_round(session: ClassSession) -> RoundRecord:
    current = session.round
    if session.phase != Phase.REVEALED or current is None or not current.question.wants_move:
        raise ClosedVoteError("reveal a vote on a move first")
    return current


def _play_out(session: ClassSession, stage: Stage) -> ClassSession | None:
    """Add the best answer to the line, by the strongest machine; None while it thinks."""
    question = _revealed_round(session).question
    after = replace(question, moves=(*question.moves, *stage.moves))
    if after.match.outcome() is not None:
        return _show(session, replace(stage, wanted=len(stage.moves)))
    try:
        asked = analysis_request(after, strongest_agent(question.game))
        answer = service(WorkerClient).answer(asked, Rank.PANEL)
    except BusyError:
        return None
    if answer is None:
        return None
    moves = stage.moves if answer.analysis is None else (*stage.moves, str(answer.analysis.choice))
    return _show(session, replace(stage, moves=moves, wanted=len(moves)))


def _show(session: ClassSession, stage: Stage) -> ClassSession:
    rules.check_not_over(session)
    return _set(session, shown=stage.to_json())


ACTIONS: dict[str, Callable[[ClassSession], ClassSession | None]] = {
    "rounds": ask,
    "phase": change_phase,
    "machine": choose_machine,
    "settings": change_settings,
    "seats": change_seat,
    "answers": hide_answer,
    "match": start_match,
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


def _find_by_key(class_id: str, key: str) -> ClassSession:
    """Load a class by its control key; raises UnknownClassError."""
    session = service(ClassStore).find(class_id)
    if session.record.key != key or session.record.is_over:
        raise UnknownClassError("this link gives control of no class")
    return session


def _change(session: ClassSession, change: Change) -> ClassSession:
    return service(ClassStore).change(session.record.id, change)


def _set(session: ClassSession, **values: Any) -> ClassSession:
    return _change(session, lambda now: now.with_record(**values))


def _number(name: str) -> int:
    return read_number(request.form, name, f"the form does not say which {name} it is about")


def _ask(session: ClassSession, question: Question, seconds: int | None) -> ClassSession:
    """Ask a question, and start computing the right answers while the class votes."""
    now = service(Clock).now()
    after = _change(session, lambda current: rules.asked(current, question, now, seconds))
    with suppress(BusyError):  # requested again when the vote is closed
        request_truth(service(WorkerClient), question)
    return after


def _store_truth(session: ClassSession) -> ClassSession:
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
    return _change(session, lambda now: rules.settled(now, number, truth))


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
    return _change(session, lambda now: cup.with_cup(now, replace(state, job=job.id)))


def _with_step(session: ClassSession, by: int, last: int) -> ClassSession:
    """Move by a number of steps, within the plan."""
    return session.with_record(step=min(max(session.record.step + by, 0), last))


def _do_step(session: ClassSession, step: PlanStep) -> ClassSession:
    """Do what a step of the plan says."""
    if step.kind is StepKind.ASK and step.question is not None:
        return _ask(session, step.question, step.seconds)
    if step.kind is StepKind.PLAY:
        position = Question(step.game, PROMPT, start=step.start, moves=step.moves)
        return class_matches().begin(session, position, step.machine, step.seat, step.seconds)
    if step.kind is StepKind.CUP:
        return _change(session, lambda now: cup.opened(now, step.game, step.games))
    raise ClosedVoteError("this step is done by its link")
