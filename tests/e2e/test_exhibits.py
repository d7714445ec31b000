"""Open heads: each kind opened, stepped, by mouse and keyboard, on every screen, without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

SAME = {"Sec-Fetch-Site": "same-origin"}
SIZES = [(1280, 860), (640, 430), (320, 640)]
PROJECTOR = (1280, 720)
SMALLEST = 23.9  # pixels of text on a projector
KINDS = {
    "columns": ("nim", "nim-expert", "The heaps in binary"),
    "matchbox": ("tictactoe", "menace:games=1000", "The matchbox"),
    "numbers": ("tictactoe", "qlearning", "What it has learned"),
    "samples": ("tictactoe", "mcts", "The games it played out"),
    "genes": ("nim", "es-rules", "Its genes"),
    "deepening": ("quixo", "quixo-deep:level=expert", "How deep it looked"),
    "answers": ("tictactoe", "perfect", "What is certain"),
}


def begin(visitor: Visitor, game: str, agent: str, query: str = "", **fields: str) -> Visitor:
    """A match against that agent, looked at with that query."""
    visitor.page.goto("/")
    form = {"game": game, "opponent": agent} | fields
    answer = visitor.page.request.post("/matches", form=form, headers=SAME)
    visitor.page.goto(answer.url + query)
    return visitor


def head(visitor: Visitor) -> Locator:
    return visitor.page.locator("#exhibit")


def looks_again(visitor: Visitor) -> None:
    """Without script: until what was asked for has been worked out."""
    while not head(visitor).count():
        visitor.page.get_by_role("link", name="Look again").click()


@pytest.mark.parametrize("kind", KINDS)
def test_an_open_head_fits_every_screen_and_axe_finds_nothing(visit: Visit, kind: str) -> None:
    game, agent, title = KINDS[kind]
    visitor = visit(color_scheme="light", reduced_motion="reduce")
    begin(visitor, game, agent, "?values=1")
    visitor.page.get_by_role("link", name="Open its head").click()
    expect(head(visitor).get_by_role("heading", name=title)).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    found = {"light": violations(visitor.page)}
    visitor.page.emulate_media(color_scheme="dark")
    found["dark"] = violations(visitor.page)
    found["too small to press, or beyond the screen"] = visitor.misfits(SIZES)
    visitor.page.set_viewport_size(dict(zip(("width", "height"), PROJECTOR, strict=True)))
    visitor.page.goto(f"{visitor.page.url}&present=1")
    expect(head(visitor)).to_be_visible()
    found["too small for a projector"] = [
        str(size) for size in visitor.text_sizes() if size < SMALLEST
    ]
    assert found == {where: [] for where in found}


def test_the_growth_of_an_opinion_is_stepped_through_by_keys(visit: Visit) -> None:
    visitor = begin(visit(), "tictactoe", "mcts:simulations=50", "?values=1&show=1")
    expect(head(visitor)).to_contain_text("After 50 games")
    head(visitor).get_by_role("link", name="10", exact=True).focus()
    visitor.presses("Enter")
    expect(head(visitor)).to_contain_text("After 10 games")
    visitor.page.go_back()
    expect(head(visitor)).to_contain_text("After 50 games")


def test_with_its_box_open_the_machine_moves_when_the_bead_is_drawn(visit: Visit) -> None:
    visitor = visit()
    begin(visitor, "tictactoe", "menace:games=1000", "?values=1&show=1", starts="opponent")
    visitor.sees("to move")
    visitor.button("Draw a bead").click()
    visitor.sees("Your move")
    assert visitor.match.ply == 1
    expect(head(visitor)).to_be_visible()


def test_without_javascript_a_head_is_opened_turned_and_closed_by_links(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    begin(visitor, "tictactoe", "menace:games=100", "?values=1")
    visitor.page.get_by_role("link", name="Open its head").click()
    looks_again(visitor)
    visitor.page.get_by_role("link", name="All its boxes").click()
    expect(head(visitor)).to_contain_text("627 boxes")
    head(visitor).get_by_role("link", name="27", exact=True).click()
    expect(head(visitor)).to_contain_text("Page 27 of 27")
    head(visitor).get_by_role("link", name="Its box", exact=True).click()
    head(visitor).get_by_role("link", name="1,000 games").click()
    looks_again(visitor)
    expect(head(visitor)).to_contain_text(re.compile(r"Its box for this position holds \d+ beads"))
    head(visitor).get_by_role("button", name="Play").click()
    visitor.sees("Your move")
    visitor.page.go_back()
    visitor.page.get_by_role("link", name="Close", exact=True).click()
    expect(head(visitor)).to_have_count(0)


def test_two_analysts_are_compared_and_put_away(visit: Visit) -> None:
    visitor = begin(visit(), "tictactoe", "random", "?values=1&agent=perfect")
    visitor.page.get_by_label("Compare with").select_option(label="Minimax")
    beside = visitor.page.locator("#compare")
    expect(beside.get_by_role("heading", name="Perfect and Minimax")).to_be_visible()
    expect(beside.get_by_role("table")).to_be_visible()
    assert violations(visitor.page) == []
    assert visitor.misfits(SIZES) == []
    beside.get_by_role("link", name="Close").click()
    expect(beside).to_have_count(0)


def test_the_nim_sum_is_shown_on_request_at_every_width(visit: Visit) -> None:
    visitor = begin(visit(), "nim", "random")
    expect(visitor.page.locator(".nim-sum")).to_have_count(0)
    visitor.page.get_by_role("link", name="Show the nim-sum").click()
    for width, height in [*SIZES, (900, 700), (1024, 768)]:
        visitor.page.set_viewport_size({"width": width, "height": height})
        expect(visitor.page.locator(".nim-sum output")).to_be_visible()
        expect(visitor.page.locator(".heap .bits").first).to_be_visible()
    assert visitor.misfits(SIZES) == []
