"""Every game played to its ends by pressing the board, and two AIs watched while they play."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import FRIEND, OVER, Visitor
from tests.soak import sampled

BEST, WORST = "as well as Perfect", "as badly as Perfect can tell"
PERFECT = {"against": "Perfect"}
SMALL = PERFECT | {"variant": "3 × 3"}
SECOND = {"starts": "Opponent"}
LAST_WINS = PERFECT | SECOND | {"variant": "3-4-5, last wins"}
FIVE = "a1-e1 a5-e5 " * 4 + "a1-e1"
# What is played against whom, how, and what is said of it at its end.
ENDINGS = {
    "nim_won": ("Nim", PERFECT, BEST, "You win: Perfect took the last match"),
    "nim_lost": ("Nim", LAST_WINS, BEST, "Perfect wins: Perfect took the last match"),
    "tictactoe_lost": ("Tic-tac-toe", PERFECT, WORST, "Perfect wins: three"),
    "tictactoe_drawn": ("Tic-tac-toe", PERFECT, BEST, "A draw: the board is full"),
    "small_quixo_won": ("Quixo", SMALL, BEST, "You win:"),
    "small_quixo_lost": ("Quixo", SMALL | SECOND, WORST, "Perfect wins:"),
    "quixo_won": ("Quixo", {"against": FRIEND}, FIVE, "Player x wins: five in row 1"),
}


@pytest.mark.parametrize("ending", sampled(ENDINGS, "tictactoe_drawn", "quixo_won"))
def test_a_game_is_played_to_its_end(
    visitor: Visitor, ending: tuple[str, dict[str, str], str, str]
) -> None:
    game, wishes, moves, says = ending
    begins = visitor.begins_by_the_lobby if "starts" in wishes else visitor.begins
    begins(game, **wishes)
    if moves in (BEST, WORST):
        visitor.plays_on(by="perfect", worst=moves == WORST)
    else:
        visitor.plays(*moves.split())
    visitor.sees(says)


def test_the_end_marks_the_winning_line_and_offers_what_comes_next(visitor: Visitor) -> None:
    visitor.begins_by_the_lobby("Tic-tac-toe", against=FRIEND)
    visitor.plays("a1", "c3", "a2", "b2", "a3").sees("Player x wins: three")
    expect(visitor.page.locator(".overlay .stroke")).to_have_count(1)
    expect(visitor.button("Rematch")).to_be_visible()
    visitor.follows("Where did it turn?")
    expect(visitor.page.get_by_role("heading", name="How it went")).to_be_visible()
    visitor.button("Swap sides").click()
    visitor.sees("Player x to move")


RANDOM: dict[str, Any] = {"mode": "Watch", "against": "Random", "rival": "Random"}  # never stuck
# Notes every ply whose thought stands in the panel.
SEEN = """
window.seen = new Set();
const note = () => {
  const panel = document.querySelector("#analysis:has(.candidates):not(:has([data-poll]))");
  if (panel) window.seen.add(Number(document.getElementById("match").dataset.ply));
};
for (const name of ["DOMContentLoaded", "htmx:after:swap"]) document.addEventListener(name, note);
"""


def runs_fast(visitor: Visitor) -> Visitor:
    """Two machines begin by themselves."""
    visitor.page.get_by_label("Speed").select_option("fast")
    expect(visitor.button("Pause")).to_be_visible()
    return visitor


def test_next_asks_for_the_next_move_and_every_move_has_its_address(visitor: Visitor) -> None:
    visitor.begins_by_the_lobby("Tic-tac-toe", **RANDOM).steps_to_ply(2)
    visitor.follows("Previous").sees("After 1 of 2 moves")
    visitor.page.reload()
    visitor.sees("After 1 of 2 moves").follows("Next")
    expect(visitor.page.get_by_text("2 of 2")).to_be_visible()


@pytest.mark.soak
def test_play_goes_on_until_the_end_and_then_again_from_the_start(visitor: Visitor) -> None:
    runs_fast(visitor.begins("Tic-tac-toe", **RANDOM)).sees(OVER)
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.sees(re.compile(r"After \d of"))
    visitor.sees(OVER)


def test_pause_stops_and_the_speed_is_kept(visitor: Visitor) -> None:
    visitor.page.clock.install()
    runs_fast(visitor.begins("Quixo", **RANDOM))
    expect(visitor.page.get_by_text(re.compile(r"^([3-9]|\d\d+) of \d+$"))).to_be_visible()
    visitor.button("Pause").click()
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
    runs_fast(visitor.opens("quixo", ["alphabeta:nodes=30000", "random"], "").looks_at("?values=1"))
    expect(visitor.page.get_by_text("7 of 7")).to_be_visible()
    assert set(range(7)) <= set(visitor.page.evaluate("[...window.seen]"))
