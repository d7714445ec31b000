"""Two AIs play; someone watches, steps, pauses and changes the speed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import OVER, Visitor

RANDOM = {"against": "Random", "rival": "Random"}  # quick, and never stuck
# Notes every ply whose thought stands in the panel.
SEEN = """
window.seen = new Set();
document.addEventListener("htmx:after:swap", () => {
  const panel = document.querySelector("#analysis:has(.candidates):not(:has([data-poll]))");
  if (panel) window.seen.add(Number(document.getElementById("match").dataset.ply));
});
"""


def test_next_asks_for_the_next_move(visitor: Visitor) -> None:
    visitor.begins_by_the_lobby("Tic-tac-toe", mode="Watch", **RANDOM)
    visitor.steps_to_ply(1)
    visitor.page.get_by_role("link", name="Previous").click()
    visitor.sees("After 0 of 1 moves")
    visitor.page.get_by_role("link", name="Next").click()
    expect(visitor.page.get_by_text("1 of 1")).to_be_visible()


@pytest.mark.soak
def test_play_goes_on_until_the_end(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", mode="Watch", **RANDOM)
    visitor.page.get_by_label("Speed").select_option("fast")
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.sees(OVER)
    expect(visitor.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_pause_stops_and_the_speed_is_kept(visitor: Visitor) -> None:
    visitor.page.clock.install()
    visitor.begins("Quixo", mode="Watch", **RANDOM)
    visitor.page.get_by_label("Speed").select_option("fast")
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    expect(visitor.page.get_by_text(re.compile(r"^([3-9]|\d\d+) of \d+$"))).to_be_visible()
    visitor.page.get_by_role("button", name="Pause").click()
    expect(visitor.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(visitor.page.get_by_label("Speed")).to_have_value("400")
    played = visitor.is_answered().match.ply
    visitor.page.clock.fast_forward(60_000)
    assert visitor.is_answered().match.ply == played


@pytest.mark.soak
def test_while_playing_the_thought_of_a_slow_machine_is_seen_before_its_move(
    visitor: Visitor,
) -> None:
    visitor.page.add_init_script(SEEN)
    visitor.opens("quixo", ["alphabeta:nodes=30000", "random"], "")
    visitor.page.goto(f"{visitor.page.url}?values=1")
    visitor.page.get_by_label("Speed").select_option("fast")
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    expect(visitor.page.get_by_text("7 of 7")).to_be_visible()
    assert set(range(7)) <= set(visitor.page.evaluate("[...window.seen]"))


@pytest.mark.soak
def test_a_finished_match_is_played_again_from_the_start(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", mode="Watch", **RANDOM)
    visitor.page.get_by_label("Speed").select_option("fast")
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.sees(OVER)
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.sees(re.compile(r"After \d of"))
    visitor.sees(OVER)


def test_the_address_of_a_ply_opens_that_ply(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", mode="Watch", **RANDOM).steps_to_ply(2)
    visitor.page.goto(f"{visitor.page.url}?ply=1")
    visitor.sees("After 1 of 2 moves")
