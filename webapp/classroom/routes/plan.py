"""Actions of the control on the plan of the class: go through its steps, do what one says."""

from __future__ import annotations

from flask import request, url_for

from agents.roster import agent_title
from agents.training.trainer import SEED
from engine import load_game
from webapp.classroom import cup
from webapp.classroom.control_page import PlanPart, class_plan
from webapp.classroom.forms import shown_page
from webapp.classroom.match import PROMPT
from webapp.classroom.models import ClassSession, ClosedVoteError
from webapp.classroom.routes.records import class_matches
from webapp.classroom.routes.rounds import ask_question
from webapp.classroom.routes.session import change, form_number, update
from webapp.classroom.routes.stage import show
from webapp.classroom.stage import Stage, StageKind
from webapp.jobs.admission import admit
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun, training_job
from webapp.jobs.models import JobRecord
from webapp.questions.models import Question
from webapp.questions.plans import PlanStep, StepKind
from webapp.services import Clock, service
from webapp.web.cookies import player_of_this_request
from webapp.web.errors import InvalidFormError


def follow_plan(session: ClassSession) -> ClassSession:
    """Go to another step of the plan, or do what the current one says."""
    wanted, plan = request.form.get("do", ""), class_plan(session.record)
    if wanted in ("next", "previous"):
        by = 1 if wanted == "next" else -1
        last = len(plan.steps) - 1 if plan else 0
        return change(session, lambda now: _with_step(now, by, last))
    if wanted == "jump" and plan is not None:
        step = min(max(form_number("step") - 1, 0), len(plan.steps) - 1)
        return update(session, step=step)
    if plan is None or wanted != "begin":
        raise InvalidFormError(wanted[:20], "that is no step of a lesson")
    if session.record.plan_begun is None:
        session = update(session, plan_begun=int(service(Clock).now()))
    return _do_step(session, PlanPart(plan, session.record.step).step)


def _with_step(session: ClassSession, by: int, last: int) -> ClassSession:
    """Move by a number of steps, within the plan."""
    return session.with_record(step=min(max(session.record.step + by, 0), last))


def _do_step(session: ClassSession, step: PlanStep) -> ClassSession:
    """Do what a step of the plan says."""
    if step.kind is StepKind.ASK and step.question is not None:
        return ask_question(session, step.question, step.seconds)
    if step.kind is StepKind.PLAY:
        position = Question(step.game, PROMPT, start=step.start, moves=step.moves)
        return class_matches().begin(session, position, step.machine, step.seat, step.seconds)
    if step.kind is StepKind.CUP:
        return change(session, lambda now: cup.opened(now, step.game, step.games))
    if step.kind is StepKind.TRAIN and step.games:
        job = admit(_training(step, step.games))
        return show(session, Stage(StageKind.PAGE, shown_page(url_for("jobs.show", job_id=job.id))))
    raise ClosedVoteError("this step is done by its link")


def _training(step: PlanStep, games: int) -> JobRecord:
    """The training of a step, as a job of the teacher."""
    owner = player_of_this_request()
    service(BrainStore).check_room(owner)
    plan = TrainingPlan(step.game, (TrainingRun(step.machine, SEED),), games)
    title = f"{agent_title(step.machine, step.game)} learns {load_game(step.game).title}"
    return training_job(owner, title, plan)
