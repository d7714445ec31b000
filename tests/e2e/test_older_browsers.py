"""Phones that are a few years old: plainer, and every game can be played to its end."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.aged import age, age_further
from tests.e2e.conftest import Visit
from tests.e2e.test_class import asks, begins_class, does, joins_by_code, votes
from tests.e2e.visitor import OVER

PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 667}, "has_touch": True}
SIDES = [(375, 667), (320, 640), (1280, 860)]

# Where each thing drawn on a board is, and whether its colour is there.
PIECES = """(selector) => [...document.querySelectorAll(selector)].map((piece) => {
  const style = getComputedStyle(piece);
  const box = piece.getBoundingClientRect();
  const paint = [style.stroke, style.fill, style.backgroundImage].filter((p) => p !== "none");
  return { wide: box.width, high: box.height, paint };
})"""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "variant", "pieces", "scheme"),
    [
        ("Tic-tac-toe", "3 × 3", ".cube, .cube .mark:not(.maybe) > *", "dark"),
        ("Nim", "Marienbad, last loses", ".stick, .stick .match-stick", "light"),
        ("Quixo", "3 × 3", ".cube, .cube .mark:not(.maybe) > *", "light"),
    ],
)
def test_every_game_is_played_to_its_end(
    visit: Visit, game: str, variant: str, pieces: str, scheme: str
) -> None:
    visitor = visit(**PHONE, color_scheme=scheme)
    age(visitor.page.context)
    visitor.begins(game, against="Random", variant=variant)
    visitor.plays(str(visitor.match.state.legal_moves()[0]))
    visitor.when_due()
    drawn = visitor.page.evaluate(PIECES, pieces)
    assert all(piece["wide"] > 0 and piece["high"] > 0 and piece["paint"] for piece in drawn)
    assert len(drawn) > 4
    assert visitor.paper() == {"light": "rgb(246, 241, 231)", "dark": "rgb(23, 20, 17)"}[scheme]
    assert visitor.sideways_at(SIDES) == []
    visitor.plays_on(by="opportunist").sees(OVER)
    expect(visitor.button("Rematch")).to_be_visible()


@pytest.mark.soak
def test_an_old_phone_votes_in_a_class(visit: Visit) -> None:
    teacher, phone = visit(), visit(**PHONE)
    age(phone.page.context)
    joins_by_code(phone, begins_class(teacher))
    asks(teacher, "game=tictactoe&moves=a1,b2")
    votes(phone, "c3")
    votes(phone, "b1")
    drawn = phone.page.evaluate(PIECES, ".cube, .cube .mark:not(.maybe) > *")
    assert all(piece["wide"] > 0 and piece["high"] > 0 and piece["paint"] for piece in drawn)
    assert len(drawn) > 9
    assert phone.paper() == "rgb(246, 241, 231)"
    assert phone.sideways_at(SIDES) == []
    does(teacher, "Close the vote", "closed")
    phone.sees("The vote is closed.")
    does(teacher, "Reveal", "revealed")
    expect(phone.page.locator(".phone.phase-revealed")).to_contain_text("You said b1")
    asks(teacher, "game=quixo:size=3")
    expect(phone.page.locator(".phone.phase-open")).to_be_visible()
    phone.cell("a1").click()
    phone.grid.get_by_role("button", name=re.compile("push a1 in here")).first.click()
    phone.sees("Your answer: a1-")
    assert phone.sideways_at(SIDES) == []


@pytest.mark.soak
def test_without_style_a_game_is_still_played_to_its_end(visit: Visit) -> None:
    visitor = visit(**PHONE)
    age_further(visitor.page.context)
    visitor.begins("Tic-tac-toe", against="Random", variant="3 × 3")
    visitor.plays("b2")
    visitor.when_due()
    assert visitor.paper() == "rgba(0, 0, 0, 0)"
    drawn = visitor.page.evaluate(PIECES, ".cube .mark:not(.maybe) > *")
    strokes = [piece["paint"] for piece in drawn if piece["wide"] > 0 and piece["high"] > 0]
    assert strokes == [["rgb(0, 0, 0)"]] * 3  # two of x, one of o
    visitor.plays_on(by="opportunist").sees(OVER)
