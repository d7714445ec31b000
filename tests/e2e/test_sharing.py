"""A link opened by someone else, and matches carried from one place to another."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visit


def test_a_shared_link_is_read_only_and_can_be_played_on(visit: Visit) -> None:
    owner, guest = visit(), visit()
    owner.begins("Tic-tac-toe", against="Random").plays("b2").sees("Your move")
    guest.page.goto(owner.page.url)
    guest.sees("to move")
    expect(guest.grid.locator("button:not([aria-disabled])")).to_have_count(0)
    expect(guest.page.get_by_role("button", name="Take back")).to_have_count(0)
    guest.page.get_by_role("button", name="Play on from here").click()
    guest.page.wait_for_url(lambda address: address != owner.page.url)
    guest.sees(re.compile("Your move|thinking"))
    assert guest.match.moves[:2] == owner.match.moves
    assert owner.match.ply == 2


def test_someone_else_cannot_move_even_by_hand(visit: Visit) -> None:
    owner, guest = visit(), visit()
    owner.begins("Tic-tac-toe", against="Random")
    guest.page.goto(owner.page.url)
    refused = guest.page.request.post(
        f"{owner.page.url}/moves",
        form={"move": "b2", "revision": "0"},
        headers={"Sec-Fetch-Site": "same-origin"},
    )
    assert refused.status == 403
    assert owner.match.moves == ()


def test_the_share_panel_gives_the_address_of_what_is_shown(visit: Visit) -> None:
    owner = visit()
    owner.begins("Tic-tac-toe", against="A friend, on this screen").plays("b2", "a1")
    owner.page.get_by_text("Share", exact=True).click()
    link = owner.page.get_by_label(re.compile("^Whoever opens this link sees"))
    guest = visit()
    guest.page.goto(link.input_value())
    expect(guest.cell("a1")).to_have_accessible_name("a1, o, last move")


@pytest.mark.parametrize("kind", ["JSON", "Transcript"])
def test_an_exported_match_is_opened_again(visit: Visit, kind: str) -> None:
    owner = visit()
    owner.begins("Quixo", against="A friend, on this screen").plays("a1-a5", "e3-a3")
    owner.page.get_by_text("Share", exact=True).click()
    address = owner.page.get_by_role("link", name=kind).get_attribute("href") or ""
    text = owner.page.request.get(address).text()
    guest = visit()
    guest.page.goto("/matches/import")
    guest.page.get_by_label("JSON or transcript").fill(text)
    guest.page.get_by_role("button", name="Open").click()
    guest.page.wait_for_url(re.compile(r"/matches/(?!import)"))
    assert guest.match.moves == owner.match.moves


def test_the_move_that_is_shown_is_in_sight_in_a_long_list(visit: Visit) -> None:
    guest = visit(viewport={"width": 1280, "height": 860})
    turns = [f"{turn}. e1 d1" for turn in range(1, 8)] + ["8. c1 c1", "9. c1 c1", "10. b1 b1"]
    guest.page.goto("/matches/import")
    guest.page.get_by_label("JSON or transcript").fill("\n".join(["game nim", *turns]))
    guest.page.get_by_role("button", name="Open").click()
    expect(guest.page.locator("#ply-20")).to_be_in_viewport(ratio=1)
    guest.page.locator("#first").click()
    guest.page.locator("#next").click()
    expect(guest.page.locator("#ply-1")).to_be_in_viewport(ratio=1)


def test_what_cannot_be_read_is_said_with_the_text_kept(visit: Visit) -> None:
    guest = visit(expected=(422,))
    guest.page.goto("/matches/import")
    guest.page.get_by_label("JSON or transcript").fill("game chess")
    guest.page.get_by_role("button", name="Open").click()
    expect(guest.page.get_by_role("note")).to_contain_text("chess")
    expect(guest.page.get_by_label("JSON or transcript")).to_have_value("game chess")
