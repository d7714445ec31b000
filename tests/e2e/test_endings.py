"""Every game played to a win, a loss and, where there is one, a draw, by pressing the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.visitor import Visitor


@pytest.mark.soak
def test_a_person_who_plays_perfectly_beats_perfect_at_nim(visitor: Visitor) -> None:
    visitor.begins("Nim", against="Perfect").plays_on(by="perfect")
    visitor.sees("You win: Perfect took the last match")


@pytest.mark.soak
def test_perfect_beats_a_person_who_lets_it_begin_at_nim(visitor: Visitor) -> None:
    visitor.begins_by_the_lobby(
        "Nim", against="Perfect", starts="Opponent", variant="3-4-5, last wins"
    )
    visitor.plays_on(by="perfect")
    visitor.sees("Perfect wins: Perfect took the last match")


def test_three_in_a_row_win_against_random(visitor: Visitor) -> None:
    visitor.begins_by_the_lobby("Tic-tac-toe", against="Random").plays_until_won()
    visitor.sees("You win: three")
    expect(visitor.page.get_by_role("button", name="Rematch")).to_be_visible()


@pytest.mark.soak
def test_a_blunder_at_tic_tac_toe_is_punished(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Perfect").plays_on(by="perfect", worst=True)
    visitor.sees("Perfect wins: three")


def test_two_perfect_players_draw_at_tic_tac_toe(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Perfect").plays_on(by="perfect")
    visitor.sees("A draw: board full")


@pytest.mark.soak
def test_the_first_player_wins_at_quixo_3x3(visitor: Visitor) -> None:
    visitor.begins("Quixo", variant="3 × 3", against="Perfect").plays_on(by="perfect")
    visitor.sees("You win:")


@pytest.mark.soak
def test_the_second_player_loses_at_quixo_3x3(visitor: Visitor) -> None:
    visitor.begins_by_the_lobby("Quixo", variant="3 × 3", against="Perfect", starts="Opponent")
    visitor.plays_on(by="perfect", worst=True)
    visitor.sees("Perfect wins:")


def test_five_in_a_row_win_at_quixo(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="A friend, on this screen")
    visitor.plays(*["a1-e1", "a5-e5"] * 4, "a1-e1")
    visitor.sees("Player x wins: five in row 1")


@pytest.mark.soak
def test_the_same_position_for_the_third_time_is_a_draw_at_quixo(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="A friend, on this screen")
    visitor.plays(*["c1-e1", "c5-e5"] * 5)
    visitor.sees("A draw: the same position stood 3 times")


def test_the_end_marks_the_winning_line_and_offers_what_comes_next(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="A friend, on this screen")
    visitor.plays("a1", "c3", "a2", "b2", "a3")
    expect(visitor.page.locator(".overlay .stroke")).to_have_count(1)
    visitor.page.get_by_role("link", name="Where did it turn?").click()
    expect(visitor.page.get_by_role("heading", name="How it went")).to_be_visible()
    visitor.page.get_by_role("button", name="Swap sides").click()
    visitor.sees("Player x to move")


def test_resigning_asks_first_and_gives_the_win_to_the_other(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.page.get_by_text("Resign", exact=True).click()
    visitor.page.get_by_role("button", name="Yes, resign").click()
    visitor.sees("Random wins: you resigned")
