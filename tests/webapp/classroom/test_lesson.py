"""The shipped lesson from its first step to its last, each truth worked out."""

import pytest

from engine import Match, load_game
from tests.webapp.classroom.people import Student, Teacher
from webapp.questions.plan_parser import shipped_lesson
from webapp.questions.plans import StepKind

pytestmark = pytest.mark.soak


def takes(teacher, student, step):
    """What a step does, to its end: what was right, the match, or the cup."""
    if step.kind in (StepKind.SHOW, StepKind.TRAIN):
        assert teacher.control.lesson.step.link
        return "shown"
    begun = teacher.post(f"{teacher.path}/lesson", {"do": "begin"})
    assert begun.status_code == 303, begun.text
    if step.kind is StepKind.CUP:
        assert student.post(f"{student.path}/machine", {"machine": "random"}).status_code == 303
        return teacher.screen.cup.entered
    question = student.phone.question
    legal = [choice.value for choice in question.choices]
    student.says(legal[0] if legal else first_move(step))
    teacher.does("close")
    if step.kind is StepKind.PLAY:
        played = teacher.post(f"{teacher.path}/play", {"move": teacher.control.favourite})
        assert played.status_code == 303, played.text
        assert teacher.post(f"{teacher.path}/reply").status_code == 303
        return teacher.control.phase
    teacher.does("reveal")
    assert teacher.screen.said is not None  # each of its questions names a machine
    return teacher.screen.result.headline


def first_move(step):
    match = step.posed.match if step.posed else None
    if match is None:
        match = Match.begin(load_game(step.game))
    return str(match.state.legal_moves()[0])


def test_the_lesson_works_from_start_to_end(start):
    app = start(think_seconds=1.0)
    teacher = Teacher(app)
    teacher.path = teacher.post("/class", {"shipped": "how-machines-play"}).location
    student = Student(app, teacher.code)
    steps = shipped_lesson("how-machines-play").steps
    told = {}
    for step in steps:
        assert teacher.control.lesson.step.title == step.title
        told[step.title] = takes(teacher, student, step)
        teacher.post(f"{teacher.path}/lesson", {"do": "next"})
    asked = [step.title for step in steps if step.kind is StepKind.ASK]
    unknown = [title for title in asked if "nothing was right or wrong" in told[title]]
    assert unknown == []
    assert told["The cup"] == "1 student has entered 1 machine"
    assert told["What minimax sees"].endswith(" is right")
