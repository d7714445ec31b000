"""The plan of a class: its steps in order, with notes for the teacher only."""

from __future__ import annotations

from dataclasses import replace

from webapp.classroom.models import ClassRecord, ClassSession
from webapp.classroom.views import PlanView, StepView
from webapp.questions.plans import ClassPlan, PlanStep, StepKind, read_plan

ACTIONS = {
    StepKind.ASK: "Ask it",
    StepKind.PLAY: "Begin the match",
    StepKind.CUP: "Open the cup",
    StepKind.SHOW: "",
    StepKind.TRAIN: "",
}


def class_plan(record: ClassRecord) -> ClassPlan | None:
    """The plan that the class was started with."""
    return None if record.lesson is None else read_plan(record.lesson)


def current_step(record: ClassRecord) -> PlanStep | None:
    plan = class_plan(record)
    return None if plan is None else plan.steps[min(record.step, len(plan.steps) - 1)]


def go_to_step(session: ClassSession, steps: int) -> ClassSession:
    """Move by a number of steps, within the plan."""
    plan = class_plan(session.record)
    if plan is None:
        return session
    at = min(max(session.record.step + steps, 0), len(plan.steps) - 1)
    return replace(session, record=replace(session.record, step=at))


def plan_view(record: ClassRecord) -> PlanView | None:
    """The current step with its notes, and the title of the next."""
    plan, step = class_plan(record), current_step(record)
    if plan is None or step is None:
        return None
    at = plan.steps.index(step)
    following = plan.steps[at + 1].title if at + 1 < len(plan.steps) else ""
    view = StepView(
        number=at + 1,
        count=len(plan.steps),
        title=step.title,
        minutes=step.minutes,
        say=step.say,
        notes=step.notes,
        link=step.link,
        action=ACTIONS[step.kind],
        prompt=step.question.prompt if step.question else "",
    )
    return PlanView(plan.title, plan.minutes, view, following)
