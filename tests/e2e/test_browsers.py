"""Phones a few years old, and Firefox and WebKit where they are installed: every game is played."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from agents import Limit, load_agent
from engine import Match, read_transcript
from tests.e2e.conftest import Visit
from tests.e2e.test_class import asks, begins_class, does, joins_by_code, votes
from tests.e2e.visitor import OVER, Visitor
from tests.e2e.webdriver import Driven, firefox, patiently, webkit

pytestmark = pytest.mark.soak

# What style sheets may say that no browser knew then, and how it is made unknown again: the
# browser then does with it what an old one does, which is to drop it, or to find `@supports` false.
YOUNG = (
    (r"light-dark\(", "unknown("),
    (r"color-mix\(", "unknown("),
    (r":has\(", ":unknown("),
    (r"@container", "@unknown"),
    (r"container-type", "unknown-type"),
    (r"(?<=\d)(?:[sdl]v[hwib]|cq(?:[iwhb]|min|max))\b", "unknown"),
    (r"(?<![-\w])(?:translate|rotate|scale|text-wrap|accent-color|field-sizing):", "unknown:"),
    (r"overflow: clip", "overflow: unknown"),
    (r"subgrid", "unknown"),
    (r"@starting-style|@scope|@property", "@unknown"),
    (r":user-(?:in)?valid|:popover-open|:open\b", ":unknown"),
)
LAYERS = (("@layer", "@unknown"),)  # older still: nothing of what our sheets say is known
SCRIPTS = """
  delete HTMLFormElement.prototype.requestSubmit;
  for (const name of ["findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with"]) {
    delete Array.prototype[name];
  }
  for (const name of ["structuredClone", "scheduler", "navigation"]) delete window[name];
  for (const name of ["showPopover", "hidePopover", "togglePopover", "popover"]) {
    delete HTMLElement.prototype[name];
  }
  delete Document.prototype.startViewTransition;
  delete Element.prototype.checkVisibility;
  delete Object.groupBy;
  delete Promise.withResolvers;
  delete URL.canParse;
  delete Set.prototype.union;
  const Whole = FormData;
  window.FormData = class extends Whole {
    constructor(form) {
      super(form); // a second argument, the pressed button, was not known
    }
  };
"""


def ages(context: BrowserContext, young: tuple[tuple[str, str], ...] = YOUNG) -> None:
    """From now on this browser knows neither these words of style sheets nor younger scripts."""

    def age_sheet(route: Route) -> None:
        answer = route.fetch()
        sheet = answer.text()
        for word, unknown in young:
            sheet = re.sub(word, unknown, sheet)
        route.fulfill(response=answer, body=sheet)

    context.add_init_script(SCRIPTS)
    context.route("**/*.css?*", age_sheet)


PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 667}, "has_touch": True}
SIDES = [(375, 667), (320, 640), (1280, 860)]

# Where each thing drawn on a board is, and whether its colour is there.
PIECES = """(selector) => [...document.querySelectorAll(selector)].map((piece) => {
  const style = getComputedStyle(piece);
  const box = piece.getBoundingClientRect();
  const paint = [style.stroke, style.fill, style.backgroundImage].filter((p) => p !== "none");
  return { wide: box.width, high: box.height, paint };
})"""
CUBES = ".cube, .cube .mark:not(.maybe) > *"


def pieces_drawn(visitor: Visitor, pieces: str) -> int:
    """How many there are, all of them with a size and a colour."""
    drawn = visitor.page.evaluate(PIECES, pieces)
    assert all(piece["wide"] > 0 and piece["high"] > 0 and piece["paint"] for piece in drawn)
    return len(drawn)


@pytest.mark.parametrize(
    ("game", "variant", "pieces", "scheme"),
    [
        ("Tic-tac-toe", "3 × 3", CUBES, "dark"),
        ("Nim", "Marienbad, last loses", ".stick, .stick .match-stick", "light"),
        ("Quixo", "3 × 3", CUBES, "light"),
    ],
)
def test_on_an_old_phone_every_game_is_played_to_its_end(
    visit: Visit, game: str, variant: str, pieces: str, scheme: str
) -> None:
    visitor = visit(**PHONE, color_scheme=scheme)
    ages(visitor.page.context)
    visitor.begins(game, against="Random", variant=variant)
    visitor.plays(str(visitor.match.state.legal_moves()[0])).when_due()
    assert pieces_drawn(visitor, pieces) > 4
    assert visitor.paper() == {"light": "rgb(246, 241, 231)", "dark": "rgb(23, 20, 17)"}[scheme]
    assert visitor.sideways_at(SIDES) == []
    visitor.plays_on(by="opportunist").sees(OVER)
    expect(visitor.button("Rematch")).to_be_visible()


def test_an_old_phone_votes_in_a_class(visit: Visit) -> None:
    teacher, phone = visit(), visit(**PHONE)
    ages(phone.page.context)
    joins_by_code(phone, begins_class(teacher))
    asks(teacher, "game=tictactoe&moves=a1,b2")
    votes(phone, "c3")
    votes(phone, "b1")
    assert pieces_drawn(phone, CUBES) > 9
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


def test_without_style_a_game_is_still_played_to_its_end(visit: Visit) -> None:
    visitor = visit(**PHONE)
    ages(visitor.page.context, LAYERS)
    visitor.begins("Tic-tac-toe", against="Random", variant="3 × 3")
    visitor.plays("b2").when_due()
    assert visitor.paper() == "rgba(0, 0, 0, 0)"
    drawn = visitor.page.evaluate(PIECES, ".cube .mark:not(.maybe) > *")
    strokes = [piece["paint"] for piece in drawn if piece["wide"] > 0 and piece["high"] > 0]
    assert strokes == [["rgb(0, 0, 0)"]] * 3  # two of x, one of o
    visitor.plays_on(by="opportunist").sees(OVER)


STATUS = 'document.getElementById("status")?.textContent'
DUE = f"return /Your move|wins?:|A draw:/.test({STATUS})"
GAMES = ["tictactoe", "nim&preset=marienbad", "quixo&preset=tiny"]


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def driven(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Driven]:
    profile: Path = tmp_path_factory.mktemp("profile")
    with firefox(profile) if request.param == "firefox" else webkit() as page:
        if page is None:
            pytest.skip(f"no {request.param} is installed")
        yield page


def match_at(address: str) -> Match[Any, Any]:
    with urllib.request.urlopen(f"{address}.txt", timeout=60) as answer:
        return read_transcript(answer.read().decode())


def press(page: Driven, move: str) -> None:
    """By what a person presses: a cube and an end, a match twice, a cell."""
    source, dash, target = move.partition("-")
    if dash:
        page.runs(f'document.getElementById("cell-{source}").click()')
        page.waits_for(f"return document.querySelector('button[value=\"{move}\"]') !== null")
        page.runs(f'document.getElementById("cell-{target}").click()')
    elif page.runs("return document.getElementById('board-nim') !== null"):
        page.runs(f"document.querySelector('[data-take=\"{move}\"]').click()")
        page.waits_for("return document.querySelector('.stick.picked') !== null")
        page.runs(f"document.querySelector('[data-take=\"{move}\"]').click()")
    else:
        page.runs(f'document.getElementById("cell-{move}").click()')


def play_to_the_end(page: Driven, address: str) -> None:
    match = match_at(address)
    agent = load_agent("opportunist", match.game)
    while match.outcome() is None:
        chosen = agent.analyse(match.state, limit=Limit(), rng=Random(match.ply)).choice
        press(page, str(chosen))
        ply = match.ply
        patiently(lambda ply=ply: match_at(address).ply > ply)  # type: ignore[misc]
        page.waits_for(DUE)
        match = match_at(address)


@pytest.mark.parametrize("game", GAMES)
def test_in_another_browser_every_game_is_played_to_its_end(
    driven: Driven, server: str, game: str
) -> None:
    driven.goes_to(f"{server}/?game={game}&opponent=random")
    key = game.partition("&")[0]
    driven.waits_for(f"return document.querySelector('#setup-{key} .go .primary') !== null")
    driven.runs(f"document.querySelector('#setup-{key} .go .primary').click()")
    address = driven.waits_for("return /matches/.test(location.pathname) && location.href")
    driven.waits_for(DUE)
    colour = driven.runs("return getComputedStyle(document.body).backgroundColor")
    assert colour in ("rgb(246, 241, 231)", "rgb(23, 20, 17)")
    play_to_the_end(driven, address)
    assert driven.runs("return document.getElementById('rematch') !== null")
    driven.waits_for(f"return /wins?:|A draw:/.test({STATUS})")
