"""Phones, lamps, projectors, quiet motion: every page in every state, each visited once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Response, expect

from engine.catalog import catalog
from tests.e2e.axe import violations, violations_of_both_lamps
from tests.e2e.conftest import Visit
from tests.e2e.visitor import BUSY, FRIEND, Visitor
from tests.soaking import sampled

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
SIZES = [(1280, 860), (900, 700), (640, 430), (320, 640)]  # the third is a laptop at 200 %
PROJECTORS = [(1280, 720), (1920, 1080)]


State = Callable[[Visitor], None]
STATES: dict[str, State] = {}


def state(reach: State) -> State:
    """Enter a way to reach a state under its own name."""
    STATES[reach.__name__] = reach
    return reach


def address(url: str, shows: str = "h1") -> State:
    """A state that is an address; ready as soon as this selector is visible."""

    def reach(visitor: Visitor) -> None:
        visitor.page.goto(url)
        expect(visitor.page.locator(shows).first).to_be_visible()

    return reach


BROKEN_OFF = "/positions?game=quixo&state=x.o.x/.xo../oox.x/..o../xo..o+o&values=1"
gallery_presented = address("/machines?game=nim&present=1")
machine_presented = address("/machines/nim-sum?present=1", "text=The heaps in binary")
STATES |= {
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
}


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
def nim_large(visitor: Visitor) -> None:
    visitor.begins("Nim", variant="Twenty-one, take 1 to 3", against="Random")


@state
def nim_over(visitor: Visitor) -> None:
    visitor.begins("Nim", against=FRIEND).plays("e9", "d7", "c5", "b3", "a1").sees("wins")


@state
def tictactoe_won(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND).plays("a1", "c3", "a2", "b2", "a3")
    visitor.page.get_by_role("link", name="Where did it turn?").click()
    expect(visitor.page.get_by_role("region", name="Every move as it was played")).to_be_visible()


@state
def tictactoe_values(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Perfect")
    visitor.page.get_by_role("link", name="Show what it thinks").click()
    expect(visitor.page.locator(".candidates tr.chosen")).to_be_visible()


@state
def tictactoe_hint(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against="Random")
    visitor.page.get_by_role("link", name="Hint").click()
    expect(visitor.page.get_by_role("heading", name="Try")).to_be_visible()


@state
def quixo_picked(visitor: Visitor) -> None:
    visitor.begins("Quixo", against=FRIEND).plays("a1-a5", "e3-a3")
    visitor.cell("d5").click()
    visitor.sees("Push d5 back in")


@state
def quixo_drawn(visitor: Visitor) -> None:
    visitor.begins("Quixo", against=FRIEND).plays(*["c1-e1", "c5-e5"] * 5).sees("A draw")


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
def asked_to_resign(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Random")
    visitor.page.get_by_text("Resign", exact=True).click()


@state
def unreachable(visitor: Visitor) -> None:
    visitor.begins("Tic-tac-toe", against=FRIEND)
    visitor.page.route("**/moves", lambda route: route.fulfill(status=500))
    visitor.cell("b2").click()
    expect(visitor.page.get_by_role("alert")).to_be_visible()


@state
def presented(visitor: Visitor) -> None:
    visitor.begins("Quixo", against=FRIEND).plays("a1-a5")
    visitor.page.goto(f"{visitor.page.url}?present=1")


@state
def thinking_presented(visitor: Visitor) -> None:
    visitor.begins("Quixo", against="Minimax")
    visitor.page.goto(f"{visitor.page.url}?present=1&values=1")
    expect(visitor.page.locator(".candidates")).to_be_visible()


@state
def nim_values(visitor: Visitor) -> None:
    visitor.begins("Nim", against="Perfect")
    visitor.page.goto(f"{visitor.page.url}?values=1&hint=1")
    expect(
        visitor.page.get_by_role("button", name="take 9 from row e, hinted, win")
    ).to_be_visible()
    expect(visitor.page.locator(".candidates")).to_be_visible()


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
    found = violations_of_both_lamps(visitor.page)
    found["too small to press, or beyond the screen"] = visitor.misfits(SIZES)
    assert found == {where: [] for where in found}


every_game = pytest.mark.parametrize("game", [entry.title for entry in catalog()])


@every_game
def test_on_a_projector_nothing_has_to_be_scrolled_to(visit: Visit, game: str) -> None:
    visitor = visit().begins(game, against=FRIEND)
    visitor.page.goto(f"{visitor.page.url}?present=1")
    assert visitor.scrolls_at(PROJECTORS) == []


def test_the_nim_sum_on_a_projector_is_seen_without_scrolling(visit: Visit) -> None:
    visitor = visit().begins("Nim", against=FRIEND)
    visitor.page.goto(f"{visitor.page.url}?present=1&aid=1")
    expect(visitor.page.locator(".nim-sum output")).to_be_visible()
    assert visitor.scrolls_at(PROJECTORS) == []


@every_game
def test_what_it_thinks_fits_a_projector_too(visit: Visit, game: str) -> None:
    visitor = visit(viewport={"width": 1280, "height": 720}).begins(game, against="Minimax")
    visitor.page.goto(f"{visitor.page.url}?present=1")
    visitor.page.get_by_role("link", name="Show what it thinks").click()
    expect(visitor.page.locator(".candidates")).to_be_visible()
    assert visitor.scrolls_at(PROJECTORS[:1]) == []
    assert visitor.page.evaluate(BADGES_TOO_WIDE) == []


@pytest.mark.parametrize("state", [gallery_presented, machine_presented])
def test_the_machines_are_read_from_the_last_row(visit: Visit, state: State) -> None:
    visitor = visit(viewport={"width": 1280, "height": 720})
    state(visitor)
    assert min(visitor.text_sizes()) >= 24
    assert visitor.misfits(PROJECTORS) == []


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
