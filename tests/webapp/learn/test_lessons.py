"""Every lesson that ships: what it has, where it leads, and that it bears whatever is asked."""

import re
from collections import Counter
from html import unescape

import pytest

from agents.roster import find_agent
from tests.webapp.learn import linter
from tests.webapp.visitor import HTMX, Visitor
from webapp.learn.lesson import LessonText, lessons
from webapp.learn.positions import read_position

LARGEST = 100_000
EACH = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.slug)
# Kept of a block by an address that somebody made up.
ANYTHING = ["", "0", "1", "2", "7", "99999999999", "!", "a1", "a1.b1!", "y.n.y", "é%00", "x" * 500]


@EACH
def test_a_lesson_is_whole(lesson: LessonText) -> None:
    """Short enough, with questions, links, a machine and sources, as the linter has it."""
    assert list(linter.faults(lesson)) == []


def test_no_figure_is_kept_that_no_lesson_names() -> None:
    assert linter.unused_figures() == []


def page_of(visitor: Visitor, lesson: LessonText, **query: str) -> str:
    """The lesson's page, or, where something was pressed, the block that comes in its place."""
    headers = HTMX if "do" in query else {}
    answer = visitor.client.get(f"/learn/{lesson.slug}", query_string=query, headers=headers)
    assert answer.status_code == 200
    assert len(answer.data) < LARGEST
    pushed = answer.headers.get("HX-Push-Url", "")
    assert pushed.startswith(f"/learn/{lesson.slug}") == ("do" in query)
    return answer.get_data(as_text=True)


@EACH
def test_every_link_opens_the_position_it_promises(lesson: LessonText, visitor: Visitor) -> None:
    positions = [read_position(target) for _, target in lesson.links if target[0] != "/"]
    pages = [visitor.client.get(position.url) for position in positions]
    assert {page.status_code for page in pages} == {200}
    shown = [page.get_data(as_text=True) for page in pages]
    texts = [str(position.state) for position in positions]
    assert [text for text, page in zip(texts, shown, strict=True) if text not in page] == []


@EACH
def test_every_other_link_leads_to_a_page(lesson: LessonText, visitor: Visitor) -> None:
    """Asked of the map alone: a machine's own page thinks when it is opened."""
    routes = visitor.app.url_map.bind("localhost")
    paths = [target.partition("?")[0] for _, target in lesson.links if target.startswith("/")]
    found = [routes.match(path) for path in paths]
    keys = [values["key"] for endpoint, values in found if endpoint == "machines.machine"]
    assert [find_agent(key).key for key in keys] == keys


@EACH
def test_a_page_bears_any_address_and_stays_small(lesson: LessonText, visitor: Visitor) -> None:
    for held in ANYTHING:
        page_of(visitor, lesson, **dict.fromkeys(lesson.names, held))


def ids_of(page: str) -> Counter[str]:
    return Counter(re.findall(r'\sid="([^"]*)"', page))


@EACH
def test_every_button_leads_somewhere_and_brings_no_id_in_twice(
    lesson: LessonText, visitor: Visitor
) -> None:
    """What htmx makes of the page: the block that was pressed goes, its answer comes."""
    page = page_of(visitor, lesson)
    presses = {unescape(found) for found in re.findall(r'name="do" value="([^"]*)"', page)}
    for press in presses - {"present:1"}:
        gone = page_of(visitor, lesson, do=f"{press.partition(':')[0]}:")
        made = ids_of(page) - ids_of(gone) + ids_of(page_of(visitor, lesson, do=press))
        assert [name for name, count in made.items() if count > 1] == [], press


@EACH
def test_a_prediction_is_set_beside_the_truth_and_a_twin_is_not_told(
    lesson: LessonText, visitor: Visitor
) -> None:
    answers = {
        (asked.name, number): page_of(visitor, lesson, do=f"{asked.name}:{number}")
        for asked in lesson.asked
        for number in range(len(asked.question.choices))
    }
    right = [name for (name, _), said in answers.items() if "That is right" in said]
    assert sorted(right) == sorted({name for name, _ in answers})  # one choice of each
    twins = {twin.name for twin in lesson.of("twin")}
    wrong = {name: said for (name, _), said in answers.items() if "That is right" not in said}
    assert all(("The answer:" in said) != (name in twins) for name, said in wrong.items())


@EACH
def test_no_page_shows_how_it_was_written(lesson: LessonText, visitor: Visitor) -> None:
    for query in ({}, {block.name: "0" for block in lesson.asked}):
        main = page_of(visitor, lesson, **query).partition("<main")[2]
        assert re.findall(r"&lt;\w+|&amp;\w+;|\{\w+[^{}]*\}", main) == []
