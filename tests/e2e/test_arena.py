"""An arena from the form to a single game, with reloads in between, on every kind of screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor


def done(page: Page, games: str) -> None:
    expect(page.get_by_text(f"{games} of {games} games")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)


def test_what_is_typed_stops_no_choice_of_a_game(page: Page) -> None:
    page.goto("/arena?game=nim")
    page.get_by_label("Games a pair").fill("5000")
    page.get_by_label("Game and variant").select_option(label="Tic-tac-toe: 3 × 3")
    expect(page.get_by_label("MENACE")).to_be_visible()
    expect(page.get_by_label("Games a pair")).to_have_value("5000")  # to be corrected
    page.get_by_role("button", name="Let them play").click()
    expect(page.get_by_label("Games a pair")).to_be_focused()
    expect(page).to_have_url(re.compile("/arena"))


@pytest.mark.slow
def test_an_arena_is_entered_watched_and_asked_where_a_game_turned(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/arena")
    page.get_by_label("Game and variant").select_option(label="Tic-tac-toe: 3 × 3")
    page.get_by_label("Opportunist").check()
    page.get_by_label("Perfect", exact=True).check()
    expect(page.get_by_text("1 pair, 20 games.")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Let them play").click()
    done(page, "20")
    assert violations(page) == []
    page.reload()
    done(page, "20")
    page.get_by_role("link", name=re.compile(r"^\d+–\d+")).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Perfect against Opportunist")
    assert violations(page) == []
    visitor.follows("Watch 1", "Next").sees(re.compile(r"After \d+ of \d+ moves"))
    expect(page).to_have_url(re.compile("ply="))
    page.reload()
    visitor.follows("After the last move")
    page.get_by_role("link", name="Where did it turn?").click()
    expect(page.get_by_text("Best moves:")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="An arena").click()
    visitor.follows("Add a machine")
    expect(page.get_by_label("Opportunist")).to_be_checked()


@pytest.mark.slow
def test_an_arena_without_javascript(visit: Visit) -> None:
    page = visit(java_script_enabled=False).page
    page.goto("/arena")
    page.get_by_label("Game and variant").select_option(label="Tic-tac-toe: 3 × 3")
    page.get_by_role("button", name="Update the form").click()
    page.get_by_label("Random", exact=True).check()
    page.get_by_label("Opportunist").check()
    page.get_by_label("Games a pair").fill("500")
    page.get_by_role("button", name="Let them play").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile(r"stopp(ed|ing)")).first).to_be_visible()
    page.get_by_role("button", name="Again with another seed").click()
    expect(page.get_by_text(re.compile("seed 2"))).to_be_visible()


def test_a_number_about_to_be_written_over_is_so_after_the_form_was_swapped(
    visitor: Visitor,
) -> None:
    visitor.page.goto("/arena")
    games = visitor.page.get_by_label("Games a pair")
    games.evaluate("field => field.form.setAttribute('data-old', '')")
    held: list[Route] = []
    visitor.page.route("**/arena?**", lambda route: held.append(route))  # noqa: PLW0108 - it marks what it is given
    with visitor.page.expect_request("**/arena?**"):
        visitor.page.get_by_label("Random", exact=True).click()
    games.select_text()
    held.pop().continue_()
    expect(visitor.page.locator("#entry[data-old]")).to_have_count(0)
    visitor.presses("4")
    expect(games).to_have_value("4")
