"""The lesson that ships: its truths are computed, its minutes add up, its links open."""

import re

import pytest

from tests.webapp.commands.command_line import document, zermelo
from tests.webapp.visitor import Never, Visitor
from webapp.classroom.models import AnswerRecord, Phase, RoundRecord
from webapp.classroom.page import machine_for
from webapp.classroom.results import Result
from webapp.questions.models import Question
from webapp.questions.plans import SHIPPED_PLANS, StepKind, plan_text, shipped_plan, truths_in
from webapp.questions.requests import analysis_request
from webapp.questions.truths import truth_of

WRONG = "# A lesson\n## A step  5 min\nposition: quixo\nask: Who?\ntruth: value\n"


def test_the_lessons_on_how_machines_play_and_learn_take_45_minutes_with_joining():
    lessons = [shipped_plan(name) for name in ("how-machines-play", "how-machines-learn")]
    assert [lesson.minutes for lesson in lessons] == [45, 45]
    steps = [step for lesson in lessons for step in lesson.steps]
    assert {step.kind for step in steps} == set(StepKind)
    assert [step.title for step in steps if not (step.say and step.link)] == []
    assert [lesson.steps[0].question.truth for lesson in lessons] == ["poll", "poll"]
    assert min(step.minutes for step in steps if step.question) >= 3  # to think, talk and reveal


ROUNDS = [(name, step) for name in SHIPPED_PLANS for step in shipped_plan(name).rounds]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "step"), ROUNDS, ids=[step.title for _, step in ROUNDS])
def test_what_a_step_reveals_fits_what_it_asked(name, step):
    """Sentence, histogram and exhibit say the same, of what was asked."""
    question = step.question
    truth = truth_of(question)
    answers = [
        AnswerRecord(1, 1, seat, text) for seat, text in enumerate(question.answers, start=1)
    ]
    result = Result(RoundRecord(1, question, Phase.REVEALED, truth=truth), answers, ())
    marked = {bar.answer for bar in result.bars if bar.best}
    if question.truth == "poll":
        assert (marked, result.headline.partition(": ")[2]) == (set(), "nothing was right or wrong")
        return
    assert marked <= set(truth.right)
    assert marked
    assert result.why == truth.sentence
    if question.choices:
        assert f"“{truth.right[0]}” is right" in result.headline
    if truth.curve is not None:
        steps = [point for point, _ in truth.curve.points]
        asked = [int(word) for word in question.truth.split() if word.isdecimal()]
        assert not asked or steps[-1] == max(asked)  # to what was asked about, and no further
        figures = {f"{100 * share:.0f}%" for _, share in truth.curve.points}
        named = set(re.findall(r"(\d+)(?:\.\d)?% (?:wins|draws|losses|right)", truth.sentence))
        assert {f"{int(each)}%" for each in named} & figures or "99" in named
    machine = machine_for(question)
    if machine is None or question.truth.split()[0] not in ("best", "value"):
        return
    answer = analysis_request(question, machine).run(2.0)
    candidates = {str(one.move): one for one in answer.candidates}
    choice = candidates[str(answer.choice)]
    if question.wants_move:
        assert str(answer.choice) in truth.right
    else:
        values = {"x wins": 1, "o wins": -1, "a draw": 0}
        assert choice.value == values[truth.shown]  # x is to move in each of them


@pytest.mark.parametrize("name", SHIPPED_PLANS)
def test_no_step_asks_what_one_before_has_told(name):
    told = []
    for step in shipped_plan(name).rounds:
        question = step.question
        if question.truth == "best":
            right = truth_of(question).right
            same = [
                other
                for other in told
                if (other.game, other.start, other.moves)
                == (question.game, question.start, question.moves)
            ]
            assert not same or len(right) == len(question.answers)
        told.append(question)


def test_the_reveal_about_alpha_beta_is_not_contradicted_by_a_machine():
    rounds = shipped_plan("how-machines-play").rounds
    posed = next(step.question for step in rounds if step.question.truth == "looks-at c2")
    assert machine_for(posed) is None


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
    assert shown.stdout.startswith("How machines play: 45 minutes, 9 steps, 8 of them rounds\n")
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
