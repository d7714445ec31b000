"""Without a mouse: one tab stop a board, arrows within it, and focus that is never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import FRIEND, Visitor


def test_tic_tac_toe_is_one_tab_stop_and_played_with_arrows_and_enter(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    visitor.cell("a3").focus()
    visitor.presses("Tab")
    expect(visitor.grid.locator(":focus")).to_have_count(0)
    visitor.presses("Shift+Tab")
    assert visitor.focused == "cell-a3"
    visitor.presses("ArrowRight", "ArrowDown", "Enter")
    expect(visitor.page.locator("#ply-2")).to_be_attached()
    assert visitor.played[0] == "b2"
    assert visitor.focused == "cell-b2"
    visitor.presses("Enter").sees("b2 is taken.")
    assert visitor.focused == "cell-b2"
    visitor.page.reload()
    visitor.page.locator("body").press("Tab")
    expect(visitor.page.get_by_role("link", name="Skip to the board")).to_be_focused()
    visitor.presses("Enter")
    assert visitor.focused == "main"


def test_quixo_is_played_by_picking_and_pushing_with_enter(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.cell("c1").focus()
    visitor.presses("End")
    assert visitor.focused == "cell-e1"
    visitor.presses("Home")
    assert visitor.focused == "cell-a1"
    visitor.presses("Enter")
    visitor.sees("Push a1 back in at an arrow: e1 or a5").presses("Escape")
    visitor.sees("Your move").presses("Enter")
    visitor.sees("Push a1 back in").presses(*["ArrowUp"] * 4, "Enter")
    visitor.sees("Your move")
    assert visitor.played[0] == "a1-a5"
    expect(visitor.cell("a5")).to_be_focused()


def test_nim_is_played_by_picking_and_taking_with_enter_and_resigned(visitor: Visitor) -> None:
    visitor.begins("Nim", against="Random")
    visitor.grid.get_by_role("button", name="take 2 from row b").focus()
    visitor.presses("Enter")
    visitor.sees("Take 2 from b?").presses("Enter")
    visitor.sees("Your move")
    assert visitor.played[0] == "b2"
    visitor.page.get_by_text("Resign", exact=True).focus()
    visitor.presses("Enter", "Tab", "Enter")
    visitor.sees("Random wins: you resigned")
    expect(visitor.page.locator("#match :focus")).to_have_count(1)


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        ("Nim", ["a1", "c2"], "Orange plays c2. Blue to move."),
        ("Tic-tac-toe", ["b2"], "Player x plays b2. Player o to move."),
        ("Quixo", ["a1-a5", "e1-e5"], "Player o plays e1-e5. Player x to move."),
    ],
)
def test_after_every_move_focus_is_within_the_match_and_the_move_is_said_aloud_once(
    visitor: Visitor, game: str, moves: list[str], said: str
) -> None:
    visitor.begins(game, against=FRIEND).plays(*moves)
    expect(visitor.page.locator("#match :focus")).to_have_count(1)
    expect(visitor.page.get_by_role("status")).to_have_text(said)
