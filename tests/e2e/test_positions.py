"""A position set up by mouse, by keyboard and as text, and played to its end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import Visitor

FRIEND = "A friend, on this screen"
OPEN = "x.o.x/.xo../oox.x/..o../xo..o o"


def text_of(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("textbox", name="Position", exact=True)


def plays_it(visitor: Visitor, against: str) -> Visitor:
    visitor.page.get_by_label("Opponent").select_option(label=against)
    visitor.page.get_by_role("button", name="Play", exact=True).click()
    visitor.page.wait_for_url("**/matches/*")
    return visitor


@pytest.mark.soak
def test_a_position_pressed_together_by_mouse_is_played_to_its_end(visit: Visit) -> None:
    visitor = visit(viewport={"width": 320, "height": 640})
    visitor.page.goto("/positions?game=tictactoe")
    for cell in ("a3", "b3"):
        visitor.cell(cell).click()
        expect(visitor.cell(cell)).to_have_accessible_name(re.compile(f"^{cell}, x"))
    visitor.page.get_by_role("link", name="Place o").click()
    expect(visitor.page.get_by_role("link", name="Place o")).to_have_attribute(
        "aria-current", "true"
    )
    for cell in ("a2", "b2"):
        visitor.cell(cell).click()
        expect(visitor.cell(cell)).to_have_accessible_name(re.compile(f"^{cell}, o"))
    visitor.sees("x to move")
    assert "state=xx." in visitor.page.url
    visitor.page.reload()  # the address is all there is
    plays_it(visitor, FRIEND).plays("c3").sees("Player x wins: three in row 3")


def test_a_cell_whose_answer_comes_before_the_key_is_let_go_of_is_set(visitor: Visitor) -> None:
    visitor.page.goto("/positions?game=quixo:size=3")
    visitor.cell("a1").focus()
    with visitor.page.expect_response(lambda answer: "state=" in answer.url):
        visitor.page.keyboard.down("Enter")
    visitor.is_answered()
    visitor.page.keyboard.up("Enter")
    expect(visitor.cell("a1")).to_have_accessible_name(re.compile("^a1, x"))


def test_a_position_set_up_by_keys_alone_is_played_by_keys_alone(visit: Visit) -> None:
    visitor = visit()
    visitor.page.goto("/positions?game=quixo:size=3")
    visitor.cell("a1").focus()
    visitor.presses("Enter")
    expect(visitor.cell("a1")).to_have_accessible_name(re.compile("^a1, x"))
    visitor.presses("ArrowRight", "Enter")
    expect(visitor.cell("b1")).to_have_accessible_name(re.compile("^b1, x"))
    assert visitor.focused == "cell-b1"
    visitor.page.get_by_role("link", name="Place o").focus()
    visitor.presses("Enter")
    expect(visitor.page.get_by_role("link", name="Place o")).to_have_attribute(
        "aria-current", "true"
    )
    visitor.cell("b3").focus()
    visitor.presses("Enter")
    expect(visitor.cell("b3")).to_have_accessible_name(re.compile("^b3, o"))
    visitor.page.get_by_label("Opponent").select_option(label=FRIEND)
    visitor.page.get_by_role("button", name="Play", exact=True).focus()
    visitor.presses("Enter")
    visitor.page.wait_for_url("**/matches/*")
    visitor.cell("c3").focus()
    visitor.presses("Enter")
    visitor.sees("Push c3 back in")
    visitor.cell("c1").focus()
    visitor.presses("Enter")
    visitor.sees("Player x wins: three in row 1")


def test_a_pasted_position_is_shown_and_played_on_from(visit: Visit) -> None:
    visitor = visit(expected=(422,))
    visitor.page.goto("/positions?game=nim")
    field = text_of(visitor)
    field.fill("nonsense")
    field.press("Enter")
    expect(visitor.page.get_by_role("note")).to_contain_text("'nonsense' does not look like")
    field.fill("0-0-0-0-2 x")
    field.press("Enter")
    expect(visitor.page.locator("#match-e2[value='0-0-0-0-1 x']")).to_be_visible()
    plays_it(visitor, FRIEND).plays("e1", "e1").sees("wins")


@pytest.mark.soak
def test_without_javascript_every_press_is_an_address(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    visitor.opens("quixo", ["person", "person"], "")
    visitor.page.get_by_role("link", name="Set up from here").click()
    visitor.cell("a1").click()
    visitor.page.get_by_role("link", name="Place o").click()
    visitor.cell("e5").click()
    expect(text_of(visitor)).to_have_value("....o/...../...../...../x.... x")
    visitor.page.get_by_role("button", name="Mirror").click()
    visitor.page.get_by_role("button", name="o to move").click()
    expect(text_of(visitor)).to_have_value("o..../...../...../...../....x o")
    visitor.page.get_by_role("link", name="Show what it thinks").click()
    expect(visitor.page.get_by_label("Whose thoughts")).to_be_visible()
    plays_it(visitor, "Random")
    assert str(visitor.match.state) == "o..../...../...../...../....x o"
