"""Every step of the shipped plans, in a class: what is revealed says one thing in all its parts."""

import re

import pytest

from tests.webapp.classroom.people import PLAN, Student, Teacher
from webapp.questions.plans import StepKind, shipped_plan, truths_in

FIGURE = re.compile(r"(\d[\d,]*(?:\.\d+)?)(%?)")
BOUND = "under|over|up to|at least|fewer than|more than"
RANGE = re.compile(rf"({BOUND})? ?([\d,.]+)(?: to ([\d,.]+))?")
OUTCOMES = {1: ("mover wins", "x wins", "wins for x"), 0: ("a draw", "a draw", "holds the draw")}


def take_step(teacher, student, step):
    """Take one step to its end; returns the best answers if it was a round."""
    if step.kind is StepKind.SHOW:
        assert teacher.control.plan.step.link
        return None
    teacher.posts("lesson", do="begin")
    if step.kind is StepKind.TRAIN:
        training = teacher.get(teacher.screen.page.path).text
        assert "learns Tic-tac-toe" in training
        assert f"{step.games:,} games" in training
        teacher.posts("stage", do="back")
        return None
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
    screen = teacher.does("reveal").screen
    machine = step.question.machine.partition(":")[0]
    assert not machine or screen.said.agent.partition(":")[0] == machine
    assert (screen.result.chart is not None) == (
        "curve" in step.question.truth.split() or step.question.truth.startswith("games-until")
    )
    assert_agrees(screen, teacher.session.round)
    return set(teacher.session.round.best)


def assert_agrees(screen, current):
    """Headline, bars, reason, curve and what a machine says name the same answer."""
    question, result, best = current.question, screen.result, current.best
    if not current.judgements:
        assert result.headline.endswith("nothing was right or wrong")
        assert (result.why, [bar.worth for bar in result.bars]) == ("", [None] * len(result.bars))
        return
    if question.wants_move:
        all_lose = all(one.value < 0 for one in current.judgements)
        told = "nobody could have won here" if all_lose else f"{best[0]} wins"
        assert screen.said is None or str(screen.said.analysis.choice) in best
    else:
        told = f"“{best[0]}” is right"
        marks = {bar.answer: bar.worth.label for bar in result.bars}
        assert {answer for answer, label in marks.items() if label == "right"} == set(best)
        assert_reason_is_that_of(screen, question, best[0])
    assert result.headline.endswith(told)


def assert_reason_is_that_of(screen, question, right):
    """The reason has the figure, outcome or move that makes this choice the right one."""
    claims = {choice.text: choice.claim for choice in question.choices}
    reason = screen.result.why
    figures = [float(number.replace(",", "")) for number, _ in FIGURE.findall(reason)]
    shares = [float(number) for number, percent in FIGURE.findall(reason) if percent]
    if question.truth == "value":
        value = round(screen.said.analysis.chosen.value)
        assert claims[right] in OUTCOMES[value]
        assert OUTCOMES[value][-1] in reason
    elif any(char.isdigit() for char in claims[right]):
        figure = figures[question.truth.startswith("games-until")]  # 99% draws after 500 games
        assert {text for text, claim in claims.items() if is_within(figure, claim)} == {right}
    if (trace := screen.data.session.round.truth.curve) is not None:
        drawn = [100 * figure for _, figure in trace.points]
        assert min(abs(shares[0] - figure) for figure in drawn) < 0.5


def is_within(figure, claim):
    """Whether a figure is in the range of a choice: `40 to 59.99`, `over 90`, `up to 100`."""
    found = RANGE.fullmatch(claim.lower())
    if found is None:
        return False
    word, low, high = (each and each.replace(",", "") for each in found.groups())
    if high:
        return float(low) <= figure <= float(high)
    above = word in ("over", "at least", "more than")
    return figure >= float(low) if above else figure <= float(low)


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
