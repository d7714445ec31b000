"""Two browsers play each other by invitation, one loses its connection, a third watches."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.conftest import OFFLINE, Visit
from tests.e2e.visitor import Visitor

AWAY = "A friend, on another device"
SIZES = [(1280, 860), (320, 640)]
PHONE: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}


def invites(visitor: Visitor, game: str, **wishes: str) -> str:
    visitor.begins_by_the_lobby(game, against=AWAY, **wishes)
    return visitor.page.get_by_label(re.compile("^The first who opens")).input_value()


def sits_down(friend: Visitor, link: str) -> Visitor:
    friend.page.goto(link)
    friend.page.get_by_role("button", name="Play").click()
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
    owner, friend, watcher = visit(), visit(expected=(OFFLINE,), **PHONE), visit()
    link = invites(owner, game, variant=variant)
    expect(owner.page).to_have_title(re.compile("Nobody yet"))
    sits_down(friend, link)
    expect(owner.page).to_have_title(re.compile("Friend"))
    expect(owner.page.locator("h1")).to_have_text(re.compile("Friend"))
    watcher.page.goto(owner.page.url)
    rng, players = Random(3), (owner, friend)
    while owner.match.outcome() is None:
        match = owner.match
        mover = players[match.ply % 2]
        mover.sees("Your move")
        if match.ply == 2:
            friend.page.context.set_offline(True)
        move = rng.choice(match.state.legal_moves())
        mover.plays(str(move))
        if match.ply == 2:
            expect(friend.page.get_by_role("alert")).to_contain_text("cannot be reached")
            friend.page.context.set_offline(False)
    for seen in (owner, friend, watcher):
        seen.sees(re.compile("wins?:|A draw:"))
    assert friend.sideways_scroll() == 0


@pytest.mark.soak
def test_what_takes_two_is_asked_and_answered_on_either_screen(visit: Visit) -> None:
    owner, friend = visit(), visit(**PHONE, reduced_motion="reduce")
    link = invites(owner, "Tic-tac-toe")
    sits_down(friend, link)
    owner.plays("b2")
    friend.sees("Your move")
    owner.button("Take back").click()
    expect(friend.page.get_by_text("Friend would like to take back a move.")).to_be_visible()
    found = {"offered": violations(friend.page)}
    friend.page.emulate_media(color_scheme="dark")
    found["in the dark"] = violations(friend.page)
    found["too small, or beyond the screen"] = friend.misfits(SIZES)
    friend.button("Accept").click()
    owner.sees("Your move")
    friend.page.get_by_text("Resign", exact=True).click()
    friend.button("Yes, resign").click()
    owner.sees("You win: Friend resigned")
    owner.button("Rematch").click()
    expect(friend.button("Accept")).to_be_visible()
    address = owner.page.url
    friend.button("Accept").click()
    owner.page.wait_for_url(lambda url: url != address)
    owner.sees("Your move")
    friend.sees("Friend to move")
    assert found == {where: [] for where in found}


@pytest.mark.soak
def test_an_invitation_is_seen_on_every_screen_and_in_the_dark(visit: Visit) -> None:
    owner, friend = visit(reduced_motion="reduce"), visit(reduced_motion="reduce")
    link = invites(owner, "Quixo")
    friend.page.goto(link)
    found = {}
    for name, page in (("inviting", owner), ("invited", friend)):
        found[name] = violations(page.page)
        page.page.emulate_media(color_scheme="dark")
        found[f"{name}, dark"] = violations(page.page)
        found[f"{name}, sizes"] = page.misfits(SIZES)
    friend.page.get_by_role("link", name="How to play").click()
    sheet = friend.page.get_by_role("dialog", name="Quixo, 5 × 5")
    expect(sheet.get_by_role("listitem")).to_have_count(4)
    friend.presses("Escape")
    expect(sheet).to_have_count(0)
    expect(friend.page.get_by_role("button", name="Play o")).to_be_visible()
    assert found == {where: [] for where in found}


@pytest.mark.soak
def test_without_javascript_two_play_by_pressing_refresh(visit: Visit) -> None:
    owner, friend = visit(java_script_enabled=False), visit(java_script_enabled=False)
    owner.page.goto("/")
    card = owner.card("Tic-tac-toe")
    card.get_by_label("Opponent", exact=True).select_option(label=AWAY)
    card.get_by_role("button", name="Play").click()
    link = owner.page.get_by_label(re.compile("^The first who opens")).input_value()
    sits_down(friend, link)
    owner.cell("b2").click()
    friend.page.get_by_role("link", name="Refresh").click()
    friend.sees("Your move").cell("a1").click()
    owner.page.get_by_role("link", name="Refresh").click()
    owner.sees("Your move")
    owner.button("Take back").click()
    friend.page.get_by_role("link", name="Refresh").click()
    friend.button("Accept").click()
    assert owner.match.ply == 0
