"""At home on the first visit: the rules are told, refusals explained, keys listed, words too."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from agents.contest.ladder import difficulties
from tests.e2e.axe import faults
from tests.e2e.conftest import Visit
from tests.e2e.visitor import FRIEND, SIZES, Visitor
from webapp.web.shortcuts import KEYS

GENTLEST = "First steps"
NEWCOMER = "minimax:depth=1"  # a line where there is one to make or to stop, and no further
LISTED = [key.name for _, keys in KEYS for key in keys]


@pytest.mark.soak
def test_someone_who_never_saw_quixo_reads_the_sheet_learns_why_and_wins(visit: Visit) -> None:
    visitor = visit(viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    page = visitor.page
    opponent = visitor.free_card("Quixo").get_by_label("Opponent", exact=True)
    gentlest = opponent.locator("option", has_text=GENTLEST).inner_text()
    visitor.begins_by_the_lobby("Quixo", against=gentlest).follows("See how it is played")
    sheet = page.get_by_role("dialog", name="Quixo, 5 × 5")
    expect(sheet.get_by_role("listitem")).to_have_count(4)
    expect(sheet).to_contain_text("Be the first with five of your marks in a line.")
    assert faults(visitor, SIZES) == []
    visitor.presses("Escape")
    expect(sheet).to_have_count(0)
    visitor.cell("c3").click(force=True)
    visitor.sees("c3 is not on the rim: only rim cubes that are blank or yours.")
    expect(page.get_by_role("status")).to_contain_text("c3 is not on the rim")
    assert faults(visitor, SIZES) == []
    visitor.cell("a1").click()
    visitor.sees("Push a1 back in").presses("Escape")
    visitor.plays_until_won(by=NEWCOMER).sees("You win")
    expect(page.locator(".offer")).to_have_count(0)


@pytest.mark.soak
def test_without_javascript_sheets_are_pages_and_a_press_is_explained(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.goes_to("/").card("Quixo").get_by_role("link", name="How to play").click()
    expect(visitor.page.get_by_role("heading", name="Quixo, 5 × 5")).to_be_visible()
    card = visitor.goes_to("/").card("Tic-tac-toe")
    card.get_by_role("button", name="Play", exact=True).click()
    visitor.follows("See how it is played", "Back to the board", "Keys")
    expect(visitor.page.get_by_text("They need JavaScript")).to_be_visible()
    visitor.follows("Back to the board").cell("b2").click()
    visitor.let_it_move().cell("b2").click(force=True)
    visitor.sees("b2 is taken.")


def leads_to(pattern: str) -> Callable[[Visitor], None]:
    return lambda visitor: visitor.page.wait_for_url(re.compile(pattern))


def shows(selector: str) -> Callable[[Visitor], None]:
    return lambda visitor: expect(visitor.page.locator(selector)).to_be_visible()


# What each key that is listed does, pressed one after the other in this match.
EFFECTS: dict[str, Callable[[Visitor], None]] = {
    "ArrowLeft": leads_to(r"ply=2"),
    "ArrowRight": leads_to(r"/matches/[^?]*$"),
    "Home": leads_to(r"ply=0"),
    "End": leads_to(r"/matches/[^?]*$"),
    "h": shows("#status.advice"),
    "u": shows('#match[data-ply="2"]'),
    "v": shows(".candidates"),
    "t": leads_to(r"/tree\?"),
    "p": leads_to(r"present=1"),
    "?": shows("dialog[open]"),
}


def test_every_key_does_what_the_sheet_says(visitor: Visitor) -> None:
    assert sorted(EFFECTS) == sorted(LISTED)
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2", "a1", "c3")
    visitor.status.focus()
    for name in LISTED:
        visitor.presses(name)
        EFFECTS[name](visitor)
        if name == "t":
            leads_to(r"/matches/[^/]*$")(visitor.presses("t"))
    listed = visitor.page.locator("dialog kbd[data-name]").all()
    assert [kbd.get_attribute("data-name") for kbd in listed] == LISTED
    visitor.presses("?")
    expect(visitor.page.locator("dialog[open]")).to_have_count(0)
    visitor.presses("P")
    visitor.page.wait_for_url(lambda url: "present" not in url)


def test_a_key_pressed_before_the_page_listens_is_pressed_when_it_does(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2")
    with visitor.without("match.js"):
        visitor.page.reload(wait_until="commit")
        expect(visitor.grid).to_be_visible()
        visitor.page.keyboard.press("p")
    visitor.page.wait_for_url(re.compile(r"present=1"))


def test_what_a_swap_brings_listens_from_the_start(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2", "a1")
    visitor.page.evaluate(SHOW_AT_THE_NEXT_SWAP)
    visitor.presses("u")
    shows(".candidates")(visitor)
    assert visitor.page.evaluate("window.stayed"), "another page was loaded"


SHOW_AT_THE_NEXT_SWAP = """() => {
  window.stayed = true;
  new MutationObserver((changes, observer) => {
    observer.disconnect();
    document.getElementById("values").click();
  }).observe(document.getElementById("main"), {childList: true});
}"""


def test_no_key_is_in_the_way_of_a_field_or_of_another_program(visitor: Visitor) -> None:
    visitor.begins("Nim", against=FRIEND).plays("a1", "b1")
    here = visitor.page.url
    visitor.page.locator("#take-count").focus()
    visitor.presses("ArrowLeft", "Home", "p", "u", "v", "t", "?")
    visitor.page.locator("#take-row").focus()
    visitor.presses("End", "h", "p")
    visitor.status.focus()
    visitor.presses("Alt+p", "Control+u")
    assert visitor.page.url == here
    assert visitor.match.ply == 2
    expect(visitor.page.locator("dialog[open], #status.advice, .candidates")).to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_projector_has_a_button_and_a_slim_bar(visit: Visit, size: tuple[int, int]) -> None:
    # A button takes a moment to change its colour: axe would look in between.
    visitor = visit(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page = visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2", "a1").page
    visitor.button("For teachers").click()
    visitor.link("Projector").first.click()
    bar = page.get_by_role("navigation", name="Projector")
    expect(bar).to_be_visible()
    assert min(visitor.text_sizes()) >= 24
    bar.get_by_role("link", name="Previous").click()
    expect(bar).to_contain_text("1 of 2")
    bar.get_by_role("link", name="After the last move").click()
    bar.get_by_role("button", name="Take back").click()
    expect(bar).to_contain_text("1 of 1")
    bar.get_by_label("Whose thoughts").select_option(label="Perfect")
    expect(page.locator(".candidates")).to_be_visible()
    page.wait_for_url(re.compile("agent=perfect"))
    bar.get_by_role("link", name="Hint").click()
    expect(page.locator("#status.advice")).to_be_visible()
    bar.get_by_role("link", name="Values").click()
    expect(page.locator(".candidates")).to_have_count(0)
    assert faults(visitor) == []
    assert visitor.scrolls_at([size]) == []
    visitor.plays("c1", "a2", "a3", "c3", "b1").sees(re.compile("."))
    bar.get_by_role("link", name="Leave (P)").click()
    page.wait_for_url(lambda url: "present" not in url)


@pytest.mark.soak
def test_a_word_is_explained_where_it_stands(visit: Visit) -> None:
    visitor = visit(reduced_motion="reduce")
    page = visitor.opens("tictactoe", ["person", "alphabeta"], "a3 b3").looks_at("?values=1").page
    word = page.locator("#analysis .word").first
    word.hover()
    expect(word.get_by_role("tooltip")).to_be_visible()
    page.mouse.move(0, 0)
    expect(word.get_by_role("tooltip")).to_have_count(0)
    word.focus()
    expect(word.get_by_role("tooltip")).to_be_visible()
    assert faults(visitor, SIZES) == []
    visitor.presses("Escape")
    expect(word.get_by_role("tooltip")).to_have_count(0)


PHONE_AND_LAPTOP = [(360, 740), (1280, 800)]


@pytest.mark.parametrize(("width", "height"), PHONE_AND_LAPTOP)
def test_every_word_of_the_menu_and_a_play_button_are_in_sight(
    visit: Visit, width: int, height: int
) -> None:
    visitor = visit(viewport={"width": width, "height": height}).goes_to("/")
    for word in visitor.page.locator(".masthead nav a").all():
        expect(word).to_be_in_viewport(ratio=1)
    for card in visitor.page.get_by_role("article").all():
        if width < height:  # there each card is scrolled to
            card.evaluate("one => one.scrollIntoView({ block: 'start', behavior: 'instant' })")
        expect(card.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)


def test_a_difficulty_says_who_that_is_and_is_played_against(visitor: Visitor) -> None:
    easy, _, hard, _ = difficulties("tictactoe")
    card = visitor.goes_to("/").card("Tic-tac-toe")
    card.get_by_text("Hard", exact=True).click()
    expect(card.get_by_text(hard.about)).to_be_visible()
    expect(card.get_by_text(easy.about)).to_be_hidden()
    card.get_by_role("button", name="Play").click()
    visitor.sees("Your move")
    assert hard.rung.entry.title in visitor.page.title()
