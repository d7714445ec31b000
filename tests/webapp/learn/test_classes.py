"""Every question and every widget of a lesson is put to a class, with its own choices and truth."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.visitor import Visitor
from webapp.classroom.forms import read_position as read_form_position
from webapp.learn.lesson import LessonQuestion, lessons
from webapp.learn.markup import figure_value, with_figures
from webapp.learn.page import class_question
from webapp.learn.positions import read_position
from webapp.learn.widgets.widget import widgets
from webapp.questions.facts import About
from webapp.questions.query import ask_url, parse_question
from webapp.questions.truths import subject_of, truth_of


def blocks_of(kind):
    """(lesson, block) of all that there are."""
    return [
        pytest.param(lesson, block, id=f"{lesson.slug}-{block.name}")
        for lesson in lessons()
        for block in getattr(lesson, kind)
    ]


QUESTIONS, WIDGETS_PLACED = blocks_of("asked"), blocks_of("widgets")
POSED = [
    pytest.param(posed, id=block.kind)
    for _, block in (case.values for case in WIDGETS_PLACED)
    if (posed := widgets()[block.kind].asks(block.about, "")) is not None
]


def fields_in(address):
    return dict(parse_qsl(urlsplit(address).query))


def block_on_page(app, lesson, block):
    visitor = Visitor(app)
    assert visitor.get(f"/learn/{lesson.slug}").status_code == 200
    return visitor.seen["lesson"].block(block.name)


def unmarked(text):
    """As it is read, without the stars of what is stressed."""
    return with_figures(text).replace("*", "")


def right_in(block: LessonQuestion):
    return with_figures(block.question.choices[figure_value(block.right)].text)


@pytest.mark.parametrize(("lesson", "block"), QUESTIONS)
def test_a_question_is_put_to_a_class_in_its_own_words(app, lesson, block):
    shown = block_on_page(app, lesson, block)
    posed = parse_question(fields_in(shown.ask_url))
    assert posed == class_question(block)
    assert posed.prompt == unmarked(block.question.prompt)
    assert [pick.text for pick in posed.choices] == [
        unmarked(one.text) for one in block.question.choices
    ]
    assert "{" not in posed.prompt
    assert (shown.drawn is not None) == (subject_of(posed.truth) is About.POSITION)


@pytest.mark.parametrize(("lesson", "block"), WIDGETS_PLACED)
def test_a_widget_is_put_to_a_class_with_its_question_or_its_position(app, lesson, block):
    shown = block_on_page(app, lesson, block)
    posed = widgets()[block.kind].asks(block.about, "")
    fields = fields_in(shown.ask_url)
    place = shown.view.position
    asked = read_form_position(fields) if posed is None else parse_question(fields)
    match = asked.match if posed is None else None
    assert (asked, match and match.state) == (posed or asked, place and place.state)
    assert Visitor(app).get(shown.ask_url).status_code == 200


def test_the_curves_the_cover_and_the_box_are_asked_about_without_a_board():
    assert [case.id for case in POSED] == ["curve", "curve", "covering", "asked-box", "compared"]


@pytest.mark.parametrize(
    ("held", "prompt", "right"),
    [
        ("", ("300 and 250", "0.275", "300 and 300"), "yes"),
        ("300.200", ("300 and 200", "0.28", "300 and 250"), "no"),
        ("500.500", ("500 and 500", "1", "500 and 450"), "no"),
        ("9999.x", ("300 and 250", "0.275", "300 and 300"), "yes"),
    ],
)
def test_the_box_is_asked_about_as_it_stands(held, prompt, right):
    posed = widgets()["asked-box"].asks("black-box:groups=2", held)
    words = "With {} ones it says {}. Does it say more with {}?"
    assert posed.prompt.endswith(words.format(*prompt))
    assert truth_of(posed).shown == right


@pytest.mark.slow
@pytest.mark.parametrize(("lesson", "block"), QUESTIONS)
def test_a_round_of_a_lesson_tells_what_is_right_and_why_when_it_is_revealed(app, lesson, block):
    result, phone = revealed(app, block_on_page(app, lesson, block).ask_url)
    assert right_in(block) in result.headline
    assert result.why
    assert result.source
    assert phone.best == f"Right: {right_in(block)}"


@pytest.mark.parametrize("posed", POSED)
def test_a_round_about_a_widget_has_one_answer_and_tells_why_when_it_is_revealed(app, posed):
    result, phone = revealed(app, ask_url(posed))
    (right,) = truth_of(posed).right
    assert result.headline == f"1 vote: “{right}” is right"
    assert result.why == truth_of(posed).sentence != ""
    assert phone.best == f"Right: {right}"


def revealed(app, address):
    """What the screen and a phone are told of a round that was asked at this address."""
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    assert teacher.get(address).status_code == 200
    given = dict(teacher.seen["ask"].given)
    assert given == fields_in(address)
    teacher.asks(**given, **({} if "game" in given else {"game": ""}))
    assert teacher.screen.result is None
    student.says(teacher.seen["screen"].question.choices[0].value)
    teacher.does("close", "reveal")
    return teacher.screen.result, student.phone


def test_a_question_with_moves_is_asked_where_they_lead():
    block = next(one for lesson in lessons() for one in lesson.asked if one.question.moves)
    posed = class_question(block)
    assert str(posed.match.state) != str(read_position(block.question.position).state)
