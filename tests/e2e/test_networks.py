"""A network trained in the lab, looked into, caught at a wrong move, and punished for it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import faults
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

NARROW, PROJECTOR = (320, 640), (1280, 720)
GAMES = 200
AFTER_SEARCH = "After trying 32 lines"
UNTRAINED_S = 600_000  # kernels may have to be compiled first


@pytest.mark.soak
def test_a_network_is_trained_opened_and_beaten_where_it_is_wrong(visit: Visit) -> None:
    visitor = visit(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    page = visitor.page
    trains_one(page)
    assert faults(visitor, [NARROW, PROJECTOR]) == []
    page.get_by_role("button", name="Play against it").click()
    visitor.sees("Your move").looks_at("?values=1&show=1")
    steps_the_simulations(page)
    assert faults(visitor, [NARROW, PROJECTOR]) == []
    opens_a_wrong_position(page)
    assert faults(visitor, [NARROW]) == []
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile("/matches/"))
    visitor.sees("Your move")  # the network has moved first
    assert visitor.match.ply == 1


def trains_one(page: Page) -> None:
    """By the preset, so far that it has a curve."""
    page.emulate_media(reduced_motion="reduce")  # or its curve would be played back by itself
    page.goto("/train")
    page.get_by_role("link", name="Ten seconds to unbeatable").click()
    page.get_by_label(re.compile("How long")).fill(str(GAMES))
    page.get_by_role("button", name="Begin to train").click()
    expect(page.get_by_text(f"{GAMES} of {GAMES} games")).to_be_visible(timeout=UNTRAINED_S)
    expect(page.get_by_role("group", name=re.compile("^As it learned"))).to_be_visible()
    expect(page.locator("#verdict")).to_contain_text(
        re.compile("Unbeatable|The right moves beat it"), timeout=UNTRAINED_S
    )


def steps_the_simulations(page: Page) -> None:
    """From the policy alone to what a search makes of it, and the address keeps it."""
    boards = page.get_by_role("img", name=re.compile("^(At first sight|After)"))
    expect(boards).to_have_count(1, timeout=UNTRAINED_S)
    simulations = page.get_by_role("navigation", name="Lines it would try")
    simulations.get_by_role("link", name="32").click()
    expect(page.get_by_role("img", name=re.compile(f"^{AFTER_SEARCH}"))).to_be_visible()
    expect(page).to_have_url(re.compile("step=32"))
    page.reload()
    expect(boards).to_have_count(2)


def opens_a_wrong_position(page: Page) -> None:
    """All of them are there; the first opens with the network's thought beside it."""
    page.get_by_role("link", name=re.compile(r"^(All|The) [\d,]+")).click()
    wrong = page.locator(".wrongs a")
    expect(wrong.nth(5)).to_be_visible()
    plays = re.search(r"plays (\w+)", wrong.first.inner_text())
    assert plays is not None
    wrong.first.click()
    expect(page).to_have_url(re.compile("/positions"))
    heat = page.get_by_role("img", name=re.compile(f"^At first sight: {plays[1]} "))
    expect(heat).to_be_visible(timeout=UNTRAINED_S)


@pytest.mark.soak
def test_without_scripts_its_simulations_and_wrong_positions_are_links(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    page.goto("/machines/network?game=tictactoe")
    looked = page.get_by_role("navigation", name="Lines it would try")
    visitor.looks_again_until(looked)
    looked.get_by_role("link", name="32").click()
    expect(page.get_by_role("img", name=re.compile(f"^{AFTER_SEARCH}"))).to_be_visible()
    page.get_by_role("link", name=re.compile(r"^All \d+")).click()
    page.locator(".wrongs a").first.click()
    visitor.looks_again_until(page.get_by_role("img", name=re.compile("^At first sight")))
    assert plays_by_page(visitor)


def plays_by_page(visitor: Visitor) -> bool:
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    return "/matches/" in visitor.page.url
