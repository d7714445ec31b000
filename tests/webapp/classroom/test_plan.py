"""Every step of the shipped plan, in a class."""

import pytest

from engine import Match, load_game
from tests.webapp.classroom.people import Student, Teacher
from webapp.classroom.store import ClassStore
from webapp.questions.plans import StepKind, shipped_plan, truths_in

PLAN = shipped_plan("how-machines-play")


def take_step(teacher, student, step):
    """Take a step of the plan to its end; returns what the projector says."""
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
    match = step.question.match if step.question else None
    if match is None:
        match = Match.begin(load_game(step.game))
    return str(match.state.legal_moves()[0])


@pytest.mark.soak
def test_the_plan_works_from_start_to_end(start):
    app = start(think_seconds=1.0)
    teacher = Teacher(app)
    teacher.path = teacher.post("/class", {"shipped": "how-machines-play"}).location
    student = Student(app, teacher.code)
    shown = {}
    for step in PLAN.steps:
        assert teacher.control.lesson.step.title == step.title
        shown[step.title] = take_step(teacher, student, step)
        teacher.post(f"{teacher.path}/lesson", {"do": "next"})
    asked = [step.title for step in PLAN.steps if step.kind is StepKind.ASK]
    unknown = [title for title in asked if "nothing was right or wrong" in shown[title]]
    assert unknown == []
    assert shown["The cup"] == "1 student has entered 1 machine"
    assert shown["What minimax sees"].endswith(" is right")


class Lecturer(Teacher):
    """A teacher who has started a class with the plan."""

    def __init__(self, app):
        super().__init__(app)
        self.path = self.post("/class", {"shipped": "how-machines-play"}).location

    @property
    def round(self):
        return self.app.extensions["zermelo"][ClassStore].find(self.path.rpartition("/")[2]).round

    def posts(self, do):
        answer = self.post(f"{self.path}/lesson", {"do": do})
        assert answer.status_code == 303, answer.text

    def teaches(self, step, student):
        """Take one step; returns the best answers if it was a round."""
        right = None
        if step.question is not None:
            self.posts("begin")
            assert student.phone.question.prompt == step.question.prompt
            student.says(self.round.question.answers[0])
            self.does("close", "reveal")
            right = set(self.round.best)
        self.posts("next")
        return right


@pytest.mark.slow
def test_every_round_of_the_shipped_plan_is_revealed_with_what_is_true(app):
    lecturer = Lecturer(app)
    student = Student(app, lecturer.code)
    truths = truths_in(PLAN)
    right_by_title = {step.title: lecturer.teaches(step, student) for step in PLAN.steps}
    asked = {title: right for title, right in right_by_title.items() if right is not None}
    assert asked == {step.title: set(truths[step].right) for step in PLAN.rounds}
