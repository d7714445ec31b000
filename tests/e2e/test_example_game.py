"""Chomp as docs/adding-a-game.md writes it, played in a browser; and a game without any board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Visit
from tests.e2e.serving import serving
from tests.e2e.visitor import Visitor
from tests.example_game import importable, install, install_bare
from tests.soaking import sampled

SMALL = "3 × 2"
OPPONENTS = {
    title: title
    for title in ("Random", "Perfect", "Minimax", "Monte Carlo tree search", "Q-learner")
}
SCREENS = [(1280, 800, "light"), (320, 640, "dark")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in whose environment both are installed."""
    target: Path = tmp_path_factory.mktemp("installed")
    install(tmp_path_factory.mktemp("package"), target)
    install_bare(target)
    data = tmp_path_factory.mktemp("data")
    with importable(target), serving(data, PYTHONPATH=str(target)) as address:
        yield address


@pytest.mark.parametrize("opponent", sampled(OPPONENTS, "Minimax"))
def test_who_begins_and_plays_well_wins_at_chomp(visitor: Visitor, opponent: str) -> None:
    visitor.begins("Chomp", variant=SMALL, against=opponent).plays_on(by="perfect")
    visitor.sees(f"You win: {opponent}").sees("ate the poisoned square")


def test_who_bites_the_poison_loses(visitor: Visitor) -> None:
    visitor.begins("Chomp", against="Perfect").plays("a1")
    visitor.sees("Perfect wins: you ate the poisoned square")


@pytest.mark.soak
def test_a_bar_too_large_to_learn_has_fewer_opponents(visitor: Visitor) -> None:
    visitor.page.goto("/")
    card = visitor.card("Chomp")
    visitor.chooses(card.get_by_label("Variant"), "10 × 10")
    offered = card.get_by_label("Opponent").locator("option").all_inner_texts()
    assert not {"Perfect", "Q-learner"} & set(offered)
    assert {"Random", "Minimax", "Monte Carlo tree search"} <= set(offered)


def test_arrow_keys_walk_over_the_bar(visitor: Visitor) -> None:
    visitor.begins("Chomp", against="A friend, on this screen")
    visitor.cell("a1").focus()
    visitor.presses("ArrowUp", "ArrowRight")
    expect(visitor.cell("b2")).to_be_focused()
    visitor.presses("Enter")
    visitor.sees("Player o to move")
    expect(visitor.cell("b2")).to_have_accessible_name("b2, eaten, last move")


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
@pytest.mark.parametrize(("game", "variant"), [("Chomp", "10 × 10"), ("Bare", "7 × 4")])
def test_axe_finds_nothing_and_nothing_hangs_over(
    visit: Visit, game: str, variant: str, width: int, height: int, scheme: str
) -> None:
    visitor = visit(viewport={"width": width, "height": height}, color_scheme=scheme)
    visitor.page.goto("/")
    assert violations(visitor.page) == []
    visitor.begins(game, variant=variant, against="A friend, on this screen")
    assert violations(visitor.page) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_game_without_a_board_is_played_by_buttons(visitor: Visitor) -> None:
    visitor.begins("Bare", variant=SMALL, against="Perfect")
    expect(visitor.page.get_by_role("img", name="Position 3-3 x")).to_be_visible()
    visitor.button("c2").focus()
    visitor.presses("Enter")
    expect(visitor.page.locator("#ply-2")).to_be_attached()
    visitor.button("a1").click()
    visitor.sees("Perfect wins: you ate the poisoned square")


@pytest.mark.soak
def test_a_game_without_a_board_is_played_without_javascript(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    page.goto("/")
    card = visitor.card("Bare")
    card.get_by_label("Opponent").select_option(label="Perfect")
    card.get_by_role("button", name="Play", exact=True).click()
    visitor.button("b1").click()
    visitor.let_it_move().sees("Your move")
    visitor.button("a1").click()
    visitor.sees("Perfect wins: you ate the poisoned square")
