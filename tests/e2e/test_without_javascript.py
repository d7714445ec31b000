"""JavaScript off: pages, forms and links do it all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import BUSY, Visitor


@pytest.fixture
def plain(visit: Visit) -> Visitor:
    """Someone whose browser runs no scripts."""
    return visit(java_script_enabled=False)


def begin(visitor: Visitor, game: str, opponent: str) -> Visitor:
    visitor.page.goto("/")
    visitor.card(game).get_by_label("Opponent").select_option(label=opponent)
    visitor.card(game).get_by_role("button", name="Play", exact=True).click()
    return visitor.sees(re.compile("Your move|to move"))


def test_tic_tac_toe_is_played_by_pages(plain: Visitor) -> None:
    begin(plain, "Tic-tac-toe", "Random")
    plain.cell("b2").click()
    plain.sees(BUSY)
    plain.let_it_move()
    plain.sees("Your move")
    assert plain.match.ply == 2


def test_a_cube_is_picked_on_one_page_and_pushed_on_the_next(plain: Visitor) -> None:
    begin(plain, "Quixo", "A friend, on this screen")
    plain.cell("b1").click()
    plain.sees("Push b1 back in: a1, e1 or b5")
    expect(plain.page).to_have_url(re.compile("pick=b1"))
    plain.cell("b5").click()
    plain.sees("Player o to move")
    assert str(plain.match.moves[0]) == "b1-b5"


def test_a_picked_cube_can_be_put_back(plain: Visitor) -> None:
    begin(plain, "Quixo", "A friend, on this screen")
    plain.cell("b1").click()
    plain.cell("b1").click()
    plain.sees("Player x to move")


def test_matches_are_taken_with_the_number_form(plain: Visitor) -> None:
    begin(plain, "Nim", "A friend, on this screen")
    plain.page.get_by_label("From row", exact=True).select_option("c")
    plain.page.get_by_label("take", exact=True).fill("3")
    plain.page.get_by_role("button", name="Take", exact=True).click()
    plain.sees("Player o to move")
    assert str(plain.match.moves[0]) == "c3"


def test_matches_are_taken_by_pressing_one_twice(plain: Visitor) -> None:
    begin(plain, "Nim", "A friend, on this screen")
    plain.takes("c3")
    plain.sees("Player o to move")
    assert str(plain.match.moves[0]) == "c3"


def test_take_back_plies_and_rematch_are_links_and_forms(plain: Visitor) -> None:
    begin(plain, "Tic-tac-toe", "A friend, on this screen")
    plain.cell("b2").click()
    plain.page.get_by_role("link", name="Before the first move").click()
    plain.sees("After 0 of 1 moves")
    plain.page.get_by_role("link", name="After the last move").click()
    plain.page.get_by_role("button", name="Take back").click()
    plain.sees("Player x to move")
    assert plain.match.moves == ()


@pytest.mark.soak
def test_two_ais_are_watched_by_pressing_next(plain: Visitor) -> None:
    plain.page.goto("/")
    card = plain.card("Tic-tac-toe")
    card.get_by_text("Watch two machines").click()
    card.get_by_role("button", name="Watch", exact=True).click()
    card.get_by_label("Second machine").select_option(label="Random")
    expect(card.get_by_label("Who starts")).to_be_hidden()
    card.get_by_role("button", name="Watch", exact=True).click()
    plain.steps_to_ply(2)
    expect(plain.page.get_by_role("button", name="Play", exact=True)).to_have_count(0)


def test_the_form_is_brought_up_to_date_by_a_button(plain: Visitor) -> None:
    plain.page.goto("/")
    card = plain.card("Nim")
    card.get_by_label("Variant").select_option(label="Your own…")
    card.get_by_text("Advanced").click()
    card.get_by_role("button", name="Show all there is to set").click()
    expect(plain.card("Nim").get_by_label("Skill")).to_be_visible()
    plain.card("Nim").get_by_label("Heaps").fill("2-2")
    plain.card("Nim").get_by_role("button", name="Play", exact=True).click()
    plain.sees("Your move")
    assert str(plain.match.game.start) == "2-2 x"


def test_nothing_that_needs_a_script_is_shown(plain: Visitor) -> None:
    begin(plain, "Tic-tac-toe", "Random")
    expect(plain.page.get_by_role("button", name=re.compile("Theme|Copy"))).to_have_count(0)


def test_a_machine_is_met_played_and_seen_thinking(plain: Visitor) -> None:
    plain.page.goto("/machines?game=tictactoe")
    plain.page.get_by_role("link", name="How it thinks: MENACE").click()
    expect(plain.page.get_by_role("heading", name="MENACE", exact=True)).to_be_visible()
    plain.page.get_by_role("button", name="See it think").click()
    plain.page.wait_for_url("**/matches/*")
    expect(plain.page.get_by_text("MENACE", exact=True).first).to_be_visible()
    plain.page.goto("/machines/menace")
    plain.page.get_by_role("link", name="Play", exact=True).last.click()
    expect(plain.card("Tic-tac-toe").get_by_label("Opponent")).to_have_value("menace")
