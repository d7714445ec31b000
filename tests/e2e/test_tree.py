"""A search walked through: by mouse, by keys, without JavaScript, on a projector."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import PROJECTOR, Visitor

TREE = "/tree?depth=9"
WAY = ("Show what it thinks", "Walk through its tree")


def opened(visitor: Visitor, look: str | None = None) -> Visitor:
    """A position with a tree that is small, and has cuts; the tree too, if a look is named."""
    visitor.opens("tictactoe", ["person", "alphabeta"], "a3 b3 b2 c1")
    if look is not None:
        visitor.page.goto(visitor.page.url + TREE + look)
        expect(visitor.page.get_by_role("navigation", name="step by step")).to_be_visible()
    return visitor


def test_the_panel_leads_to_the_tree_and_a_press_opens_what_is_below(visitor: Visitor) -> None:
    page = opened(visitor).follows(*WAY).page
    visitor.button(re.compile("^a2 ")).click()
    expect(page.get_by_text("With a1 o has a win for x in 3 here, or better")).to_be_visible()
    expect(page.get_by_text("not looked at", exact=True)).to_have_count(3)
    page.go_back()
    expect(page.get_by_text("not looked at", exact=True)).to_have_count(0)


def test_steps_cuts_the_slider_and_the_order_each_have_an_address(visitor: Visitor) -> None:
    page = opened(visitor, "&upto=0").follows("Step").page
    expect(page).to_have_url(re.compile("upto=1$"))
    visitor.follows("Next cut")
    expect(page.get_by_text("Cut.")).to_be_visible()
    page.get_by_role("slider").fill("30")
    expect(page).to_have_url(re.compile("upto=30$"))
    page.reload()
    expect(page.get_by_text("30 of 67", exact=True)).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_text("32 of 67", exact=True)).to_be_visible()
    visitor.button("Pause").click()
    page.get_by_label("Moves are tried").select_option("promising ones first")
    expect(page).to_have_url(re.compile("order=best"))
    expect(page.get_by_text("Alpha-beta looks at 67 positions")).to_have_count(0)


def test_the_tree_is_walked_by_keys_and_focus_stays(visitor: Visitor) -> None:
    opened(visitor).enters(WAY[0]).enters(WAY[1])
    visitor.tabs_to(visitor.button(re.compile("^a1 "))).presses("Enter")
    expect(visitor.page).to_have_url(re.compile("open=0$"))
    assert visitor.focused == "node-0"
    visitor.enters("Before the search").enters("Step")
    expect(visitor.page).to_have_url(re.compile("upto=1$"))
    assert visitor.focused == "next"


@pytest.mark.soak
def test_without_javascript_links_and_forms_do_it_all(visit: Visit) -> None:
    visitor = opened(visit(java_script_enabled=False)).follows(*WAY)
    page = visitor.page
    for link in ("Before the search", "Next cut"):
        visitor.looks_again_until(page.get_by_role("link", name=link)).follows(link)
    visitor.looks_again_until(page.get_by_text("Cut."))
    visitor.button(re.compile("^a1 ")).first.click()
    expect(page).to_have_url(re.compile("open=0$"))
    page.get_by_label("Moves are tried").select_option("promising ones last")
    visitor.button("Search again").click()
    expect(page).to_have_url(re.compile("order=worst"))


def test_on_a_projector_it_is_large_no_line_is_cut_through_and_the_order_is_changed(
    visit: Visit,
) -> None:
    visitor = opened(visit(**PROJECTOR), "&open=2.0&present=1")
    page = visitor.page
    for look in ("&open=2.0", "&upto=30", "&open=0.0", ""):
        page.goto(f"{page.url.partition('?')[0]}?depth=9{look}&present=1")
        expect(page.locator(".answers").first).to_be_visible()
        assert min(visitor.text_sizes()) >= 24
        assert visitor.sideways_scroll() == 0
        assert visitor.scrolls_at([(1280, 720)]) == []
        lower = page.locator(".branches").evaluate("card => card.getBoundingClientRect().bottom")
        lines = page.locator(".answers :is(h3, p, b, .worth, .tiny)").evaluate_all(
            "all => all.map(line => line.getBoundingClientRect().bottom)"
        )
        assert max(lines) < lower
        assert lower > 700  # the card has all of the screen
    expect(page.locator(".measured .chosen b").first).to_have_text("67")
    page.get_by_label("Moves are tried").select_option("promising ones last")
    expect(page.locator(".measured .chosen b").first).not_to_have_text("67")
    expect(page.get_by_role("slider")).to_be_visible()
    page.get_by_role("link", name="Leave the projector").click()
    expect(page).not_to_have_url(re.compile("present"))


@pytest.mark.soak
def test_a_review_stays_while_one_steps_and_tries_again(visitor: Visitor) -> None:
    page = visitor.opens("nim", ["nim-sum", "person"], "e1 e8 c2 d6 a1 d1 b2 c2 b1 c1").page
    page.get_by_role("link", name="Where did it turn?").click()
    expect(page.get_by_text("It turned at move 8")).to_be_visible()
    visitor.follows("8. c2").sees("After 8 of 10 moves")
    expect(page.get_by_text("blunder: c3 would have won")).to_be_visible()
    page.locator(".curve a").nth(4).click()
    visitor.sees("After 4 of 10 moves").button("Try again from there").click()
    visitor.sees(re.compile("Nim-sum is|Your move"))
    assert visitor.match.ply >= 7
