"""Scripts run, but htmx did not arrive: whatever waits for it has a button to press instead."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OFFLINE, Visit
from tests.e2e.visitor import BUSY, Visitor


@pytest.fixture
def stranded(visit: Visit) -> Visitor:
    """Someone whose network lets everything through but the one file."""
    visitor = visit(expected=(404, OFFLINE))
    visitor.page.route("**/vendor/htmx*", lambda route: route.fulfill(status=404))
    return visitor


def begin(visitor: Visitor, game: str, opponent: str, mode: str = "Play") -> Visitor:
    visitor.page.goto("/")
    visitor.card(game).get_by_label("Opponent").select_option(label=opponent)
    visitor.card(game).get_by_role("button", name=mode, exact=True).click()
    return visitor


def test_a_move_is_played_and_replied_to(stranded: Visitor) -> None:
    begin(stranded, "Tic-tac-toe", "Random").sees("Your move")
    stranded.cell("b2").click()
    stranded.sees(BUSY)
    stranded.let_it_move()
    stranded.sees("Your move")
    assert stranded.match.ply == 2


def test_where_htmx_never_arrives_nobody_waits_for_it(visit: Visit) -> None:
    stalled = visit()
    begin(stalled, "Tic-tac-toe", "Random").sees("Your move")
    stalled.page.route("**/vendor/htmx*", lambda route: None)  # neither answered nor refused
    stalled.page.reload(wait_until="commit")
    stalled.cell("b2").click()
    stalled.sees(BUSY)
    expect(stalled.button("Let it move")).to_be_visible()


def test_matches_are_taken_by_pressing_one_twice(stranded: Visitor) -> None:
    begin(stranded, "Nim", "A friend, on this screen")
    stranded.takes("c3")
    stranded.sees("Player o to move")
    assert str(stranded.match.moves[0]) == "c3"


@pytest.mark.soak
def test_thoughts_are_asked_for_again_by_a_link(stranded: Visitor) -> None:
    begin(stranded, "Tic-tac-toe", "Perfect").sees("Your move")
    stranded.page.get_by_role("link", name="Show what it thinks").click()
    table = stranded.page.get_by_role("region", name="Every move")
    again = stranded.page.get_by_role("link", name="Look again")
    expect(table.or_(again)).to_be_visible()
    stranded.page.reload()  # as the link does, if the thought took longer
    expect(stranded.page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_the_form_is_brought_up_to_date_by_a_button(stranded: Visitor) -> None:
    stranded.page.goto("/")
    stranded.card("Nim").get_by_text("Advanced").click()
    stranded.card("Nim").get_by_role("button", name="Show all there is to set").click()
    expect(stranded.card("Nim").get_by_label("Skill")).to_be_visible()


@pytest.mark.soak
def test_two_ais_are_watched_by_pressing_next(stranded: Visitor) -> None:
    stranded.page.goto("/")
    card = stranded.card("Tic-tac-toe")
    card.get_by_text("Watch two machines").click()
    card.get_by_role("button", name="Watch", exact=True).click()
    card.get_by_label("Second machine").select_option(label="Random")
    card.get_by_role("button", name="Watch", exact=True).click()
    while stranded.match.ply < 2:
        with stranded.page.expect_navigation():
            stranded.page.locator("#next").click()
    expect(stranded.page.get_by_role("button", name="Play", exact=True)).to_have_count(0)


def test_with_htmx_none_of_these_buttons_is_seen(visitor: Visitor) -> None:
    visitor.page.goto("/")
    visitor.card("Nim").get_by_text("Advanced").click()
    expect(visitor.card("Nim").get_by_label("Skill")).to_be_visible()
    expect(visitor.button("Bring the form up to date")).to_have_count(0)
    visitor.page.route("**/reply", lambda route: None)  # it goes on thinking
    visitor.begins("Tic-tac-toe", against="Random").cell("b2").click()
    visitor.sees(BUSY)
    expect(visitor.button("Let it move")).to_have_count(0)
