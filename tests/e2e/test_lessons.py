"""Every lesson as a student goes through it: wrong, why, right, away and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import faults
from tests.e2e.conftest import Visit
from tests.e2e.visitor import FRIEND, PHONE, PROJECTOR, Visitor
from tests.soak import sampled
from webapp.learn.lesson import LessonQuestion, LessonText, LessonWidget, find_lesson, lessons
from webapp.learn.markup import figure_value
from webapp.learn.page import LessonPage
from webapp.learn.query import LessonQuery

LESSONS = {lesson.slug: lesson for lesson in lessons()}
NARROW = {"width": 320, "height": 640}
LEADS_AWAY = {"ladder"}  # its buttons begin a match
LIGHT = "rgb(246, 241, 231)"  # the colour of paper by day
# How far heaps reach beyond what is seen of them.
HIDDEN = "[...document.querySelectorAll('.wide')].map((one) => one.scrollWidth - one.clientWidth)"
# The smallest text that is seen; marks within a drawing are as large as the drawing.
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".lesson *")]
  .filter((one) => !one.closest("svg, .unseen, .meaning") && one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


def card(page: Page, asked: LessonQuestion) -> Locator:
    return page.locator(f"#{asked.name}")


def lesson_of(page: Page) -> Locator:
    """What can be read, without what is said aloud."""
    return page.locator("article.lesson")


def choice(page: Page, asked: LessonQuestion, right: bool) -> Locator:
    """The button of an answer that is right, or of one that is not."""
    at = (
        figure_value(asked.right)
        if right
        else (figure_value(asked.right) + 1) % len(asked.question.choices)
    )
    return card(page, asked).get_by_role("group", name="Answers").get_by_role("button").nth(at)


def enters(visitor: Visitor, button: Locator) -> None:
    """Press a button by the keyboard, and wait for what comes of it."""
    button.press("Enter")
    visitor.is_answered()


def focused_block(page: Page) -> str:
    """The name of the block in which the keyboard is."""
    return str(page.evaluate("document.activeElement.closest('.lesson .card')?.id ?? 'nowhere'"))


def answers_wrong(visitor: Visitor, guess: LessonQuestion) -> None:
    """A prediction, by the keyboard: the truth and why are told where the reader is."""
    enters(visitor, choice(visitor.page, guess, right=False))
    expect(card(visitor.page, guess)).to_contain_text("The answer:")
    expect(card(visitor.page, guess).locator(".why")).to_be_visible()
    assert focused_block(visitor.page) == guess.name


def finds_out(visitor: Visitor, twin: LessonQuestion) -> None:
    """A twin: wrong, and given a hint, then right, and told why."""
    enters(visitor, choice(visitor.page, twin, right=False))
    expect(card(visitor.page, twin)).to_contain_text("Not this one.")
    enters(visitor, choice(visitor.page, twin, right=True))
    expect(card(visitor.page, twin)).to_contain_text("That is right.")
    expect(card(visitor.page, twin).locator(".why")).to_be_visible()
    assert focused_block(visitor.page) == twin.name


def tries(visitor: Visitor, placed: LessonWidget) -> None:
    """A widget, by the first of its buttons that would change it; the address then holds it."""
    button = visitor.page.locator(f"#{placed.name} button[form=held]:not([aria-pressed])").first
    enters(visitor, button)
    expect(visitor.page).to_have_url(re.compile(rf"[?&]{placed.name}=[^&]"))
    assert focused_block(visitor.page) == placed.name


@pytest.mark.parametrize("lesson", sampled(LESSONS, "nim"))
def test_a_lesson_is_gone_through(lesson: LessonText, visit: Visit) -> None:
    # What changes its colour slowly is caught half-way between two lamps.
    visitor = visit(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    page = visitor.page
    page.goto(f"/learn/{lesson.slug}")
    for guess in lesson.of("predict"):
        answers_wrong(visitor, guess)
    for placed in lesson.widgets:
        if placed.kind not in LEADS_AWAY:
            tries(visitor, placed)
    for twin in lesson.of("twin"):
        finds_out(visitor, twin)
    asked, right = len(lesson.asked), len(lesson.of("twin"))
    expect(page.get_by_text(f"{asked} answered, {right} of them right")).to_be_visible()
    assert faults(visitor) == []
    there = page.url
    page.locator(".prose a[href^='/positions']").first.click()
    expect(page).to_have_url(re.compile("/positions"))
    page.go_back()
    expect(page).to_have_url(there)
    expect(lesson_of(page).get_by_text("You said:")).to_have_count(asked)
    assert visitor.misfits([(320, 640)]) == []
    page.set_viewport_size(PROJECTOR["viewport"])
    page.goto(f"/learn/{lesson.slug}?present=1")
    assert page.evaluate(SMALLEST) >= 24


def test_the_keyboard_stays_in_the_block_and_all_is_said_aloud_and_kept_on_the_projector(
    visitor: Visitor,
) -> None:
    page, live = visitor.page, visitor.page.locator("#live")
    mirror, even = page.locator("#mirror"), "Every column is even: nim-sum 0."
    page.goto("/learn/nim")
    enters(visitor, mirror.get_by_role("button", name="First"))
    assert focused_block(page) == "mirror"
    expect(live).to_have_text("✗ You said: First. The answer: Second.")
    enters(visitor, mirror.get_by_role("button", name="Ask me again"))
    expect(mirror.get_by_role("button", name="First")).to_be_focused()
    enters(visitor, visitor.button("take 2 from row a"))
    assert focused_block(page) == "columns"
    expect(live).to_contain_text("o to move. Every column is even")
    expect(lesson_of(page).get_by_text(even)).to_be_visible()
    visitor.button("Show me one").click()
    expect(lesson_of(page).get_by_text("No move leaves a lost position.")).to_be_visible()
    mirror.get_by_role("button", name="Second").click()
    expect(lesson_of(page).get_by_text("That is right.")).to_be_visible()
    visitor.button("For teachers").click()
    visitor.button("Projector").click()
    expect(page).to_have_url(re.compile("mirror=1&columns=a2!&present=1"))
    slides = LessonPage(find_lesson("nim"), LessonQuery(present=True)).slides
    at = next(at for at, slide in enumerate(slides) if "columns" in [one.name for one in slide])
    page.goto(f"{page.url}&slide={at}")
    expect(lesson_of(page).get_by_text(even)).to_be_visible()
    visitor.button("Leave the projector").click()
    expect(page).to_have_url(re.compile("columns=a2!$"))
    page.go_back()
    expect(page).to_have_url(re.compile("present=1"))
    enters(visitor, visitor.button("take 4 from row b"))
    assert focused_block(page) == "columns"


@pytest.mark.parametrize("address", ["/learn/nim?columns=!", "/learn/misere?switch=!"])
def test_on_a_phone_all_heaps_and_all_their_columns_are_seen(address: str, visit: Visit) -> None:
    visitor = visit(viewport=NARROW)
    visitor.page.goto(address)
    assert visitor.page.evaluate(HIDDEN) == [0]
    assert visitor.misfits([(320, 640)]) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["", "without scripts"])
def test_a_teachers_tools_are_shown_on_request_and_put_away_again(
    visit: Visit, scripts: bool
) -> None:
    visitor = visit(java_script_enabled=scripts)
    page = visitor.page
    page.goto("/learn/nim?mirror=1")
    tools = [page.locator("#projector"), page.get_by_role("link", name="Ask the class").first]
    for tool in tools:
        expect(tool).to_be_hidden()
    visitor.button("For teachers").press("Enter")
    for tool in tools:
        expect(tool).to_be_visible()
    expect(page).to_have_url(re.compile(r"/learn/nim\?mirror=1$"))
    page.goto("/learn/misere")
    expect(tools[0]).to_be_visible()
    visitor.button("Hide the teacher").click()
    for tool in tools:
        expect(tool).to_be_hidden()


def test_a_phone_shows_the_list_of_keys_only_with_a_teachers_tools(visit: Visit) -> None:
    phone, laptop = visit(**PHONE), visit()
    for visitor, seen in ((phone, False), (laptop, True)):
        visitor.begins("Tic-tac-toe", against=FRIEND)
        expect(visitor.link("Keys")).to_be_visible(visible=seen)
    phone.button("For teachers").click()
    expect(phone.link("Keys")).to_be_visible()


def test_on_paper_a_lesson_is_light_and_tells_its_answers_at_the_end(visit: Visit) -> None:
    visitor = visit(color_scheme="dark")
    page = visitor.page
    page.goto("/learn/nim")
    page.get_by_role("button", name="System").click()
    page.get_by_role("button", name="Light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    answers = page.get_by_role("heading", name="The answers")
    expect(answers).to_be_hidden()
    page.emulate_media(media="print")
    assert visitor.paper() == LIGHT
    expect(answers).to_be_visible()
    expect(page.locator(".on-paper li")).to_have_count(3)
    expect(page.locator(".on-paper")).to_contain_text("Two heaps of five. First or second? Second.")
    expect(page.locator(".on-paper")).to_contain_text("take as many from the other")
    expect(page.get_by_role("button", name="Play")).to_have_count(0)


def test_what_was_said_is_remembered_until_it_is_forgotten(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/learn/misere")
    page.get_by_role("button", name="About half").click()
    expect(lesson_of(page).get_by_text("The answer: Not one.")).to_be_visible()
    page.goto("/learn/nim?beat-2=won")
    expect(page.locator("#beat-2").get_by_text("You beat Nim expert.")).to_be_visible()
    page.goto("/learn")
    expect(page.get_by_text("1 answered, 0 of them right; 1 machine beaten")).to_be_visible()
    expect(page.get_by_role("link", name="Go on with lesson 1")).to_be_visible()
    page.goto("/learn/misere")
    expect(page.get_by_text("Last time you said: About half.")).to_be_visible()
    page.get_by_role("button", name="Reset my answers").click()
    expect(page.get_by_text("Last time you said")).to_have_count(0)
    page.goto("/learn")
    expect(page.get_by_role("button", name="Reset my answers")).to_be_hidden()


def test_without_javascript_a_lesson_does_the_same(visit: Visit) -> None:
    page = visit(java_script_enabled=False, viewport=NARROW).page
    page.goto("/learn/nim")
    page.locator("#mirror").get_by_role("button", name="First").click()
    expect(page).to_have_url(re.compile(r"\?mirror=0#mirror$"))
    expect(lesson_of(page).get_by_text("The answer: Second.")).to_be_visible()
    page.get_by_role("button", name="take 2 from row a").click()
    expect(page).to_have_url(re.compile(r"mirror=0&columns=a2#columns$"))
    expect(lesson_of(page).get_by_text("Every column is even: nim-sum 0.")).to_be_visible()
    expect(lesson_of(page).get_by_text("The answer: Second.")).to_be_visible()


@pytest.mark.parametrize(
    ("lesson", "within", "name", "shown"),
    [
        ("misere", "[aria-label='A machine to beat']", "Play", "the last match loses"),
        ("quixo", "#levels", "Play level 2, Newcomer", "Newcomer"),
    ],
)
def test_a_machine_of_a_lesson_and_a_rung_of_its_ladder_are_played(
    visitor: Visitor, lesson: str, within: str, name: str, shown: str
) -> None:
    visitor.page.goto(f"/learn/{lesson}")
    visitor.page.locator(within).get_by_role("button", name=name).press("Enter")
    expect(visitor.page).to_have_url(re.compile("/matches/"))
    expect(visitor.page.get_by_text(shown).first).to_be_visible()
