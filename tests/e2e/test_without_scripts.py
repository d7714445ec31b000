"""No scripts, or all but htmx, which did not arrive: pages, forms, links and buttons do it all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OFFLINE, Visit
from tests.e2e.visitor import BUSY, FRIEND, SIZES, Visitor

HTMX = "**/vendor/htmx*"


@pytest.fixture(params=["no scripts", "no htmx"])
def plain(request: pytest.FixtureRequest, visit: Visit) -> Visitor:
    """Someone whose browser runs no scripts, or whose network refuses the one file."""
    if request.param == "no scripts":
        return visit(java_script_enabled=False)
    visitor = visit(expected=(404, OFFLINE))
    visitor.page.route(HTMX, lambda route: route.fulfill(status=404))
    return visitor


def begin(visitor: Visitor, game: str, opponent: str) -> Visitor:
    card = visitor.free_card(game)
    card.get_by_label("Opponent").select_option(label=opponent)
    card.get_by_role("button", name="Play", exact=True).click()
    return visitor.sees(re.compile("Your move|to move"))


def test_tic_tac_toe_is_played_looked_at_and_taken_back_by_pages(plain: Visitor) -> None:
    begin(plain, "Tic-tac-toe", "Random").cell("b2").click()
    plain.sees(BUSY).let_it_move().sees("Your move")
    assert plain.match.ply == 2
    plain.follows("Before the first move").sees("After 0 of 2 moves")
    plain.follows("After the last move").button("Take back").click()
    plain.sees("Your move")
    assert plain.played == []


def test_a_cube_is_picked_put_back_picked_and_pushed(plain: Visitor) -> None:
    begin(plain, "Quixo", FRIEND).cell("b1").click()
    plain.sees("Push b1 back in at an arrow: a1, e1 or b5").cell("b1").click()
    plain.sees("Player x to move").plays("b1-b5").sees("Player o to move")
    assert plain.played == ["b1-b5"]


def test_matches_are_taken_with_the_number_form_and_by_pressing_one_twice(plain: Visitor) -> None:
    begin(plain, "Nim", FRIEND)
    plain.page.get_by_label("From row", exact=True).select_option("c")
    plain.page.get_by_label("take", exact=True).fill("3")
    plain.page.locator("#take-button").click()
    plain.sees("Orange to move").plays("d2").sees("Blue to move")
    assert plain.played == ["c3", "d2"]


def test_after_the_end_a_lesson_and_the_next_opponent_are_a_press_away(plain: Visitor) -> None:
    plain.opens("nim", ["person", "opportunist"], "a1 b3 c5 d7 e8 e1").sees("You win")
    expect(plain.link("The lesson about it")).to_have_attribute("href", "/learn/nim")
    expect(plain.button("Rematch")).to_be_visible()
    plain.button("Harder opponent: Minimax").click()
    plain.sees("Your move")
    assert "You against Minimax" in plain.page.title()


@pytest.mark.soak
def test_thoughts_are_asked_for_again_by_a_link(plain: Visitor) -> None:
    begin(plain, "Tic-tac-toe", "Perfect").follows("Show what it thinks")
    plain.looks_again_until(plain.page.get_by_role("region", name="Every move"))
    expect(plain.page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


@pytest.mark.soak
def test_two_machines_are_watched_by_pressing_next(plain: Visitor) -> None:
    card = plain.free_card("Tic-tac-toe")
    watch = card.get_by_role("button", name="Watch", exact=True)
    card.get_by_text("Watch two machines").click()
    watch.click()
    card.get_by_label("Second machine").select_option(label="Random")
    expect(card.get_by_label("Who starts")).to_be_hidden()
    watch.click()
    while plain.match.ply < 2:
        with plain.page.expect_navigation():
            plain.page.locator("#next").click()
    expect(plain.page.get_by_role("button", name="Play", exact=True)).to_have_count(0)


def test_the_form_is_brought_up_to_date_by_a_button(plain: Visitor) -> None:
    card = plain.free_card("Nim")
    card.get_by_label("Variant").select_option(label="Your own…")
    card.get_by_text("Advanced").click()
    card.get_by_role("button", name="Show all there is to set").click()
    expect(card.get_by_label("Skill")).to_be_visible()
    card.get_by_label("Heaps").fill("2-2")
    card.get_by_role("button", name="Play", exact=True).click()
    plain.sees("Your move")
    assert str(plain.match.game.start) == "2-2 x"


def test_where_htmx_never_arrives_nobody_waits_for_it(visit: Visit) -> None:
    stalled = begin(visit(), "Tic-tac-toe", "Random")
    stalled.page.route(HTMX, lambda route: None)  # neither answered nor refused
    stalled.page.reload(wait_until="commit")
    stalled.cell("b2").click()
    stalled.sees(BUSY)
    expect(stalled.button("Let it move")).to_be_visible()


def test_what_needs_a_script_is_not_there_without_one(visit: Visit) -> None:
    plain = begin(visit(java_script_enabled=False), "Quixo", FRIEND)
    expect(plain.button(re.compile("Theme|Copy"))).to_have_count(0)
    plain.cell("b1").click()
    expect(plain.page).to_have_url(re.compile("pick=b1"))


def test_with_htmx_none_of_these_buttons_is_seen(visitor: Visitor) -> None:
    card = visitor.free_card("Nim")
    card.get_by_text("Advanced").click()
    expect(card.get_by_label("Skill")).to_be_visible()
    expect(visitor.button("Update the form")).to_have_count(0)
    visitor.page.route("**/reply", lambda route: None)  # it goes on thinking
    visitor.begins("Tic-tac-toe", against="Random").cell("b2").click()
    visitor.sees(BUSY)
    expect(visitor.button("Let it move")).to_have_count(0)


def test_a_token_is_made_used_and_revoked_by_pages(visit: Visit) -> None:
    person = visit(java_script_enabled=False)
    person.page.goto("/api")
    person.page.get_by_role("link", name="Make a token").click()
    person.page.get_by_label("What it is for").fill("my notebook")
    person.button("Make a token").click()
    token = person.page.get_by_label("Your new token. Copy it now").inner_text()
    request = person.page.context.request
    headers = {"Authorization": f"Bearer {token}", "Cookie": ""}
    begun = request.post("/api/1/matches", data={"opponent": "random"}, headers=headers)
    assert begun.status == 201
    person.page.goto("/matches")
    expect(person.page.get_by_text(token)).to_have_count(0)
    expect(person.page.get_by_role("link", name="Open", exact=True)).to_have_count(1)
    assert person.misfits(SIZES) == []
    person.button("Revoke my notebook").click()
    expect(person.button("Revoke my notebook")).to_have_count(0)
    assert request.post("/api/1/matches", data={}, headers=headers).status == 401
