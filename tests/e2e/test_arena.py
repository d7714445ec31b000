"""An arena from the form to a single game, with reloads in between, on every kind of screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


def enter(page: Page, title: str, games: str) -> str:
    """Enter an arena of three; the address of its page."""
    page.goto("/arena?game=tictactoe&machine=random&machine=opportunist&machine=perfect")
    page.get_by_label("Name of the arena").fill(title)
    page.get_by_label("Games a pair").fill(games)
    page.get_by_role("button", name="Let them play").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    return page.url


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
    page.get_by_role("link", name="Watch 1", exact=True).click()
    page.get_by_role("link", name="Previous").click()
    visitor.sees(re.compile(r"After \d+ of \d+ moves"))
    expect(page).to_have_url(re.compile("ply="))
    page.reload()
    page.get_by_role("link", name="After the last move").click()
    page.get_by_role("link", name="Where did it turn?").click()
    expect(page.get_by_text("Best moves:")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="An arena").click()
    page.get_by_role("link", name="Add a machine").click()
    expect(page.get_by_label("Opportunist")).to_be_checked()


@pytest.mark.soak
def test_an_arena_fits_a_phone_a_projector_and_the_dark(visitor: Visitor, visit: Visit) -> None:
    address = enter(visitor.page, "Small cup", "4")
    done(visitor.page, "12")
    phone = visit(**PHONE)
    for path in (address, address + "/1-2", address + "/machines/1", "/arena"):
        phone.page.goto(path)
        assert phone.sideways_scroll() == 0, path
        assert violations(phone.page) == [], path
    phone.page.goto(address)
    assert phone.small_targets() == []
    projector = visit(viewport={"width": 1280, "height": 720}, color_scheme="dark")
    projector.page.goto(address + "?present=1")
    assert min(projector.text_sizes()) >= 24
    assert violations(projector.page) == []
    projector.page.goto(address + "?seats=1")
    assert violations(projector.page) == []


@pytest.mark.soak
def test_a_field_of_six_is_seen_whole(visit: Visit) -> None:
    page = visit().page
    six = ("random", "opportunist", "perfect", "minimax", "qlearning", "menace")
    page.goto("/arena?game=tictactoe&" + "&".join(f"machine={key}" for key in six))
    page.get_by_label("Games a pair").fill("40")
    page.get_by_role("button", name="Let them play").click()
    done(page, "600")
    looks = [(1280, ""), (1280, "?seats=1"), (1280, "?present=1"), (320, "")]
    hidden = {look: beyond_the_table(page, page.url.partition("?")[0], *look) for look in looks}
    assert hidden == dict.fromkeys(looks, 0)


def beyond_the_table(page: Page, address: str, width: int, look: str) -> int:
    """Pixels of it that are to be scrolled to."""
    page.set_viewport_size({"width": width, "height": 720})
    page.goto(address + look)
    table = page.get_by_role("region", name="Table")
    return int(table.evaluate("table => table.scrollWidth - table.clientWidth"))


@pytest.mark.slow
def test_an_arena_without_javascript(visit: Visit) -> None:
    page = visit(java_script_enabled=False).page
    page.goto("/arena")
    page.get_by_label("Game and variant").select_option(label="Tic-tac-toe: 3 × 3")
    page.get_by_role("button", name="Bring the form up to date").click()
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
