"""Phones, lamps, projectors, quiet motion: every page in every state, each visited once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from engine.catalog import catalog
from tests.e2e.axe import faults, violations
from tests.e2e.conftest import Visit
from tests.e2e.visitor import BUSY, FRIEND, PHONE, PROJECTOR, Visitor
from tests.soaking import sampled

SIZES = [(1280, 860), (900, 700), (640, 430), (320, 640)]  # the third is a laptop at 200 %
PROJECTORS = [(1280, 720), (1920, 1080)]


State = Callable[[Visitor], None]


def address(url: str, shows: str = "h1") -> State:
    """A state that is an address; ready as soon as this selector is visible."""

    def reach(visitor: Visitor) -> None:
        visitor.page.goto(url)
        expect(visitor.page.locator(shows).first).to_be_visible()

    return reach


def begun(
    game: str,
    *moves: str,
    look: str = "",
    presses: str = "",
    shows: str = "#status",
    **wishes: Any,
) -> State:
    """A match after these moves, looked at so, in which the first of that text is pressed."""

    def reach(visitor: Visitor) -> None:
        visitor.begins(game, **{"against": FRIEND} | wishes).plays(*moves)
        if look:
            visitor.page.goto(f"{visitor.page.url}?{look}")
        if presses:
            visitor.page.locator(presses).first.click()
        expect(visitor.page.locator(shows).first).to_be_visible()

    return reach


BROKEN_OFF = "/positions?game=quixo&state=x.o.x/.xo../oox.x/..o../xo..o+o&values=1"
gallery_presented = address("/machines?game=nim&present=1")
machine_presented = address("/machines/nim-sum?present=1", "text=The heaps in binary")
THRICE = ["c1-e1", "c5-e5"] * 5  # the same position
quixo_picked = begun(
    "Quixo", "a1-a5", "e3-a3", presses="#cell-d5", shows="#status:has-text('Push d5 back in')"
)
STATES: dict[str, State] = {
    "lobby": address("/"),
    "gallery": address("/machines"),
    "machine": address("/machines/menace", "h3:has-text('matchbox')"),
    "machine_with_levels": address(
        "/machines/quixo-deep?game=quixo:size=3", "table:has-text('positions so far')"
    ),
    "set_up": address(BROKEN_OFF, ".candidates"),
    "set_up_heaps": address("/positions?game=nim:heaps=3-21&state=2-20+x&values=1", ".candidates"),
    "not_a_position": address("/positions?game=nim&state=many"),
    "rules": address("/how-to-play?game=quixo", "h1:has-text('Quixo, 5 × 5')"),
    "keys": address("/keys", "h1:has-text('Keys')"),
    "words": address("/words", "h1:has-text('Words')"),
    "learn": address("/learn"),
    "importing": address("/matches/import"),
    "not_found": address("/matches/nothing-of-the-kind"),
    "nim_large": begun("Nim", variant="Twenty-one, take 1 to 3", against="Random"),
    "nim_over": begun("Nim", "e9", "d7", "c5", "b3", "a1", shows="#status:has-text('wins')"),
    "nim_values": begun(
        "Nim",
        against="Perfect",
        look="values=1&hint=1",
        shows="main:has([aria-label^='take 9 from row e, hinted, win']) .candidates",
    ),
    "tictactoe_won": begun(
        *("Tic-tac-toe", "a1", "c3", "a2", "b2", "a3"),
        presses="text=Where did it turn?",
        shows="[aria-label='Every move as it was played']",
    ),
    "tictactoe_values": begun(
        "Tic-tac-toe",
        against="Perfect",
        presses="#values",
        shows=".candidates tr.chosen",
    ),
    "tictactoe_hint": begun(
        "Tic-tac-toe",
        against="Random",
        presses="#hint-button",
        shows=".hint-card h2:has-text('Try')",
    ),
    "quixo_picked": quixo_picked,
    "quixo_drawn": begun("Quixo", *THRICE, shows="#status:has-text('A draw')"),
    "asked_to_resign": begun(
        "Quixo", against="Random", presses="#resign", shows="text=Yes, resign"
    ),
    "presented": begun("Quixo", "a1-a5", look="present=1"),
    "thinking_presented": begun(
        "Quixo", against="Minimax", look="present=1&values=1", shows=".candidates"
    ),
}


def state(reach: State) -> State:
    """Enter a way to reach a state under its own name."""
    STATES[reach.__name__] = reach
    return reach


@state
def lobby_with_more(visitor: Visitor) -> None:
    visitor.page.goto("/")
    visitor.chooses(visitor.card("Nim").get_by_label("Variant"), "Your own…")
    visitor.card("Nim").get_by_text("Advanced").click()
    expect(visitor.card("Nim").get_by_label("Skill")).to_be_visible()


@state
def lobby_watching(visitor: Visitor) -> None:
    visitor.page.goto("/")
    visitor.watches("Quixo")
    expect(visitor.card("Quixo").get_by_label("First machine")).to_be_visible()


@state
def nim_picked(visitor: Visitor) -> None:
    visitor.begins("Nim", against=FRIEND).plays("d1")
    visitor.grid.get_by_role("button", name="take 8 from row e").click()


@state
def quixo_thinking(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    # The reply is held back, so that the state lasts.
    visitor.page.route("**/reply", lambda route: None)
    visitor.cell("a1").click()
    visitor.sees("Push a1 back in")  # pressed sooner, the second press would be dropped
    visitor.cell("a5").click()
    visitor.sees(BUSY)


@state
def watching(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", mode="Watch", against="Random", rival="Random").steps_to_ply(1)


@state
def shared(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("b2")
    visitor.page.get_by_text("Share", exact=True).click()
    visitor.page.context.clear_cookies()
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Play on from here")).to_be_visible()


@state
def refused(visitor: Visitor) -> None:
    visitor.begins("Nim", against=FRIEND)
    visitor.page.get_by_label("take", exact=True).fill("9")
    visitor.page.get_by_role("button", name="Take 9 from a").click()
    visitor.sees("Row a holds 1, you asked for 9.")


@state
def unreachable(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND)
    visitor.page.route("**/moves", lambda route: route.fulfill(status=500))
    visitor.cell("b2").click()
    expect(visitor.page.get_by_role("alert")).to_be_visible()


@state
def tree(visitor: Visitor) -> None:
    visitor.opens("tictactoe", ["person", "alphabeta"], "a3 b3 b2 c1")
    visitor.page.goto(f"{visitor.page.url}/tree?depth=9&open=2.0")
    expect(visitor.page.get_by_text("not looked at", exact=True).first).to_be_visible()


@state
def set_up_over(visitor: Visitor) -> None:
    visitor.page.goto("/positions?game=tictactoe&state=xxx/oo./...+o")
    visitor.page.get_by_text("Share", exact=True).click()


every_state = pytest.mark.parametrize(
    "state",
    sampled(
        STATES,
        "lobby",
        "machine_with_levels",
        "nim_picked",
        "nim_over",
        "quixo_picked",
        "watching",
        "refused",
        "presented",
        "tree",
        "set_up",
        "rules",
    ),
)
PROVOKED = (404, 422, 500)


# The values on a board that would be wider than their cell, were they the longest there are.
BADGES_TOO_WIDE = """
  [...document.querySelectorAll(".squares .badge")]
    .filter((badge) => {
      badge.textContent = "~ −.99";
      const [own, cell] = [badge, badge.closest("td")].map((box) => box.getBoundingClientRect());
      return own.left < cell.left || own.right > cell.right;
    })
    .map((badge) => badge.textContent)
"""


@every_state
def test_axe_finds_nothing_light_or_dark_and_it_fits_every_screen_and_thumb(
    visit: Visit, state: State
) -> None:
    visitor = visit(expected=PROVOKED, color_scheme="light", reduced_motion="reduce")
    state(visitor)
    assert faults(visitor, SIZES) == []


# Who is sure enough of something to write figures on the board of a match that begins.
WITH_FIGURES = {"Nim": "perfect", "Quixo": "mcts", "Tic-tac-toe": "mcts"}


@pytest.mark.parametrize("game", [entry.title for entry in catalog()])
def test_on_a_projector_all_is_seen_without_scrolling_from_the_last_row(
    visit: Visit, game: str
) -> None:
    visitor = visit(**PROJECTOR).begins(game, against=FRIEND)
    page, match = visitor.page, visitor.page.url
    page.goto(f"{match}?present=1")
    assert visitor.scrolls_at(PROJECTORS) == []
    page.goto(f"{match}?present=1&values=1&agent=minimax")
    expect(page.locator(".candidates")).to_be_visible()
    assert visitor.scrolls_at(PROJECTORS[:1]) == []
    assert page.evaluate(BADGES_TOO_WIDE) == []
    page.goto(f"{match}?present=1&values=1&agent={WITH_FIGURES[game]}")
    expect(page.locator(".badge.top").first).to_be_visible()
    assert min(visitor.text_sizes()) >= 23.9


@pytest.mark.parametrize("state", [gallery_presented, machine_presented])
def test_the_machines_are_read_from_the_last_row(visit: Visit, state: State) -> None:
    visitor = visit(**PROJECTOR)
    state(visitor)
    assert min(visitor.text_sizes()) >= 24
    assert visitor.misfits(PROJECTORS) == []


def test_on_a_projector_a_machine_does_not_think_over_its_board(visit: Visit) -> None:
    visitor = visit(**PROJECTOR)
    machine_presented(visitor)
    board, thought = (
        visitor.page.locator(part).bounding_box() for part in ("figure.position", "#match")
    )
    assert board is not None
    assert thought is not None
    assert thought["y"] >= board["y"] + board["height"]


def test_axe_finds_nothing_in_forced_colours(visit: Visit) -> None:
    visitor = visit(forced_colors="active")
    quixo_picked(visitor)
    assert violations(visitor.page) == []


def test_a_match_is_played_by_touch_on_a_small_phone(visit: Visit) -> None:
    visitor = visit(**PHONE).begins("Quixo", against="Random")
    visitor.cell("a1").tap()
    visitor.cell("a5").tap()
    visitor.sees("Your move")
    assert visitor.match.ply == 2


def test_moves_come_to_life_and_keep_still_for_those_who_want_that(visit: Visit) -> None:
    lively, still = visit(), visit(reduced_motion="reduce")
    lively.counts_animations().begins("Quixo", against=FRIEND).plays("a1-a5")
    still.counts_animations().begins("Quixo", against=FRIEND).plays("a1-a5")
    assert lively.animations() > 0
    assert still.animations() == 0


def test_the_theme_follows_the_system_until_it_is_chosen(visit: Visit) -> None:
    visitor = visit(color_scheme="dark")
    visitor.page.goto("/")
    assert visitor.paper() == "rgb(23, 20, 17)"
    visitor.page.get_by_role("button", name="Theme: System").click()
    assert visitor.paper() == "rgb(246, 241, 231)"
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Theme: Light")).to_be_visible()
    assert visitor.paper() == "rgb(246, 241, 231)"


def test_the_first_page_weighs_less_than_60_kilobytes_and_100_with_its_files(visit: Visit) -> None:
    visitor = visit()
    answers: list[Response] = []

    def keep(answer: Response) -> None:  # Playwright wants a function it can mark
        answers.append(answer)

    visitor.page.on("response", keep)
    visitor.page.goto("/")
    visitor.page.wait_for_load_state("networkidle")
    assert any(answer.url.partition("?")[0].endswith("/htmx.min.js") for answer in answers)
    assert len(answers[0].body()) < 60_000
    assert sum(len(answer.body()) for answer in answers) < 100_000
