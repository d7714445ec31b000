"""A prepared lesson in a class: its steps one after the other, with notes for the teacher alone."""

from __future__ import annotations

from dataclasses import replace

from webapp.classroom.models import ClassRecord, Room
from webapp.classroom.views import PlanView, StepView
from webapp.questions.plan_parser import read_lesson
from webapp.questions.plans import PreparedLesson, PreparedStep, StepKind

ACTIONS = {
    StepKind.ASK: "Ask it",
    StepKind.PLAY: "Begin the match",
    StepKind.CUP: "Open the cup",
    StepKind.SHOW: "",
    StepKind.TRAIN: "",
}


def lesson_of(record: ClassRecord) -> PreparedLesson | None:
    """The lesson that the class was begun with."""
    return None if record.lesson is None else read_lesson(record.lesson)


def step_of(record: ClassRecord) -> PreparedStep | None:
    """Where the lesson is."""
    lesson = lesson_of(record)
    return None if lesson is None else lesson.steps[min(record.step, len(lesson.steps) - 1)]


def turned(room: Room, steps: int) -> Room:
    """To another step of the lesson, never beyond its ends."""
    lesson = lesson_of(room.record)
    if lesson is None:
        return room
    at = min(max(room.record.step + steps, 0), len(lesson.steps) - 1)
    return replace(room, record=replace(room.record, step=at))


def lesson_view(record: ClassRecord) -> PlanView | None:
    """What the teacher reads: the step, what to say, and what comes next."""
    lesson, step = lesson_of(record), step_of(record)
    if lesson is None or step is None:
        return None
    at = lesson.steps.index(step)
    following = lesson.steps[at + 1].title if at + 1 < len(lesson.steps) else ""
    shown = StepView(
        number=at + 1,
        count=len(lesson.steps),
        title=step.title,
        minutes=step.minutes,
        say=step.say,
        notes=step.notes,
        link=step.link,
        action=ACTIONS[step.kind],
        prompt=step.posed.prompt if step.posed else "",
    )
    return PlanView(lesson.title, lesson.minutes, shown, following)
