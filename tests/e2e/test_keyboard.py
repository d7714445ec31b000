"""Without a mouse: one tab stop a board, arrows within it, and focus that is never lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import Visitor


def test_tic_tac_toe_is_played_with_arrows_and_enter(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    visitor.cell("a3").focus()
    visitor.presses("ArrowRight", "ArrowDown", "Enter")
    expect(visitor.page.locator("#ply-2")).to_be_attached()
    assert str(visitor.match.moves[0]) == "b2"
    assert visitor.focused == "cell-b2"


def test_a_board_is_one_tab_stop(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    visitor.cell("a3").focus()
    visitor.presses("Tab")
    expect(visitor.grid.locator(":focus")).to_have_count(0)
    visitor.presses("Shift+Tab")
    assert visitor.focused == "cell-a3"


def test_home_and_end_go_to_the_ends_of_a_row(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.cell("c3").focus()
    visitor.presses("End")
    assert visitor.focused == "cell-e3"
    visitor.presses("Home")
    assert visitor.focused == "cell-a3"


def test_quixo_is_played_by_picking_and_pushing_with_enter(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.cell("a1").focus()
    visitor.presses("Enter")
    visitor.sees("Push a1 back in: e1 or a5")
    visitor.presses(*["ArrowUp"] * 4, "Enter")
    visitor.sees("Your move")
    assert str(visitor.match.moves[0]) == "a1-a5"
    expect(visitor.cell("a5")).to_be_focused()


def test_escape_lets_go_of_a_picked_cube(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.cell("a1").click()
    visitor.sees("Push a1 back in")
    visitor.presses("Escape")
    visitor.sees("Your move")


def test_nim_is_played_by_picking_and_taking_with_enter(visitor: Visitor) -> None:
    visitor.begins("Nim", against="Random")
    visitor.grid.get_by_role("button", name="take 2 from row b").focus()
    visitor.presses("Enter")
    visitor.sees("Take 2 from b?")
    visitor.presses("Enter")
    visitor.sees("Your move")
    assert str(visitor.match.moves[0]) == "b2"


@pytest.mark.parametrize(
    ("game", "moves"),
    [("Nim", ["a1", "c2"]), ("Tic-tac-toe", ["b2"]), ("Quixo", ["a1-a5", "e1-e5"])],
)
def test_focus_stays_within_the_match_after_every_move(
    visitor: Visitor, game: str, moves: list[str]
) -> None:
    visitor.begins(game, against="A friend, on this screen").plays(*moves)
    expect(visitor.page.locator("#match :focus")).to_have_count(1)


def test_focus_stays_within_the_match_after_resigning(visitor: Visitor) -> None:
    visitor.begins("Nim", against="Random")
    visitor.page.get_by_text("Resign", exact=True).focus()
    visitor.presses("Enter", "Tab", "Enter")
    visitor.sees("you resigned")
    expect(visitor.page.locator("#match :focus")).to_have_count(1)


def test_every_move_is_said_aloud_once(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="A friend, on this screen").plays("b2")
    said = visitor.page.get_by_role("status")
    expect(said).to_have_text("Player x plays b2. Player o to move.")


def test_the_key_p_opens_and_leaves_the_projector(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.presses("p")
    visitor.page.wait_for_url(re.compile("present=1"))
    sizes = visitor.text_sizes()
    assert min(sizes) >= 24
    visitor.presses("P")
    visitor.page.wait_for_url(re.compile(r"/matches/[^?]*$"))
    visitor.sees("Your move")


def test_the_way_to_the_board_can_be_skipped(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    visitor.page.locator("body").press("Tab")
    expect(visitor.page.get_by_role("link", name="Skip to the board")).to_be_focused()
    visitor.presses("Enter")
    assert visitor.focused == "main"
