"""A position set up by mouse, by keyboard and as text, and played to its end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import Visit
from tests.e2e.visitor import FRIEND, Visitor


def text_of(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("textbox", name="Position", exact=True)


def chosen(visitor: Visitor, mark: str) -> Locator:
    """The link that chooses what is placed; it is marked once it is chosen."""
    return visitor.page.get_by_role("link", name=f"Place {mark}")


def is_set(visitor: Visitor, cell: str, mark: str) -> None:
    expect(visitor.cell(cell)).to_have_accessible_name(re.compile(f"^{cell}, {mark}"))


def plays_it(visitor: Visitor, against: str) -> Visitor:
    visitor.page.get_by_label("Opponent").select_option(label=against)
    visitor.page.get_by_role("button", name="Play", exact=True).press("Enter")
    visitor.page.wait_for_url("**/matches/*")
    return visitor


@pytest.mark.soak
def test_a_position_pressed_together_by_mouse_is_played_to_its_end(visit: Visit) -> None:
    visitor = visit(viewport={"width": 320, "height": 640}).goes_to("/positions?game=tictactoe")
    for mark, cells in {"x": ("a3", "b3"), "o": ("a2", "b2")}.items():
        chosen(visitor, mark).click()
        expect(chosen(visitor, mark)).to_have_attribute("aria-current", "true")
        for cell in cells:
            visitor.cell(cell).click()
            is_set(visitor, cell, mark)
    visitor.sees("x to move")
    assert "state=xx." in visitor.page.url
    visitor.page.reload()  # the address is all there is
    plays_it(visitor, FRIEND).plays("c3").sees("Player x wins: three in row 3")


def test_a_position_set_up_by_keys_alone_is_played_by_keys_alone(visitor: Visitor) -> None:
    visitor.goes_to("/positions?game=quixo:size=3").cell("a1").focus()
    with visitor.page.expect_response(lambda answer: "state=" in answer.url):
        visitor.page.keyboard.down("Enter")
    visitor.is_answered()  # before the key is let go of
    visitor.page.keyboard.up("Enter")
    is_set(visitor, "a1", "x")
    visitor.presses("ArrowRight", "Enter")
    is_set(visitor, "b1", "x")
    assert visitor.focused == "cell-b1"
    chosen(visitor, "o").press("Enter")
    expect(chosen(visitor, "o")).to_have_attribute("aria-current", "true")
    visitor.cell("b3").press("Enter")
    is_set(visitor, "b3", "o")
    plays_it(visitor, FRIEND).cell("c3").press("Enter")
    visitor.sees("Push c3 back in").cell("c1").press("Enter")
    visitor.sees("Player x wins: three in row 1")


def test_a_pasted_position_is_shown_and_played_on_from(visit: Visit) -> None:
    visitor = visit(expected=(422,)).goes_to("/positions?game=nim")
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
    visitor.follows("Set up from here").cell("a1").click()
    chosen(visitor, "o").click()
    visitor.cell("e5").click()
    expect(text_of(visitor)).to_have_value("....o/...../...../...../x.... x")
    visitor.button("Mirror").click()
    visitor.button("o to move").click()
    expect(text_of(visitor)).to_have_value("o..../...../...../...../....x o")
    visitor.follows("Show what it thinks")
    expect(visitor.page.get_by_label("Whose thoughts")).to_be_visible()
    plays_it(visitor, "Random")
    assert str(visitor.match.state) == "o..../...../...../...../....x o"
