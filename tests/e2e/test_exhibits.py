"""Open heads: each kind opened, stepped, by mouse and keyboard, on every screen, without script."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.axe import faults, violations
from tests.e2e.conftest import Visit
from tests.e2e.visitor import PROJECTOR, Visitor
from tests.soaking import sampled
from tests.webapp.visitor import OWN_PAGE

SIZES = [(1280, 860), (640, 430), (320, 640)]
SMALLEST = 23.9  # pixels of text on a projector


@dataclass(frozen=True)
class Kind:
    """An exhibit, something in it that can be pressed, and what is there only after that."""

    game: str
    agent: str
    title: str
    control: str
    shows: str
    focus: str = ""  # where it is after the press, if not on what was pressed
    part: str = ""  # of the exhibit, if not what it opens with
    moves: str = ""  # of a match that is over

    @property
    def opener(self) -> str:
        return "What it would learn" if self.moves else "Open its head"


ON_THE_BOARD = "#status:has-text('What it expects: after 2 of')"
KINDS = {
    "columns": Kind(
        "nim", "nim-expert", "The heaps in binary", "#close", "text=Open its head", "#show"
    ),
    "matchbox": Kind(
        "tictactoe", "menace:games=1000", "The matchbox", "#age-2", "#exhibit >> text=in 10 games"
    ),
    "numbers": Kind(
        "tictactoe", "qlearning", "What it has learned", ".figures summary", ".figures[open] table"
    ),
    "samples": Kind(
        "tictactoe", "mcts", "The games it played out", "nav a:text-is('10')", "text=After 10 games"
    ),
    "shelf": Kind(
        "tictactoe",
        "menace:games=1000",
        "The matchbox",
        "#way-2",
        "text=Page 1 of 27",
        part="&part=boxes&step=1",
    ),
    "lessons": Kind(
        "tictactoe",
        "menace:games=1000",
        "What it would learn",
        "#close",
        "#lesson",
        "#lesson",
        moves="a3 a1 b2 b3 c1",
    ),
    "genes": Kind("nim", "es-rules", "Its genes", "#gene-more-odd", "text=as it evolved,"),
    "mixture": Kind(
        "nim", "es-mix", "What it is made of", ".figures summary >> nth=0", ".figures[open] table"
    ),
    "weights": Kind(
        "quixo",
        "quixo-evolved:depth=1",
        "Its weights by line kind",
        ".figures summary >> nth=0",
        ".figures[open] table",
    ),
    "deepening": Kind(
        "quixo", "quixo-deep:level=expert", "How deep it looked", "#line-2", ON_THE_BOARD
    ),
    "answers": Kind("tictactoe", "perfect", "What is certain", "#line-2", ON_THE_BOARD),
}


def begin(visitor: Visitor, game: str, agent: str, query: str = "", **fields: str) -> Visitor:
    """A match against that agent, looked at with that query."""
    form = {"game": game, "opponent": agent} | fields
    begun = visitor.page.request.post("/matches", form=form, headers=OWN_PAGE, max_redirects=0)
    visitor.page.goto(begun.headers["location"] + query)
    return visitor


def meet(visitor: Visitor, kind: Kind, query: str = "") -> Visitor:
    """A match in which that kind can be opened."""
    if not kind.moves:
        return begin(visitor, kind.game, kind.agent, query)
    visitor.opens(kind.game, ["person", kind.agent], kind.moves)
    visitor.page.goto(visitor.page.url + query)
    return visitor


def head(visitor: Visitor) -> Locator:
    return visitor.page.locator("#exhibit")


@pytest.mark.parametrize("kind", sampled(KINDS, "columns", "matchbox"))
def test_a_head_is_opened_by_keys_fits_every_screen_and_axe_finds_nothing(
    visit: Visit, kind: Kind
) -> None:
    visitor = visit(color_scheme="light", reduced_motion="reduce")
    meet(visitor, kind, "?values=1").enters(kind.opener)
    expect(head(visitor).get_by_role("heading", name=kind.title)).to_be_visible()
    control, shown = head(visitor).locator(kind.control), visitor.page.locator(kind.shows)
    expect(shown).to_have_count(0)
    visitor.tabs_to(control).presses("Enter")
    expect(shown).to_be_visible()
    expect(visitor.page.locator(kind.focus) if kind.focus else control).to_be_focused()
    visitor.page.goto(f"{visitor.page.url.partition('?')[0]}?values=1")
    visitor.page.get_by_role("link", name=kind.opener).click()
    expect(head(visitor)).to_be_visible()
    visitor.page.goto(f"{visitor.page.url}{kind.part}")
    expect(head(visitor)).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    assert faults(visitor, SIZES) == []
    visitor.page.set_viewport_size(PROJECTOR["viewport"])
    visitor.page.goto(f"{visitor.page.url}&present=1")
    expect(head(visitor)).to_be_visible()
    assert min(visitor.text_sizes()) >= SMALLEST


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_without_javascript_every_head_is_opened_and_stepped(visit: Visit, kind: Kind) -> None:
    visitor = meet(visit(java_script_enabled=False), kind, "?values=1")
    visitor.page.get_by_role("link", name=kind.opener).click()
    visitor.looks_again_until(head(visitor))
    expect(head(visitor).get_by_role("heading", name=kind.title)).to_be_visible()
    shown = visitor.page.locator(kind.shows)
    expect(shown).to_have_count(0)
    head(visitor).locator(kind.control).click()
    visitor.looks_again_until(shown)
    expect(shown).to_be_visible()


@pytest.mark.soak
def test_with_its_box_open_the_machine_moves_when_the_bead_is_drawn(visit: Visit) -> None:
    visitor = visit()
    begin(visitor, "tictactoe", "menace:games=1000", "?values=1&show=1", starts="opponent")
    visitor.sees("to move")
    visitor.button("Draw a bead").click()
    visitor.sees("Your move")
    assert visitor.match.ply == 1
    expect(head(visitor)).to_be_visible()


def test_two_analysts_are_compared_and_put_away(visit: Visit) -> None:
    visitor = begin(visit(), "tictactoe", "random", "?values=1&agent=perfect")
    visitor.page.get_by_label("Compare with").select_option(label="Minimax")
    beside = visitor.page.locator("#compare")
    expect(beside.get_by_role("heading", name="Perfect and Minimax")).to_be_visible()
    expect(beside.get_by_role("table")).to_be_visible()
    assert violations(visitor.page) == []
    assert visitor.misfits(SIZES) == []
    beside.get_by_role("link", name="Close").click()
    expect(beside).to_have_count(0)


@pytest.mark.soak
def test_on_a_phone_a_gene_is_changed_without_scrolling_sideways(visit: Visit) -> None:
    phone = visit(viewport={"width": 320, "height": 640})
    begin(phone, "nim", "es-rules", "?values=1&show=1&agent=es-rules")
    buttons = phone.page.get_by_role("link", name=re.compile("^(less|more) "))
    expect(buttons.first).to_be_visible()
    assert buttons.evaluate_all("all => all.every(one => one.getBoundingClientRect().right < 310)")


def test_the_nim_sum_is_shown_on_request_at_every_width_and_on_a_projector(visit: Visit) -> None:
    visitor = begin(visit(), "nim", "random")
    sum_of_heaps = visitor.page.locator(".nim-sum output")
    expect(sum_of_heaps).to_have_count(0)
    visitor.page.get_by_role("link", name="Show the nim-sum").click()
    for width, height in [*SIZES, (900, 700), (1024, 768)]:
        visitor.page.set_viewport_size({"width": width, "height": height})
        expect(sum_of_heaps).to_be_visible()
        expect(visitor.page.locator(".heap .bits").first).to_be_visible()
    assert visitor.misfits(SIZES) == []
    visitor.page.goto(f"{visitor.page.url.partition('?')[0]}?present=1&aid=1")
    expect(sum_of_heaps).to_be_visible()
    assert visitor.scrolls_at([(1280, 720), (1920, 1080)]) == []


def test_the_line_it_expects_is_laid_over_the_board_and_stands_on_it_when_pressed(
    visit: Visit,
) -> None:
    visitor = begin(visit(), "tictactoe", "perfect", "?values=1")
    steps, over = visitor.page.locator(".expects a"), visitor.page.locator(".foreseen > div")
    expect(over.nth(1)).to_be_hidden()
    steps.nth(2).hover()
    expect(over.nth(1)).to_be_visible()
    visitor.tabs_to(steps.nth(3))
    expect(over.nth(2)).to_be_visible()
    visitor.presses("Enter")
    visitor.sees("What it expects: after 3 of")
    assert visitor.focused == "expects-3"
    expect(visitor.grid.get_by_role("button", name="empty")).to_have_count(6)
    assert violations(visitor.page) == []
    visitor.page.go_back()
    visitor.sees("Your move")


@pytest.mark.soak
def test_the_tree_that_grew_is_opened_by_keys(visit: Visit) -> None:
    visitor = begin(visit(), "tictactoe", "mcts:simulations=100", "?values=1&show=1")
    rows = head(visitor).locator(".answers")
    visitor.enters("The tree that grew")
    expect(rows).to_have_count(1)
    visitor.tabs_to(visitor.page.locator("#grown-0")).presses("Enter")
    expect(rows).to_have_count(2)
    assert visitor.focused == "grown-0"
    assert violations(visitor.page) == []
    assert visitor.misfits(SIZES) == []
