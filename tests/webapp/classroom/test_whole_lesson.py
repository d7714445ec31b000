"""The lesson that ships, from its first step to its last: every round is asked, answered and
revealed with what is true."""

import pytest

from tests.webapp.classroom.people import Student, Teacher
from webapp.classroom.store import ClassStore
from webapp.questions.plan_parser import shipped_lesson, truths_in

LESSON = shipped_lesson("how-machines-play")


class Lecturer(Teacher):
    """A teacher who has begun a class with the lesson."""

    def __init__(self, app):
        super().__init__(app)
        self.path = self.post("/class", {"shipped": "how-machines-play"}).location

    @property
    def round(self):
        return self.app.extensions["zermelo"][ClassStore].find(self.path.rpartition("/")[2]).round

    def turns(self, do):
        answer = self.post(f"{self.path}/lesson", {"do": do})
        assert answer.status_code == 303, answer.text

    def teaches(self, step, student):
        """One step; of a round, which answers were right. Only then on to the next."""
        right = None
        if step.posed is not None:
            self.turns("begin")
            assert student.phone.question.prompt == step.posed.prompt
            student.says(self.round.asked.answers[0])
            self.does("close", "reveal")
            right = set(self.round.best)
        self.turns("next")
        return right


@pytest.mark.slow
def test_every_round_of_the_shipped_lesson_is_revealed_with_what_is_true(app):
    lecturer = Lecturer(app)
    student = Student(app, lecturer.code)
    truths = truths_in(LESSON)
    told = {step.title: lecturer.teaches(step, student) for step in LESSON.steps}
    asked = {title: right for title, right in told.items() if right is not None}
    assert asked == {step.title: set(truths[step].right) for step in LESSON.rounds}
