"""Two browsers play each other by invitation, one loses its connection, a third watches."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import faults
from tests.e2e.conftest import OFFLINE, Visit
from tests.e2e.visitor import OVER, SIZES, Visitor

AWAY = "A friend, on another device"
NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}


def link_of(owner: Visitor) -> str:
    """The link to give away, once the page of the invitation is there."""
    return owner.page.get_by_label(re.compile("^The first who opens")).input_value()


def sits_down(friend: Visitor, link: str) -> Visitor:
    friend.page.goto(link)
    friend.button("Play").click()
    friend.page.wait_for_url("**/matches/*")
    return friend


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("Tic-tac-toe", "3 × 3"),
        pytest.param("Nim", "Marienbad, last loses", marks=pytest.mark.soak),
        pytest.param("Quixo", "3 × 3", marks=pytest.mark.soak),
    ],
)
def test_a_whole_game_at_two_devices_with_a_lost_connection(
    visit: Visit, game: str, variant: str
) -> None:
    owner, friend, watcher = visit(), visit(expected=(OFFLINE,), **NARROW), visit()
    owner.begins_by_the_lobby(game, against=AWAY, variant=variant)
    expect(owner.page).to_have_title(re.compile("Your friend"))
    sits_down(friend, link_of(owner))
    expect(owner.page).to_have_title(re.compile("Friend"))
    expect(owner.page.locator("h1")).to_have_text(re.compile("Friend"))
    watcher.page.goto(owner.page.url)
    rng, players = Random(3), (owner, friend)
    while (match := owner.match).outcome() is None:
        mover = players[match.ply % 2].sees("Your move")
        if match.ply == 2:
            friend.page.context.set_offline(True)
        mover.plays(str(rng.choice(match.state.legal_moves())))
        if match.ply == 2:
            expect(friend.page.get_by_role("alert")).to_contain_text("cannot be reached")
            friend.page.context.set_offline(False)
    for seen in (owner, friend, watcher):
        seen.sees(OVER)
    assert friend.sideways_scroll() == 0


@pytest.mark.soak
def test_an_invitation_and_what_takes_two_on_every_screen(visit: Visit) -> None:
    owner, friend = visit(reduced_motion="reduce"), visit(**NARROW, reduced_motion="reduce")
    owner.begins_by_the_lobby("Tic-tac-toe", against=AWAY)
    friend.page.goto(link_of(owner))
    assert faults(owner, SIZES) + faults(friend, SIZES) == []
    friend.follows("How to play")
    sheet = friend.page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", level=1)).to_be_focused()
    friend.presses("Escape")
    expect(sheet).to_have_count(0)
    sits_down(friend, link_of(owner))
    owner.plays("b2")
    friend.sees("Your move")
    owner.button("Take back").click()
    expect(friend.page.get_by_text("Friend would like to take back a move.")).to_be_visible()
    assert faults(friend, SIZES) == []
    friend.button("Accept").click()
    owner.sees("Your move")
    friend.page.get_by_text("Resign", exact=True).click()
    friend.button("Yes, resign").click()
    owner.sees("You win: Friend resigned").button("Rematch").click()
    address = owner.page.url
    friend.button("Accept").click()
    owner.page.wait_for_url(lambda url: url != address)
    owner.sees("Your move")
    friend.sees("Friend to move")


@pytest.mark.soak
def test_without_javascript_two_play_by_pressing_refresh(visit: Visit) -> None:
    owner, friend = visit(java_script_enabled=False), visit(java_script_enabled=False)
    card = owner.free_card("Tic-tac-toe")
    card.get_by_label("Opponent", exact=True).select_option(label=AWAY)
    card.get_by_role("button", name="Play").click()
    sits_down(friend, link_of(owner))
    owner.cell("b2").click()
    friend.follows("Refresh").sees("Your move").cell("a1").click()
    owner.follows("Refresh").sees("Your move").button("Take back").click()
    friend.follows("Refresh").button("Accept").click()
    assert owner.match.ply == 0
