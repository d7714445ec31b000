"""JavaScript off: pages, forms and links do it all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import BUSY, FRIEND, Visitor


@pytest.fixture
def plain(visit: Visit) -> Visitor:
    """Someone whose browser runs no scripts."""
    return visit(java_script_enabled=False)


def begin(visitor: Visitor, game: str, opponent: str) -> Visitor:
    visitor.page.goto("/")
    visitor.card(game).get_by_label("Opponent").select_option(label=opponent)
    visitor.card(game).get_by_role("button", name="Play", exact=True).click()
    return visitor.sees(re.compile("Your move|to move"))


def test_tic_tac_toe_is_played_looked_at_and_taken_back_by_pages(plain: Visitor) -> None:
    begin(plain, "Tic-tac-toe", "Random")
    expect(plain.button(re.compile("Theme|Copy"))).to_have_count(0)  # they need a script
    plain.cell("b2").click()
    plain.sees(BUSY).let_it_move().sees("Your move")
    assert plain.match.ply == 2
    plain.follows("Before the first move").sees("After 0 of 2 moves")
    plain.follows("After the last move").button("Take back").click()
    plain.sees("Your move")
    assert plain.match.moves == ()


def test_a_cube_is_picked_put_back_picked_on_one_page_and_pushed_on_the_next(
    plain: Visitor,
) -> None:
    begin(plain, "Quixo", FRIEND)
    plain.cell("b1").click()
    plain.sees("Push b1 back in: a1, e1 or b5")
    expect(plain.page).to_have_url(re.compile("pick=b1"))
    plain.cell("b1").click()
    plain.sees("Player x to move").plays("b1-b5").sees("Player o to move")
    assert str(plain.match.moves[0]) == "b1-b5"


def test_matches_are_taken_with_the_number_form_and_by_pressing_one_twice(plain: Visitor) -> None:
    begin(plain, "Nim", FRIEND)
    plain.page.get_by_label("From row", exact=True).select_option("c")
    plain.page.get_by_label("take", exact=True).fill("3")
    plain.page.get_by_role("button", name="Take", exact=True).click()
    plain.sees("Player o to move").plays("d2").sees("Player x to move")
    assert [str(move) for move in plain.match.moves] == ["c3", "d2"]


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
    expect(card.get_by_label("Skill")).to_be_visible()
    card.get_by_label("Heaps").fill("2-2")
    card.get_by_role("button", name="Play", exact=True).click()
    plain.sees("Your move")
    assert str(plain.match.game.start) == "2-2 x"
