"""Every lesson that ships: what it has, where it leads, and that it bears whatever is asked."""

import re
from collections import Counter
from html import unescape

import pytest

from agents.roster import find_agent
from tests.webapp.learn import linter
from tests.webapp.visitor import Visitor
from webapp.learn.lesson import LessonText, lessons
from webapp.learn.positions import read_position

LARGEST = 100_000
EACH = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.slug)
# Kept of a block by an address that somebody made up.
ANYTHING = ["", "0", "1", "2", "7", "99999999999", "!", "a1", "a1.b1!", "y.n.y", "é%00", "x" * 500]


@EACH
def test_a_lesson_is_whole(lesson: LessonText) -> None:
    assert list(linter.faults(lesson)) == []


@EACH
def test_a_lesson_is_read_in_six_minutes(lesson: LessonText) -> None:
    assert lesson.words <= 900
    assert lesson.minutes <= 6


@EACH
def test_a_lesson_asks_and_links_enough_and_has_a_machine(
    lesson: LessonText,
) -> None:
    places = [target for _, target in lesson.links if not target.startswith("/")]
    counts = (len(lesson.of("predict")), len(lesson.of("twin")), len(places), len(lesson.machines))
    assert all(found >= least for found, least in zip(counts, (2, 1, 3, 1), strict=True)), counts


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
    found = [routes.match(target) for _, target in lesson.links if target.startswith("/")]
    keys = [values["key"] for endpoint, values in found if endpoint == "machines.machine"]
    assert [find_agent(key).key for key in keys] == keys


@EACH
def test_a_page_bears_any_address_and_stays_small(lesson: LessonText, visitor: Visitor) -> None:
    pages = [
        visitor.client.get(f"/learn/{lesson.slug}", query_string=dict.fromkeys(lesson.names, held))
        for held in ANYTHING
    ]
    assert {page.status_code for page in pages} == {200}
    assert max(len(page.data) for page in pages) < LARGEST


@EACH
def test_every_button_leads_somewhere(lesson: LessonText, visitor: Visitor) -> None:
    """Each press that the page offers, once: the address it leads to says what was pressed."""
    page = visitor.client.get(f"/learn/{lesson.slug}").get_data(as_text=True)
    presses = {unescape(found) for found in re.findall(r'name="do" value="([^"]*)"', page)}
    went = [
        visitor.client.get(
            f"/learn/{lesson.slug}", query_string={"do": press}, headers={"HX-Request": "true"}
        )
        for press in presses - {"present:1"}
    ]
    assert {answer.status_code for answer in went} == {200}
    assert all(answer.headers["HX-Push-Url"].startswith(f"/learn/{lesson.slug}") for answer in went)


def ids_of(page: str) -> Counter[str]:
    return Counter(re.findall(r'\sid="([^"]*)"', page))


@EACH
def test_no_press_brings_an_id_in_twice(lesson: LessonText, visitor: Visitor) -> None:
    """What htmx makes of the page: the block that was pressed goes, its answer comes."""

    def block(press: str) -> str:
        return visitor.client.get(
            f"/learn/{lesson.slug}", query_string={"do": press}, headers={"HX-Request": "true"}
        ).get_data(as_text=True)

    page = visitor.client.get(f"/learn/{lesson.slug}").get_data(as_text=True)
    presses = {unescape(found) for found in re.findall(r'name="do" value="([^"]*)"', page)}
    twice = {
        press: [name for name, count in made.items() if count > 1]
        for press in presses - {"present:1"}
        for made in [
            ids_of(page) - ids_of(block(f"{press.partition(':')[0]}:")) + ids_of(block(press))
        ]
    }
    assert {press: names for press, names in twice.items() if names} == {}


@EACH
def test_a_prediction_is_set_beside_the_truth_and_a_twin_is_not_told(
    lesson: LessonText, visitor: Visitor
) -> None:
    answers = {
        (asked.name, number): visitor.client.get(
            f"/learn/{lesson.slug}",
            query_string={"do": f"{asked.name}:{number}"},
            headers={"HX-Request": "true"},
        ).get_data(as_text=True)
        for asked in lesson.asked
        for number in range(len(asked.question.choices))
    }
    right = [name for (name, _), said in answers.items() if "That is right" in said]
    assert sorted(right) == sorted({name for name, _ in answers})  # one choice of each
    twins = {twin.name for twin in lesson.of("twin")}
    wrong = {name: said for (name, _), said in answers.items() if "That is right" not in said}
    assert all(("The answer:" in said) != (name in twins) for name, said in wrong.items())


def test_no_figure_is_kept_that_no_lesson_names() -> None:
    assert linter.unused_figures() == []


@EACH
def test_no_page_shows_how_it_was_written(lesson: LessonText, visitor: Visitor) -> None:
    answers = {block.name: "0" for block in (*lesson.of("predict"), *lesson.of("twin"))}
    for query in ({}, answers):
        page = visitor.client.get(f"/learn/{lesson.slug}", query_string=query).get_data(
            as_text=True
        )
        assert re.findall(r"&lt;\w+|&amp;\w+;|\{\w+[^{}]*\}", page.partition("<main")[2]) == []
