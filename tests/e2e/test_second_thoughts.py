"""Taking back, pressing twice, two tabs, reloading, going back: nothing lost, nothing doubled."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OFFLINE, Visit
from tests.e2e.visitor import BUSY, Visitor


def test_taking_back_returns_to_the_persons_last_turn(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random").plays("b2")
    visitor.sees("Your move")
    visitor.page.get_by_role("button", name="Take back").click()
    expect(visitor.cell("b2")).to_have_accessible_name("b2, empty")
    visitor.sees("Your move")
    assert visitor.match.moves == ()


def test_more_than_a_row_holds_is_refused_with_the_reason(visit: Visit) -> None:
    visitor = visit(expected=(422,)).begins("Nim", against="Random")
    visitor.page.get_by_label("From row", exact=True).select_option("b")
    visitor.page.get_by_label("take", exact=True).fill("9")
    visitor.page.get_by_role("button", name="Take 9 from b").click()
    visitor.sees("Row b holds 3, you asked for 9.")
    assert visitor.match.moves == ()


def test_a_move_on_an_old_board_is_refused_and_shows_the_current_one(visit: Visit) -> None:
    visitor = visit(expected=(409,)).begins("Tic-tac-toe", against="A friend, on this screen")
    other = Visitor(visitor.page.context.new_page())
    other.page.goto(visitor.page.url)
    visitor.plays("b2")
    other.cell("a1").click()
    expect(other.page.get_by_role("note")).to_be_visible()
    expect(other.cell("b2")).to_have_accessible_name("b2, x, last move")
    assert [str(move) for move in visitor.match.moves] == ["b2"]


def test_the_same_move_from_two_tabs_is_one_move(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="A friend, on this screen")
    other = Visitor(visitor.page.context.new_page())
    other.page.goto(visitor.page.url)
    visitor.plays("b2")
    other.cell("b2").click()
    other.sees("Player o to move")
    assert [str(move) for move in visitor.match.moves] == ["b2"]


def test_a_double_click_is_one_move(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="A friend, on this screen")
    visitor.cell("b2").dblclick()
    visitor.sees("Player o to move")
    assert [str(move) for move in visitor.match.moves] == ["b2"]


def test_reloading_while_it_thinks_loses_nothing(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    with visitor.without("reply"):
        visitor.cell("b2").click()
        visitor.sees(BUSY)
    visitor.page.reload()
    visitor.sees("Your move")
    assert visitor.match.ply == 2
    assert str(visitor.match.moves[0]) == "b2"


def test_back_and_forward_walk_through_the_plies_that_were_looked_at(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="A friend, on this screen").plays("b2", "a1", "c3")
    visitor.page.get_by_role("link", name="b2", exact=True).click()
    visitor.sees("After 1 of 3 moves")
    visitor.page.get_by_role("link", name="Next").click()
    visitor.sees("After 2 of 3 moves")
    visitor.page.go_back()
    visitor.sees("After 1 of 3 moves")
    visitor.page.go_back()
    visitor.sees("Player o to move")
    visitor.page.go_forward()
    visitor.sees("After 1 of 3 moves")
    expect(visitor.page).to_have_url(re.compile(r"ply=1"))


@pytest.mark.parametrize(
    ("script", "as_far_as"),
    [
        ("early.js", "document.readyState === 'loading'"),
        ("htmx.min.js", "document.readyState === 'interactive'"),
        ("match.js", "document.readyState === 'interactive' && 'htmx' in window"),
    ],
)
def test_going_back_before_a_script_is_there_is_not_lost(
    visitor: Visitor, script: str, as_far_as: str
) -> None:
    visitor.begins("Tic-tac-toe", against="A friend, on this screen").plays("b2", "a1", "c3")
    visitor.page.get_by_role("link", name="b2", exact=True).click()
    visitor.sees("After 1 of 3 moves")
    with visitor.without(script):
        visitor.page.reload(wait_until="commit")
        visitor.waits_until(as_far_as)
        visitor.page.evaluate("history.back()")
        expect(visitor.page).not_to_have_url(re.compile("ply"))
    visitor.sees("Player o to move")


def test_without_a_connection_the_move_can_be_sent_again(visit: Visit) -> None:
    visitor = visit(expected=(OFFLINE,)).begins("Tic-tac-toe", against="A friend, on this screen")
    visitor.page.context.set_offline(True)
    visitor.cell("b2").click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
    visitor.page.context.set_offline(False)
    visitor.page.get_by_role("button", name="Retry").click()
    visitor.sees("Player o to move")
    expect(visitor.page.get_by_role("alert")).to_have_count(0)
    assert [str(move) for move in visitor.match.moves] == ["b2"]


def test_a_hint_names_a_move_and_shows_it_on_the_board(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    visitor.page.get_by_role("link", name="Hint").click()
    expect(visitor.page.get_by_role("heading", name=re.compile("^Try "))).to_be_visible()
    expect(visitor.grid.get_by_role("button", name=re.compile("hint$"))).to_have_count(1)


def test_what_it_thinks_is_shown_in_the_panel_and_on_the_board(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Perfect")
    visitor.page.get_by_role("link", name="Show what it thinks").click()
    expect(visitor.page.locator(".candidates tr.chosen")).to_be_visible()
    expect(visitor.cell("b2")).to_have_accessible_name("b2, empty, draw")
    visitor.plays("b2").sees("Your move")
    expect(visitor.page.get_by_role("link", name="Hide what it thinks")).to_be_visible()


def test_an_unfinished_match_is_offered_in_the_lobby(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random").plays("a1-a5").sees("Your move")
    visitor.page.goto("/")
    visitor.page.get_by_role("link", name="Continue Quixo against Random").click()
    visitor.sees("Your move")
    assert visitor.match.ply == 2
