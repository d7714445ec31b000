"""Phones, lamps, projectors, quiet motion: every page in every state, each visited once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Response, expect

from engine.catalog import catalog
from tests.e2e.axe import faults, violations
from tests.e2e.conftest import Visit
from tests.e2e.scenes import STATES, Scene, at, quixo_picked
from tests.e2e.test_arena import done
from tests.e2e.test_lab import begin, ended
from tests.e2e.visitor import FRIEND, PHONE, PROJECTOR, Visitor
from tests.soak import sampled

SIZES = [(1280, 860), (900, 700), (640, 430), (320, 640)]  # the third is a laptop at 200 %
PROJECTORS = [(1280, 720), (1920, 1080)]


gallery_presented = at("/machines?game=nim&present=1")
machine_presented = at("/machines/nim-sum?present=1", "text=The rows in binary")

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
        "puzzle",
        "puzzle_missed",
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
    visit: Visit, state: Scene
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
def test_the_machines_are_read_from_the_last_row(visit: Visit, state: Scene) -> None:
    visitor = visit(**PROJECTOR)
    state(visitor)
    assert min(visitor.text_sizes()) >= 24
    assert visitor.misfits(PROJECTORS) == []


def trained(length: str, said: str, **wishes: int) -> Scene:
    def reach(visitor: Visitor) -> None:
        begin(visitor.page, length, **wishes)
        ended(visitor.page, said)

    return reach


def field_of_six(visitor: Visitor) -> None:
    six = ("random", "opportunist", "perfect", "minimax", "qlearning", "menace")
    visitor.goes_to("/arena?game=tictactoe&" + "&".join(f"machine={key}" for key in six))
    visitor.page.get_by_label("Name of the arena").fill("Small cup")
    visitor.page.get_by_label("Games a pair").fill("40")
    visitor.button("Let them play").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Small cup")
    done(visitor.page, "600")
    expect(visitor.page.get_by_role("region", name="Table")).to_be_visible()


COVER = "set-cover:things=20,sets=28,density=0.2,seed=3"
COMPARED = f"problem={COVER}&taken=5.12&compare=greedy&compare=astar&walk=astar"
NO_POLL = "main:not(:has([data-poll]))"
# What is looked at on a phone, and what of it on a projector too, beginning with its address.
WORK: dict[str, tuple[Scene, list[str], list[str]]] = {
    "arena": (field_of_six, ["", "/1-2", "/machines/1"], ["", "?seats=1", "?present=1"]),
    "training": (trained("2000", "2,000"), [""], ["?present=1"]),
    "trainings": (trained("200", "400", seeds=2), [""], []),
    "cover": (at(f"/optimise/set-cover?{COMPARED}", NO_POLL), [""], ["&present=1"]),
    "box": (at("/optimise/black-box?asked=ones.r2&open=1", NO_POLL), [""], ["&present=1"]),
} | {
    path: (at(path), [""], [])
    for path in ("/arena", "/train?game=custom:nim", "/brains", "/jobs", "/lab", "/optimise")
}


@pytest.mark.soak
@pytest.mark.parametrize(("reach", "narrow", "presented"), WORK.values(), ids=WORK)
def test_what_machines_work_on_fits_a_phone_and_a_projector(
    visit: Visit, reach: Scene, narrow: list[str], presented: list[str]
) -> None:
    visitor, phone = visit(), visit(**PHONE)
    projector = visit(**PROJECTOR, color_scheme="dark")
    reach(visitor)
    for look in narrow:
        phone.goes_to(visitor.page.url + look).page.wait_for_selector(NO_POLL)
        assert phone.misfits([(320, 640)]) + violations(phone.page) == [], look
        assert phone.page.evaluate(CUT_TABLES) == [], look
    for look in presented:
        projector.goes_to(visitor.page.url + look).page.wait_for_selector(NO_POLL)
        assert violations(projector.page) == [], look
        assert projector.sideways_scroll() == 0, look
        assert projector.page.evaluate(CUT_TABLES) == [], look
        assert "present" not in look or min(projector.text_sizes()) >= 24, look


# The table of an arena, where some of it is to be scrolled to.
CUT_TABLES = """[...document.querySelectorAll("[role=region][aria-label=Table]")]
  .map((table) => table.scrollWidth - table.clientWidth).filter((beyond) => beyond > 0)"""


def test_on_a_projector_a_machine_does_not_think_over_its_board(visit: Visit) -> None:
    visitor = visit(**PROJECTOR)
    machine_presented(visitor)
    board, thought = (
        visitor.page.locator(part).bounding_box() for part in ("figure.position", "#match")
    )
    assert board is not None
    assert thought is not None
    below = thought["y"] >= board["y"] + board["height"]
    assert below or thought["x"] >= board["x"] + board["width"]


def test_axe_finds_nothing_in_forced_colours(visit: Visit) -> None:
    visitor = visit(forced_colors="active")
    quixo_picked(visitor)
    assert violations(visitor.page) == []


def test_a_match_is_played_by_touch_on_a_small_phone(visit: Visit) -> None:
    visitor = visit(**PHONE).begins("Quixo", against="Random")
    visitor.sees("take a blank cube from the rim").cell("a1").tap()
    ghost = visitor.page.locator(".ghost:visible")
    for end in ("e1", "a5"):  # a finger cannot hover: its first press shows what would happen
        visitor.cell(end).tap()
        visitor.sees(f"Push a1 in at {end}?")
        expect(ghost.locator(".entering")).to_have_count(1)
    visitor.cell("a5").tap()
    expect(visitor.page.locator("#ply-2")).to_be_attached()
    assert str(visitor.match.moves[0]) == "a1-a5"
    visitor.sees("Your move")


def test_an_arrow_at_the_rim_can_be_pressed_itself(visitor: Visitor) -> None:
    visitor.begins("Quixo", against=FRIEND).cell("c1").click()
    visitor.sees("Push c1 back in at an arrow: a1, e1 or c5")
    box = visitor.cell("a1").bounding_box()
    assert box is not None
    visitor.page.mouse.click(box["x"] - 4, box["y"] + box["height"] / 2)  # beside the cube
    expect(visitor.page.locator("#ply-1")).to_have_text("c1-a1")


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


@pytest.mark.parametrize("wide", [1280, 700, 360])
def test_whatever_the_status_says_the_board_and_the_names_stay_where_they_are(
    visit: Visit, wide: int
) -> None:
    visitor = visit(viewport={"width": wide, "height": 800})
    visitor.begins("Quixo", against="quixo-deep:level=learner")
    names = visitor.page.locator(".seat b")

    def places() -> list[Any]:
        """To the pixel."""
        boxes = [visitor.grid.bounding_box(), *(name.bounding_box() for name in names.all())]
        return [{side: round(at) for side, at in box.items()} for box in boxes if box]

    stood = places()
    assert names.evaluate_all("(all) => all.every((b) => b.scrollWidth <= b.clientWidth)")
    for press, says in (("b2", "only rim cubes"), ("b1", "Push b1 back in"), ("b1", "Your move")):
        visitor.cell(press).click(force=True)  # some are no moves
        visitor.sees(says)
        assert places() == stood, says


@pytest.mark.parametrize("wide", [360, 320])
def test_nine_matches_stand_on_one_line_of_a_phone(visit: Visit, wide: int) -> None:
    visitor = visit(**PHONE | {"viewport": {"width": wide, "height": 740}})
    visitor.begins("Nim", against=FRIEND)
    row = visitor.page.locator("[data-heap=e] .stick")
    boxes = [stick.bounding_box() for stick in row.all()]
    assert len(boxes) == 9
    assert len({box["y"] for box in boxes if box}) == 1
    assert min(box["width"] for box in boxes if box) >= 24
    assert visitor.sideways_scroll() == 0
