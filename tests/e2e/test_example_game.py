"""Chomp as docs/adding-a-game.md writes it, played in a browser; and a game without any board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.documented import install
from tests.e2e.axe import violations
from tests.e2e.conftest import Visit
from tests.e2e.server import serving
from tests.e2e.visitor import FRIEND, Visitor
from tests.example_game import PAGE, importable, install_bare
from tests.soak import sampled

SMALL = "3 × 2"
OPPONENTS = {
    title: title
    for title in ("Random", "Perfect", "Minimax", "Monte Carlo tree search", "Q-learner")
}
LOST = "Perfect wins: you ate the poisoned square"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in whose environment both are installed."""
    target = install(PAGE, tmp_path_factory.mktemp("chomp"))
    install_bare(target)
    data = tmp_path_factory.mktemp("data")
    with importable(target), serving(data, PYTHONPATH=str(target)) as served:
        yield served.address


@pytest.mark.parametrize("opponent", sampled(OPPONENTS, "Minimax"))
def test_who_begins_and_plays_well_wins_at_chomp(visitor: Visitor, opponent: str) -> None:
    visitor.begins("Chomp", variant=SMALL, against=opponent).plays_on(by="perfect")
    visitor.sees(f"You win: {opponent}").sees("ate the poisoned square")


def test_arrow_keys_walk_over_the_bar(visitor: Visitor) -> None:
    visitor.begins("Chomp", against=FRIEND)
    visitor.cell("a1").focus()
    visitor.presses("ArrowUp", "ArrowRight")
    expect(visitor.cell("b2")).to_be_focused()
    visitor.presses("Enter")
    visitor.sees("Player o to move")
    expect(visitor.cell("b2")).to_have_accessible_name("b2, eaten, last move")


@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 800, "light"), (320, 640, "dark")])
def test_axe_finds_nothing_and_nothing_hangs_over(
    visit: Visit, width: int, height: int, scheme: str
) -> None:
    visitor = visit(viewport={"width": width, "height": height}, color_scheme=scheme)
    visitor.page.goto("/")
    assert violations(visitor.page) == []
    for game, variant in {"Chomp": "10 × 10", "Bare": "7 × 4"}.items():
        visitor.begins(game, variant=variant, against=FRIEND)
        assert violations(visitor.page) == []
        assert visitor.sideways_scroll() == 0


def test_a_game_without_a_board_is_played_by_buttons(visitor: Visitor) -> None:
    visitor.begins("Bare", variant=SMALL, against="Perfect")
    expect(visitor.page.get_by_role("img", name="Position 3-3 x")).to_be_visible()
    visitor.button("c2").press("Enter")
    expect(visitor.page.locator("#ply-2")).to_be_attached()
    visitor.button("a1").click()
    visitor.sees(LOST)


@pytest.mark.soak
def test_a_game_without_a_board_is_played_without_javascript(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False).begins("Bare", against="Perfect")
    visitor.button("b1").click()
    visitor.let_it_move().sees("Your move").button("a1").click()
    visitor.sees(LOST)
