"""The lesson that ships: its truths are computed, its minutes add up, its links open."""

import pytest

from tests.webapp.commands.command_line import document, zermelo
from tests.webapp.visitor import Never, Visitor
from webapp.questions.models import Question
from webapp.questions.plans import SHIPPED_PLANS, StepKind, plan_text, shipped_plan, truths_in
from webapp.questions.truths import truth_of

WRONG = "# A lesson\n## A step  5 min\nposition: quixo\nask: Who?\ntruth: value\n"


def test_the_lesson_on_how_machines_play_takes_45_minutes():
    lesson = shipped_plan("how-machines-play")
    assert lesson.minutes == 45
    assert {step.kind for step in lesson.steps} == set(StepKind) - {StepKind.SHOW}
    assert [step.title for step in lesson.steps if not (step.say and step.link)] == []


def test_what_the_question_on_alpha_beta_says_is_so():
    rounds = shipped_plan("how-machines-play").rounds
    posed = next(step.question for step in rounds if step.question.truth == "looks-at c2")
    before = [
        truth_of(Question(posed.game, "?", f"looks-at {move}", posed.start, posed.moves)).shown
        for move in ("a1", "b1", "a2", "c2")
    ]
    assert "tried a1 and b1 for o" in posed.prompt
    assert before == ["yes", "yes", "no", "no"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED_PLANS)
def test_every_link_of_a_shipped_lesson_opens(start, name):
    visitor = Visitor(start(Never))
    links = {step.link for step in shipped_plan(name).steps}
    assert {link: visitor.get(link).status_code for link in links} == dict.fromkeys(links, 200)


@pytest.mark.slow
def test_a_lesson_is_checked_at_the_command_line(tmp_path):
    file = tmp_path / "lesson.txt"
    file.write_text(plan_text("how-machines-play"), encoding="utf-8")
    shown = zermelo("class", "check", file)
    assert shown.exit_code == 0
    assert shown.stdout.startswith("How machines play: 45 minutes, 17 steps, 12 of them rounds\n")
    told = document("class", "check", file)
    truths = truths_in(shipped_plan("how-machines-play"))
    assert [step["truth"] for step in told["steps"] if "truth" in step] == [
        truth.shown for truth in truths.values()
    ]


def test_what_is_wrong_with_a_lesson_is_one_line_each_and_exit_code_2(tmp_path):
    file = tmp_path / "lesson.txt"
    file.write_text(f"{WRONG}## Another 5 min\n", encoding="utf-8")
    assert wrong_lines(file) == ["line 6: 'Another' needs one of ask:, show:, train:, play:, cup:"]
    file.write_text(WRONG, encoding="utf-8")
    assert wrong_lines(file)[0].startswith("line 5: who wins here cannot be worked out: ")


def wrong_lines(file):
    shown = zermelo("class", "check", file)
    assert (shown.exit_code, shown.stdout) == (2, "")
    return [line.removeprefix(f"zermelo: {file}: ") for line in shown.stderr.splitlines()]
