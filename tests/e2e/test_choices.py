"""Choices: an opponent in the lobby, matches to take, the end to push a cube in at."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import FRIEND, Visitor

ANY_MOVE = "Picks any legal move"  # Random


def play_button(card: Locator) -> Locator:
    return card.get_by_role("button", name="Play", exact=True)


def test_the_card_follows_the_opponent_whatever_is_typed_and_its_skill_is_set(
    visitor: Visitor,
) -> None:
    card = visitor.free_card("Tic-tac-toe")
    opponent, skill = card.get_by_label("Opponent"), card.get_by_label("Skill").first
    visitor.chooses(opponent, "Perfect")
    expect(card).to_contain_text("Has worked out every position")
    expect(card.get_by_role("img", name="Strength 5 of 5")).to_be_visible()
    card.get_by_text("Advanced").click()
    skill.fill("7")
    visitor.chooses(opponent, "Minimax")
    expect(card.get_by_label("Depth")).to_have_value("3")
    assert card.locator("form").evaluate("form => form.checkValidity()")
    visitor.chooses(opponent, "Random")
    expect(card).to_contain_text(ANY_MOVE)
    expect(opponent).to_be_focused()
    visitor.chooses(opponent, "Perfect")
    skill.fill("0.5")
    play_button(card).click()
    expect(visitor.page.get_by_text("skill 0.5", exact=True)).to_be_visible()


def test_choices_made_while_another_is_on_its_way_are_kept(visitor: Visitor) -> None:
    card = visitor.free_card("Quixo")
    with visitor.without(""):
        card.get_by_label("Opponent", exact=True).select_option(label="Random")
        card.get_by_label("Variant").select_option(label="3 × 3")
        card.get_by_label("Who starts").select_option(label="By lot")
    expect(card).to_contain_text(ANY_MOVE)
    expect(card.get_by_label("Variant")).to_have_value("tiny")
    expect(card.get_by_label("Who starts")).to_have_value("lot")


def test_an_answer_while_a_key_is_held_is_shown_and_gives_way_to_the_next(visitor: Visitor) -> None:
    card = visitor.free_card("Quixo")
    opponent = card.get_by_label("Opponent", exact=True)
    visitor.page.keyboard.down("Shift")
    opponent.select_option(label="Random")
    expect(card).to_contain_text(ANY_MOVE)
    with visitor.without(""):
        visitor.page.keyboard.up("Shift")
        opponent.select_option(label="Opportunist")
    expect(card).not_to_contain_text(ANY_MOVE)
    expect(opponent).to_have_value("opportunist")
    expect(visitor.page.locator(".htmx-request")).to_have_count(0)


def test_a_choice_made_before_the_scripts_are_there_is_followed(visitor: Visitor) -> None:
    with visitor.without("main.js"):
        visitor.page.goto("/?game=tictactoe&choose=1", wait_until="commit")
        card = visitor.card("Tic-tac-toe")
        card.get_by_label("Opponent").select_option(label="Random")
    expect(card).to_contain_text(ANY_MOVE)


def test_heaps_are_ones_own_and_those_that_cannot_be_read_are_said_on_the_card(
    visit: Visit,
) -> None:
    visitor = visit(expected=(422,))
    card = visitor.free_card("Nim")
    visitor.chooses(card.get_by_label("Variant"), "Your own…")
    card.get_by_label("Heaps").fill("many")
    play_button(card).click()
    expect(card.get_by_role("note")).to_contain_text("many")
    card.get_by_label("Heaps").fill("4-4")
    card.get_by_label("Max take").fill("2")
    play_button(card).click()
    visitor.sees("Your move")
    assert visitor.match.game.spec == "nim:heaps=4-4,max_take=2"
    expect(visitor.page.get_by_text("Take 1 to 2 from one row")).to_be_visible()


def test_an_opponent_is_chosen_by_keyboard(visitor: Visitor) -> None:
    card = visitor.free_card("Tic-tac-toe")
    card.get_by_label("Opponent").focus()
    with visitor.page.expect_response(lambda answer: "opponent=random" in answer.url):
        visitor.presses("Home")
    expect(card).to_contain_text(ANY_MOVE)
    expect(card.get_by_label("Opponent")).to_be_focused()
    visitor.presses("Tab", "Tab", "Tab", "Enter").sees("Your move")
    assert "Random" in visitor.page.title()


def test_watching_by_keyboard_takes_two_machines(visitor: Visitor) -> None:
    card = visitor.free_card("Tic-tac-toe")
    card.get_by_role("radio", name="Play yourself").focus()
    with visitor.page.expect_response(lambda answer: "mode=watch" in answer.url):
        visitor.presses("ArrowRight")
    expect(card.get_by_label("First machine")).to_be_visible()
    visitor.chooses(card.get_by_label("First machine"), "Random")
    visitor.chooses(card.get_by_label("Second machine"), "Opportunist")
    expect(card.get_by_label("Who starts")).to_be_hidden()
    card.get_by_role("button", name="Watch", exact=True).press("Enter")
    visitor.page.wait_for_url("**/matches/*")
    assert "Random against Opportunist" in visitor.page.title()


def test_a_long_name_does_not_push_the_board_down(visitor: Visitor) -> None:
    plain = visitor.begins("Quixo", against="Random", variant="3 × 3").grid.bounding_box()
    visitor.goes_to("/?game=quixo&preset=tiny&opponent=quixo-deep:level=grandmaster")
    play_button(visitor.card("Quixo")).click()
    visitor.page.wait_for_url("**/matches/*")
    long = visitor.grid.bounding_box()
    assert plain
    assert long
    assert abs(long["y"] - plain["y"]) < 24  # the line of its level, and no more


def test_matches_are_picked_by_a_press_or_a_number_and_a_hint_leaves_them_alone(
    visitor: Visitor,
) -> None:
    visitor.begins("Nim", against=FRIEND)
    picked = visitor.grid.get_by_role("button", name=re.compile("picked$"))
    row = visitor.page.get_by_label("From row", exact=True)
    number = visitor.page.get_by_label("take", exact=True)
    visitor.grid.get_by_role("button", name="take 3 from row c").click()
    expect(picked).to_have_count(3)  # with those to its right
    expect(number).to_have_value("3")
    visitor.sees("Take 3 from c?").follows("Hint")
    expect(visitor.grid.get_by_role("button", name=re.compile("hinted$")).first).to_be_visible()
    visitor.sees("Take 3 from c?").grid.get_by_role("button", name="take 2 from row d").click()
    expect(picked).to_have_count(2)
    visitor.follows("Cancel")
    expect(picked).to_have_count(0)
    visitor.sees("that wins")  # the hint, now that nothing is picked
    assert visitor.played == []
    row.select_option("e")
    number.fill("4")
    expect(picked).to_have_count(4)
    visitor.button("Take 4 from e").click()
    visitor.sees("Orange to move")
    assert visitor.played == ["e4"]


def test_an_end_shows_the_pushed_line_and_another_cube_can_be_picked(visitor: Visitor) -> None:
    visitor.begins("Quixo", against=FRIEND).cell("b1").click()
    visitor.sees("Push b1 back in at an arrow: a1, e1 or b5")
    ghosts = visitor.page.locator(".ghost")
    expect(ghosts).to_have_count(3)
    visitor.cell("b5").hover()
    expect(ghosts.nth(2)).to_be_visible()
    expect(ghosts.nth(0)).to_be_hidden()
    visitor.page.mouse.move(0, 0)
    visitor.cell("b1").focus()
    visitor.presses("ArrowLeft")
    expect(ghosts.nth(0)).to_be_visible()
    visitor.cell("d5").click()
    visitor.sees("Push d5 back in").cell("d5").click()
    visitor.sees("Player x to move")
