"""Every step of the shipped plan, in a class."""

import pytest

from tests.webapp.classroom.people import Student, Teacher
from webapp.classroom.store import ClassStore
from webapp.questions.plans import StepKind, shipped_plan, truths_in
from webapp.services import NAME

PLAN = shipped_plan("how-machines-play")


class Lecturer(Teacher):
    """A teacher who has started a class with the plan."""

    def __init__(self, app):
        super().__init__(app)
        self.path = self.post("/class", {"shipped": "how-machines-play"}).location

    @property
    def round(self):
        return self.app.extensions[NAME][ClassStore].find(self.path.rpartition("/")[2]).round

    def posts(self, action, **fields):
        answer = self.post(f"{self.path}/{action}", fields)
        assert answer.status_code == 303, answer.text

    def teaches(self, step, student):
        """Take one step to its end; returns the best answers if it was a round."""
        if step.kind in (StepKind.SHOW, StepKind.TRAIN):
            assert self.control.lesson.step.link
            return None
        self.posts("lesson", do="begin")
        if step.kind is StepKind.CUP:
            assert student.post(f"{student.path}/machine", {"machine": "random"}).status_code == 303
            assert self.screen.cup.entered == "1 student has entered 1 machine"
            return None
        student.says(self.round.question.answers[0])
        self.does("close")
        if step.kind is StepKind.PLAY:
            self.posts("play", move=self.control.favourite)
            self.posts("reply")
            return None
        assert student.phone.question.prompt == step.question.prompt
        self.does("reveal")
        assert self.screen.said is not None  # each of its questions names a machine
        return set(self.round.best)


@pytest.mark.slow
def test_every_round_of_the_shipped_plan_is_revealed_with_what_is_true(start):
    app = start(think_seconds=1.0)
    lecturer = Lecturer(app)
    student = Student(app, lecturer.code)
    truths = truths_in(PLAN)
    right_by_title = {}
    for step in PLAN.steps:
        assert lecturer.control.lesson.step.title == step.title
        right_by_title[step.title] = lecturer.teaches(step, student)
        lecturer.posts("lesson", do="next")
    asked = {title: right for title, right in right_by_title.items() if right is not None}
    assert asked == {step.title: set(truths[step].right) for step in PLAN.rounds}
