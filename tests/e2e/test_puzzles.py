"""Puzzles by mouse, finger, keyboard and without scripts, from the menu to the next one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from agents.puzzles.collection import shipped_puzzles
from agents.puzzles.models import Puzzle
from tests.e2e.conftest import Visit
from tests.e2e.visitor import PHONE, Visitor

QUIXO = next(
    each
    for each in shipped_puzzles()
    if (each.game, each.theme) == ("quixo", "two threats") and len(each.refutation) > 1
)
HELD = next(each for each in shipped_puzzles() if each.theme == "hold the draw")


def pushes(visitor: Visitor, move: str) -> None:
    source, target = move.split("-")
    visitor.cell(source).click()
    expect(visitor.page.locator(f"#cell-{target}[data-action=move]")).to_be_visible()
    visitor.cell(target).click()


def on_the_page(visitor: Visitor) -> Puzzle:
    which = visitor.page.locator("#match").get_attribute("data-match")
    return next(each for each in shipped_puzzles() if each.id == which)


def test_from_the_menu_to_a_refutation_a_second_try_and_the_next_one(visitor: Visitor) -> None:
    page = visitor.goes_to("/").page
    page.get_by_role("link", name="Puzzles", exact=True).click()
    expect(page.get_by_role("link", name="Puzzles", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    visitor.goes_to(f"/puzzles/{QUIXO.id}?game=quixo")
    pushes(visitor, QUIXO.refutation[0])
    visitor.sees("Not this one")
    expect(page.locator("#walk .count")).to_have_text(f"1 of {len(QUIXO.refutation)}")
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator("#walk .count")).to_have_text(f"2 of {len(QUIXO.refutation)}")
    page.get_by_role("link", name="Try again").click()
    pushes(visitor, QUIXO.solutions[0])
    visitor.sees("Right!")
    expect(page.locator("#result")).to_contain_text("wins in 2 moves of yours")
    expect(page.locator("#result")).to_contain_text("Proven: every line of play within 5 turns.")
    page.reload()
    visitor.sees("Right!")
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator("#hint-button")).to_be_visible()
    assert on_the_page(visitor).game.partition(":")[0] == "quixo"
    assert on_the_page(visitor) != QUIXO


def test_it_is_solved_with_keys_alone(visitor: Visitor) -> None:
    visitor.goes_to(f"/puzzles/{HELD.id}").presses("h")
    visitor.sees("Hint: look at column c.")
    visitor.cell(HELD.solutions[0]).focus()
    visitor.presses("Enter").sees("Right!")
    visitor.page.locator("#next").focus()  # on the board arrows go from cell to cell
    visitor.presses("ArrowRight")
    expect(visitor.page.locator("#walk .count")).to_contain_text("2 of")
    visitor.presses("Home")
    expect(visitor.page.locator("#walk .count")).to_contain_text("0 of")


@pytest.mark.parametrize("game", ["nim", "tictactoe", "quixo"])
def test_without_scripts_everything_is_pages(visit: Visit, game: str) -> None:
    visitor = visit(java_script_enabled=False).goes_to(f"/puzzles?game={game}")
    page, puzzle = visitor.page, on_the_page(visitor)
    page.get_by_role("button", name="Hint").click()
    visitor.sees("Hint:")
    move = puzzle.solutions[0]
    if game == "quixo":
        pushes(visitor, move)
    elif game == "nim":
        page.get_by_label("From row", exact=True).select_option(move[0])
        page.get_by_label("take", exact=True).fill(move[1:])
        page.locator("#take-button").click()
    else:
        visitor.cell(move).click()
    visitor.sees("Right!")
    page.get_by_role("link", name="Next puzzle").click()
    page.get_by_role("button", name="Show me").click()
    visitor.sees("The solution")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/matches/*")


def test_three_minutes_on_a_phone(visit: Visit) -> None:
    visitor = visit(**PHONE).goes_to("/puzzles/sprint?")
    page = visitor.page
    page.get_by_role("button", name="Begin 3 minutes").tap()
    expect(page.get_by_role("heading", name="Three minutes")).to_be_visible()
    before = on_the_page(visitor)
    page.get_by_role("button", name="Show me").tap()
    expect(page.locator("#match")).not_to_have_attribute("data-match", before.id)
    expect(page.locator("main")).to_contain_text("0 solved, 1 missed")


def test_every_word_of_the_menu_is_in_sight_on_a_small_phone(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = visitor.goes_to("/puzzles").page
    for word in ("Play", "Puzzles", "Machines", "Lab", "Learn", "Class"):
        box = (
            page.get_by_role("navigation", name="Pages")
            .get_by_role("link", name=word)
            .bounding_box()
        )
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
