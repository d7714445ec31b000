"""Open heads: each kind opened, stepped, by mouse and keyboard, on every screen, without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.axe import faults, violations
from tests.e2e.conftest import Visit
from tests.e2e.scenes import KINDS, MENACE, Kind
from tests.e2e.visitor import PROJECTOR, Visitor
from tests.soak import sampled

SIZES = [(1280, 860), (640, 430), (320, 640)]
SMALLEST = 23.9  # pixels of text on a projector


def head(visitor: Visitor) -> Locator:
    return visitor.page.locator("#exhibit")


@pytest.mark.parametrize("kind", sampled(KINDS, "columns", "matchbox"))
def test_a_head_is_opened_by_keys_fits_every_screen_and_axe_finds_nothing(
    visit: Visit, kind: Kind
) -> None:
    visitor = visit(color_scheme="light", reduced_motion="reduce")
    kind.meet(visitor, "?values=1").enters(kind.opener)
    expect(head(visitor).get_by_role("heading", name=kind.title)).to_be_visible()
    control, shown = head(visitor).locator(kind.control), visitor.page.locator(kind.shows)
    expect(shown).to_have_count(0)
    visitor.tabs_to(control).presses("Enter")
    expect(shown).to_be_visible()
    expect(visitor.page.locator(kind.focus) if kind.focus else control).to_be_focused()
    visitor.looks_at("?values=1").follows(kind.opener)
    expect(head(visitor)).to_be_visible()
    visitor.page.goto(f"{visitor.page.url}{kind.part}")
    expect(head(visitor)).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    assert faults(visitor, SIZES) == []
    visitor.page.set_viewport_size(PROJECTOR["viewport"])
    visitor.page.goto(f"{visitor.page.url}&present=1")
    expect(head(visitor)).to_be_visible()
    assert min(visitor.text_sizes()) >= SMALLEST


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_without_javascript_every_head_is_opened_and_stepped(visit: Visit, kind: Kind) -> None:
    visitor = kind.meet(visit(java_script_enabled=False), "?values=1")
    visitor.page.get_by_role("link", name=kind.opener).click()
    visitor.looks_again_until(head(visitor))
    expect(head(visitor).get_by_role("heading", name=kind.title)).to_be_visible()
    shown = visitor.page.locator(kind.shows)
    expect(shown).to_have_count(0)
    head(visitor).locator(kind.control).click()
    visitor.looks_again_until(shown)
    expect(shown).to_be_visible()


@pytest.mark.soak
def test_with_its_box_open_the_machine_moves_when_the_bead_is_drawn(visit: Visit) -> None:
    visitor = visit().begins(
        "Tic-tac-toe", against=MENACE, look="?values=1&show=1", starts="Opponent"
    )
    visitor.sees("to move").button("Draw a bead").click()
    visitor.sees("Your move")
    assert visitor.match.ply == 1
    expect(head(visitor)).to_be_visible()


def test_two_analysts_are_compared_and_put_away(visit: Visit) -> None:
    visitor = visit().begins("tictactoe", against="random", look="?values=1&agent=perfect")
    visitor.page.get_by_label("Compare with").select_option(label="Minimax")
    beside = visitor.page.locator("#compare")
    expect(beside.get_by_role("heading", name="Perfect and Minimax")).to_be_visible()
    expect(beside.get_by_role("table")).to_be_visible()
    assert violations(visitor.page) == []
    assert visitor.misfits(SIZES) == []
    beside.get_by_role("link", name="Close").click()
    expect(beside).to_have_count(0)


@pytest.mark.soak
def test_on_a_phone_a_gene_is_changed_without_scrolling_sideways(visit: Visit) -> None:
    phone = visit(viewport={"width": 320, "height": 640})
    phone.begins("nim", against="es-rules", look="?values=1&show=1&agent=es-rules")
    buttons = phone.page.get_by_role("link", name=re.compile("^(less|more) "))
    expect(buttons.first).to_be_visible()
    assert buttons.evaluate_all("all => all.every(one => one.getBoundingClientRect().right < 310)")


def test_the_nim_sum_is_shown_on_request_at_every_width_and_on_a_projector(visit: Visit) -> None:
    visitor = visit().begins("nim", against="random")
    sum_of_heaps = visitor.page.locator(".nim-sum output")
    expect(sum_of_heaps).to_have_count(0)
    visitor.follows("Show the nim-sum")
    for width, height in [*SIZES, (900, 700), (1024, 768)]:
        visitor.page.set_viewport_size({"width": width, "height": height})
        expect(sum_of_heaps).to_be_visible()
        expect(visitor.page.locator(".heap .bits").first).to_be_visible()
    assert visitor.misfits(SIZES) == []
    visitor.looks_at("?present=1&aid=1")
    expect(sum_of_heaps).to_be_visible()
    assert visitor.scrolls_at([(1280, 720), (1920, 1080)]) == []


def test_the_line_it_expects_is_laid_over_the_board_and_stands_on_it_when_pressed(
    visit: Visit,
) -> None:
    visitor = visit().begins("tictactoe", against="perfect", look="?values=1")
    steps, over = visitor.page.locator(".expects a"), visitor.page.locator(".foreseen > div")
    expect(over.nth(1)).to_be_hidden()
    steps.nth(2).hover()
    expect(over.nth(1)).to_be_visible()
    visitor.tabs_to(steps.nth(3))
    expect(over.nth(2)).to_be_visible()
    visitor.presses("Enter")
    visitor.sees("What it expects: after 3 of")
    assert visitor.focused == "expects-3"
    expect(visitor.grid.get_by_role("button", name="empty")).to_have_count(6)
    assert violations(visitor.page) == []
    visitor.page.go_back()
    visitor.sees("Your move")


@pytest.mark.soak
def test_the_tree_that_grew_is_opened_by_keys(visit: Visit) -> None:
    visitor = visit().begins("tictactoe", against="mcts:simulations=100", look="?values=1&show=1")
    rows = head(visitor).locator(".answers")
    visitor.enters("The tree that grew")
    expect(rows).to_have_count(1)
    visitor.tabs_to(visitor.page.locator("#grown-0")).presses("Enter")
    expect(rows).to_have_count(2)
    assert visitor.focused == "grown-0"
    assert violations(visitor.page) == []
    assert visitor.misfits(SIZES) == []
