"""Every step of the shipped plan, in a class."""

import pytest

from tests.webapp.classroom.people import PLAN, Student, Teacher
from webapp.questions.plans import StepKind, shipped_plan, truths_in


def take_step(teacher, student, step):
    """Take one step to its end; returns the best answers if it was a round."""
    if step.kind in (StepKind.SHOW, StepKind.TRAIN):
        assert teacher.control.plan.step.link
        return None
    teacher.posts("lesson", do="begin")
    if step.kind is StepKind.CUP:
        student.enters("random")
        assert teacher.screen.cup.entered == "1 student has entered 1 machine"
        return None
    student.says(teacher.session.round.question.answers[0])
    teacher.does("close")
    if step.kind is StepKind.PLAY:
        teacher.plays(teacher.control.favourite).hears()
        return None
    assert student.phone.question.prompt == step.question.prompt
    said = teacher.does("reveal").screen.said
    machine = step.question.machine.partition(":")[0]
    assert not machine or said.agent.partition(":")[0] == machine
    assert (teacher.screen.result.chart is not None) == (
        "curve" in step.question.truth.split() or step.question.truth.startswith("games-until")
    )
    return set(teacher.session.round.best)


@pytest.mark.slow
@pytest.mark.parametrize("name", [PLAN, "how-machines-learn"])
def test_every_round_of_the_shipped_plan_is_revealed_with_what_is_true(start, name):
    app = start(think_seconds=1.0)
    teacher = Teacher(app, name)
    student = Student(app, teacher.code)
    plan = shipped_plan(name)
    right_by_title = {}
    for step in plan.steps:
        assert teacher.control.plan.step.title == step.title
        right_by_title[step.title] = take_step(teacher, student, step)
        teacher.posts("lesson", do="next")
    asked = {title: right for title, right in right_by_title.items() if right is not None}
    assert asked == {step.title: set(truth.right) for step, truth in truths_in(plan).items()}
    polls = {step.title for step in plan.rounds if step.question.truth == "poll"}
    assert {title for title, right in asked.items() if not right} == polls
