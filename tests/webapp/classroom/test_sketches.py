"""A learning curve that the class draws before it is shown."""

import re
from html import unescape
from statistics import median
from urllib.parse import parse_qsl, urlsplit

import pytest

from webapp.questions.learning import brain_at_hand

HIGH, LOW = "100 100 100 100 100", "0 0 0 0 0"


@pytest.fixture
def asked(teacher):
    """MENACE's curve is drawn: the address as the page of curves offers it."""
    page = teacher.get("/class/ask?kind=sketch").text
    urls = [unescape(each) for each in re.findall(r'href="(/class/ask\?[^"]+)"', page)]
    url = next(each for each in urls if "machine=menace" in each and "tictactoe" in each)
    return teacher.posts("rounds", **dict(parse_qsl(urlsplit(url).query)))


def draws(student, heights, status=303):
    question = student.phone.question
    now = {"round": question.number, "vote": question.vote, "height": heights.split()}
    return student.posts("answer", status, **now)


def measured():
    """MENACE's figures by games, from the file of its brain."""
    return {point.step: point.metrics for point in brain_at_hand("tictactoe", "menace").curve}


def test_a_phone_has_five_sliders_and_keeps_what_was_sent(asked, student):
    assert len(student.phone.sketch) == 5
    assert student.get(student.path).text.count('type="range"') == 5
    draws(student, "0 10 20 30 40")
    assert [point.height for point in student.phone.sketch] == [0, 10, 20, 30, 40]
    draws(student, HIGH)
    assert [point.height for point in student.phone.sketch] == [100] * 5


@pytest.mark.parametrize("heights", ["", "1 2 3 4", "1 2 3 4 101", "1 2 3 4 -5", "1 2 3 4 x"])
def test_a_sketch_has_five_heights_up_to_100(asked, student, heights):
    draws(student, heights, 422)


def test_nothing_of_the_curve_is_shown_before_the_reveal(asked, teacher, student):
    draws(student, HIGH)
    for _ in range(2):
        assert "<polyline" not in teacher.get(f"{teacher.path}/screen").text
        assert "<polyline" not in student.get(student.path).text
        assert teacher.screen.result is None
        teacher.does("close")


def test_the_reveal_shows_the_middle_of_the_class_beside_what_was_measured(
    asked, teacher, student, others
):
    given = (HIGH, LOW, "0 20 40 60 80", "10 20 30 40 50")
    for one, heights in zip((student, *others), given, strict=True):
        draws(one, heights)
    teacher.does("close", "settle", "reveal")
    chart = teacher.screen.result.chart
    assert [line.name for line in chart.lines] == ["the class", "MENACE"]
    steps = [point.step.replace(",", "") for point in student.phone.sketch]
    rows = {row[0].replace(",", ""): row[1:] for row in chart.rows}
    columns = zip(*(map(int, each.split()) for each in given), strict=True)
    for step, column in zip(steps, columns, strict=True):
        drawn, learned = rows[step]
        assert drawn == f"{median(column):.1f} %"
        assert learned == f"{100 * measured()[int(step)]['draws']:.1f} %"
    off = sum(100 - 100 * measured()[int(step)]["draws"] for step in steps) / 5
    assert f"{round(off)} points off" in student.phone.told[0]
    for page in (teacher.get(f"{teacher.path}/screen"), student.get(student.path)):
        assert page.text.count("<polyline") == 2
    assert "the class" in teacher.get(f"{teacher.path}/report").text


def test_a_question_about_a_curve_offers_to_draw_it_first(teacher):
    page = teacher.get("/machines/menace?game=tictactoe").text
    url = unescape(re.search(r'href="(/class/ask\?[^"]*menace[^"]*)"', page)[1])
    assert "truth=sketch" in teacher.get(url).text
