"""A search walked through: by mouse, by keys, without JavaScript, on a projector."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

MOVES = "a3 b3 b2 c1"
TREE = "/tree?depth=9"


def opened(visitor: Visitor, look: str = TREE) -> Visitor:
    """A position with a tree that is small, and has cuts."""
    visitor.opens("tictactoe", ["person", "alphabeta"], MOVES)
    visitor.page.goto(visitor.page.url + look)
    expect(visitor.page.get_by_role("navigation", name="step by step")).to_be_visible()
    return visitor


def test_the_panel_leads_to_the_tree_and_a_press_opens_what_is_below(visitor: Visitor) -> None:
    page = visitor.opens("tictactoe", ["person", "alphabeta"], MOVES).page
    page.get_by_role("link", name="Show what it thinks").click()
    page.get_by_role("link", name="Walk through its tree").click()
    visitor.button(re.compile("^a2 ")).click()
    expect(page.get_by_text("With a1 o has a win for x in 3 here, or better")).to_be_visible()
    expect(page.get_by_text("not looked at", exact=True)).to_have_count(3)
    page.go_back()
    expect(page.get_by_text("not looked at", exact=True)).to_have_count(0)


def test_steps_cuts_and_the_slider_each_have_an_address(visitor: Visitor) -> None:
    page = opened(visitor, f"{TREE}&upto=0").page
    page.get_by_role("link", name="Step", exact=True).click()
    expect(page).to_have_url(re.compile("upto=1$"))
    page.get_by_role("link", name="Next cut").click()
    expect(page.get_by_text("Cut.")).to_be_visible()
    page.get_by_role("slider").fill("30")
    expect(page).to_have_url(re.compile("upto=30$"))
    page.reload()
    expect(page.get_by_text("30 of 67", exact=True)).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_text("32 of 67", exact=True)).to_be_visible()
    page.get_by_role("button", name="Pause").click()


def test_another_order_shows_another_count(visitor: Visitor) -> None:
    page = opened(visitor).page
    page.get_by_label("Moves are tried").select_option("promising ones first")
    expect(page).to_have_url(re.compile("order=best"))
    expect(page.get_by_text("Alpha-beta looks at 67 positions")).to_have_count(0)
    expect(page.get_by_text("Minimax looks at 237")).to_be_visible()


def test_the_tree_is_walked_by_keys_and_focus_stays(visitor: Visitor) -> None:
    visitor.opens("tictactoe", ["person", "alphabeta"], MOVES)
    visitor.enters("Show what it thinks").enters("Walk through its tree")
    visitor.tabs_to(visitor.button(re.compile("^a1 "))).presses("Enter")
    expect(visitor.page).to_have_url(re.compile("open=0$"))
    assert visitor.focused == "node-0"
    visitor.enters("Before the search").enters("Step")
    expect(visitor.page).to_have_url(re.compile("upto=1$"))
    assert visitor.focused == "next"


@pytest.mark.soak
def test_without_javascript_links_and_forms_do_it_all(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.opens("tictactoe", ["person", "alphabeta"], MOVES).page
    page.get_by_role("link", name="Show what it thinks").click()
    page.get_by_role("link", name="Walk through its tree").click()
    before = page.get_by_role("link", name="Before the search")
    visitor.looks_again_until(before)
    before.click()
    cut = page.get_by_role("link", name="Next cut")
    visitor.looks_again_until(cut)
    cut.click()
    visitor.looks_again_until(page.get_by_text("Cut."))
    page.get_by_role("button", name=re.compile("^a1 ")).first.click()
    expect(page).to_have_url(re.compile("open=0$"))
    page.get_by_label("Moves are tried").select_option("promising ones last")
    page.get_by_role("button", name="Search again").click()
    expect(page).to_have_url(re.compile("order=worst"))


def test_on_a_projector_it_is_large_and_fits_across(visit: Visit) -> None:
    visitor = opened(visit(viewport={"width": 1280, "height": 720}), f"{TREE}&open=2.0&present=1")
    assert min(visitor.text_sizes()) >= 24
    assert visitor.sideways_scroll() == 0
    assert visitor.scrolls_at([(1280, 720)]) == []


@pytest.mark.parametrize("look", ["&open=2.0", "&upto=30", "&open=0.0", ""])
def test_on_a_projector_no_line_of_the_rows_is_cut_through(visit: Visit, look: str) -> None:
    visitor = opened(visit(viewport={"width": 1280, "height": 720}), f"{TREE}{look}&present=1")
    lower = visitor.page.locator(".branches").evaluate(
        "card => card.getBoundingClientRect().bottom"
    )
    lines = visitor.page.locator(".answers :is(h3, p, b, .worth, .tiny)").evaluate_all(
        "all => all.map(line => line.getBoundingClientRect().bottom)"
    )
    assert max(lines) < lower
    assert lower > 700  # the card has all of the screen
    visitor.page.get_by_role("link", name="Leave the projector").click()
    expect(visitor.page).not_to_have_url(re.compile("present"))


def test_on_a_projector_the_order_is_changed_and_the_counts_are_seen(visit: Visit) -> None:
    visitor = opened(visit(viewport={"width": 1280, "height": 720}), f"{TREE}&present=1")
    page = visitor.page
    expect(page.locator(".measured .chosen b")).to_have_text("67")
    page.get_by_label("Moves are tried").select_option("promising ones last")
    expect(page.locator(".measured .chosen b")).not_to_have_text("67")
    expect(page.get_by_role("slider")).to_be_visible()


@pytest.mark.soak
def test_a_review_stays_while_one_steps_and_tries_again(visitor: Visitor) -> None:
    page = visitor.opens("nim", ["person", "nim-sum"], "e1 e8 c2 d6 a1 d1 b2 c2 b1 c1").page
    page.get_by_role("link", name="Where did it turn?").click()
    expect(page.get_by_text("It turned at move 8")).to_be_visible()
    page.get_by_role("link", name="8. c2").click()
    visitor.sees("After 8 of 10 moves")
    expect(page.get_by_text("blunder: c3 would have won")).to_be_visible()
    page.locator(".curve a").nth(4).click()
    visitor.sees("After 4 of 10 moves")
    page.get_by_role("button", name="Try again from there").click()
    visitor.sees(re.compile("Nim-sum is|Your move"))
    assert visitor.match.ply >= 7
