"""The page of a lesson, made of its text and its query alone: no app, no request."""

import pytest

from webapp.learn.lesson import find_lesson, lessons
from webapp.learn.markup import figure_value
from webapp.learn.page import LessonPage
from webapp.learn.query import LessonQuery

NIM = find_lesson("nim")


def page(**sent):
    return LessonPage(NIM, LessonQuery.of(NIM, sent))


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.slug)
def test_every_lesson_has_a_page(lesson):
    made = LessonPage(lesson, LessonQuery.of(lesson, {}))
    assert len(made.blocks) == len(lesson.blocks)
    assert len(made.answers) == len(lesson.asked)
    assert (made.previous is None, made.next is None) == (
        lesson == lessons()[0],
        lesson == lessons()[-1],
    )


def test_a_prediction_shows_the_truth_after_any_answer_and_a_twin_after_the_right_one():
    predicted, twin = NIM.of("predict")[0], NIM.of("twin")[0]
    wrong = {block.name: str((figure_value(block.right) + 1) % 3) for block in (predicted, twin)}
    made = page(**wrong)
    assert (made.block(predicted.name).truth, made.block(predicted.name).choices) == ("First", ())
    assert (made.block(twin.name).truth, made.block(twin.name).why) == ("", None)
    assert made.block(twin.name).hint
    right = page(**{twin.name: str(figure_value(twin.right))}).block(twin.name)
    assert (right.right, right.truth) == (True, "Two from c")


def test_a_query_holds_states_and_the_pressed_button_in_one_order():
    query = LessonQuery.of(NIM, {"columns": "a1!", "do": "mirror:1", "present": "1", "x": "y"})
    assert query.pressed == "mirror"
    assert query.url(NIM.url) == "/learn/nim?mirror=1&columns=a1!&present=1"
