"""A prediction of a lesson is put to a class with its own choices and truth."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from webapp.learn.classes import class_question
from webapp.learn.figures import told
from webapp.learn.shelf import lessons
from webapp.questions.addresses import ask_url, posed_in
from webapp.questions.truths import truth_of

PREDICTIONS = [
    (f"{lesson.slug} {block.name}", block, class_question(block))
    for lesson in lessons()
    for block in lesson.asked
    if block.position
]
ASKED = [(block, posed) for _, block, posed in PREDICTIONS if posed is not None]
SOON_SOLVED = ("tictactoe", "nim")
QUICK = [
    (block, posed)
    for block, posed in ASKED
    if posed.truth in ("value", "best") and posed.game.partition(":")[0] in SOON_SOLVED
]


@pytest.mark.parametrize(("block", "posed"), ASKED, ids=lambda each: getattr(each, "name", ""))
def test_a_prediction_comes_back_from_its_address(block, posed):
    assert posed_in(dict(parse_qsl(urlsplit(ask_url(posed)).query))) == posed


@pytest.mark.parametrize(("block", "posed"), QUICK, ids=lambda each: getattr(each, "name", ""))
def test_the_class_and_the_lesson_are_told_the_same(block, posed):
    assert truth_of(posed).right == (block.choices[told(block.right)].label,)


def test_most_predictions_about_a_position_can_be_asked():
    assert len(ASKED) > len(PREDICTIONS) / 2
    assert QUICK
