"""Boards of packaged games: the default board, and a package's own files."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agents.core import Candidate
from engine import Match, load_game
from engine.catalog import BUILT_IN, find_entry
from tests.documented import blocks
from tests.example_game import PAGE, forget
from tests.webapp.visitor import Visitor
from webapp.boards import board_for, plugins, preview_for
from webapp.boards.grid import Face, GridBoard, Scene, Shape, grid_board
from webapp.boards.plain import PlainBoard, PlainPicture
from webapp.boards.square import GridPicture

CHOMP = blocks(PAGE)


@pytest.fixture
def module(chomp: Path) -> ModuleType:
    find_entry("chomp")
    return sys.modules["chomp"]


def shown(spec: str, moves: str = "", **wishes: Any) -> Any:
    game = load_game(spec)
    match = Match.replay(game, [game.parse_move(text) for text in moves.split()])
    last = match.moves[-1] if match.moves else None
    wishes = {"may_move": match.outcome() is None, "outcome": match.outcome(), **wishes}
    return board_for(match, ply=match.ply, last_move=last, **wishes)


def cells(board: GridBoard) -> dict[str, Any]:
    return {cell.name: cell for row in board.rows for cell in row.cells}


@pytest.mark.usefixtures("chomp")
def test_a_package_draws_its_own_board_with_its_own_template() -> None:
    board = shown("chomp:preset=small", "b2")
    assert board.template == "games/chomp.html"
    assert [[cell.classes for cell in row.cells] for row in board.rows] == [
        ["", "gone last", "gone"],
        ["poison", "", ""],
    ]
    assert cells(board)["a1"].label == "a1, poisoned"
    assert cells(board)["b2"].action == "ask"
    assert cells(board)["c1"].action == "move"


@pytest.mark.usefixtures("chomp")
def test_values_and_hints_stand_on_the_cells_that_can_be_pressed() -> None:
    game = load_game("chomp:preset=small")
    best = Candidate(game.parse_move("c2"), 1.0, 1.0, proven=True, plies=6)
    board = shown("chomp:preset=small", values={"c2": best}, hint="c2")
    assert cells(board)["c2"].label == "c2, chocolate, win in 6, hint"
    assert cells(board)["c1"].badge is None


@pytest.mark.usefixtures("chomp")
def test_a_package_without_a_template_uses_that_of_the_grid(chomp: Path) -> None:
    (chomp / "chomp.html").unlink()
    assert shown("chomp").template == "boards/_grid.html"


def test_a_package_without_a_board_gets_text_and_a_button_for_each_move(
    chomp: Path, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    (chomp / "chomp.html").unlink()
    monkeypatch.delattr(module, "board")
    board = shown("chomp:preset=small", "c1", hint="a2")
    assert isinstance(board, PlainBoard)
    assert board.text.splitlines()[1] == "  2 │ # │ # │   │"
    assert [(move.id, move.text, move.classes) for move in board.moves] == [
        ("move-0", "a1", ""),
        ("move-1", "b1", ""),
        ("move-3", "a2", "hinted"),
        ("move-4", "b2", ""),
    ]
    assert shown("chomp", may_move=False).moves == ()


def test_a_board_that_fails_is_reported_and_shown_as_text(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "board", lambda scene: 1 / 0)
    assert isinstance(shown("chomp"), PlainBoard)
    assert isinstance(preview_for(find_entry("chomp")), PlainPicture)
    assert "the board of chomp failed" in caplog.text


@pytest.mark.usefixtures("chomp")
def test_the_card_shows_what_the_board_shows() -> None:
    picture = preview_for(find_entry("chomp"))
    assert isinstance(picture, GridPicture)
    assert (picture.width, picture.height, len(picture.cubes)) == (700, 400, 7 + 7 + 5 + 3)


@pytest.mark.parametrize("side", [0, 13])
def test_a_board_that_no_screen_holds_is_refused(side: int) -> None:
    scene = Scene(load_game("tictactoe"), load_game("tictactoe").start)
    with pytest.raises(ValueError, match="1 to 12 rows and columns"):
        grid_board(scene, Shape(3, side), lambda name: Face("empty"))


@pytest.mark.usefixtures("chomp")
def test_the_page_of_a_match_has_the_packages_style_and_no_others(start: Any) -> None:
    visitor = Visitor(start())
    visitor.begins("chomp", "random")
    page = visitor.get(visitor.path).text
    (sheet,) = re.findall(r'href="(/games/[^"]*)"', page)
    assert sheet.startswith("/games/chomp.css?v=")
    assert "boards/nim.css" not in page
    assert 'class="legend"' in page
    with visitor.get(sheet) as answer:
        assert answer.mimetype == "text/css"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.text == CHOMP["chomp/chomp.css"]


@pytest.mark.usefixtures("chomp")
@pytest.mark.parametrize(
    "path",
    [
        *("chomp.html", "chomp.py", "chomp.js", "__init__.py"),
        *("nim.css", "nobody.css", "..%2fchomp.css"),
    ],
)
def test_nothing_else_of_a_package_is_served(start: Any, path: str) -> None:
    assert start().test_client().get(f"/games/{path}").status_code == 404


@pytest.mark.usefixtures("chomp")
def test_the_lobby_has_a_card_for_a_game_without_any_drawing(
    start: Any, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(module, "board")
    monkeypatch.setattr(module, "CHOMP", replace(module.CHOMP, drawing=None, preview=None))
    forget()
    page = start().test_client().get("/")
    assert page.status_code == 200
    assert "Four small games" in page.text
    assert "7-7-7-7 x" in page.text


@pytest.mark.parametrize("entry", BUILT_IN, ids=lambda entry: entry.key)
def test_a_game_of_ours_has_no_home_elsewhere(entry: Any) -> None:
    assert plugins.package_file(entry.key, "css") is None


def test_a_lone_module_has_no_place_for_files() -> None:
    assert plugins._package_folder("this") is None


@pytest.mark.parametrize("sheet", sorted(Path("static/css/boards").glob("*.css")), ids=str)
def test_a_games_style_stays_within_its_board(sheet: Path) -> None:
    """Every rule of `<key>.css` is scoped to `#board-<key>`."""
    key = sheet.stem
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
    selectors = [found.strip() for found in re.findall(r"[^{};]+(?={)", text)]
    rules = [selector for selector in selectors if not selector.startswith("@")]
    ours = [one.strip() for rule in rules for one in re.split(r",(?![^()]*\))", rule)]
    known = {entry.key for entry in BUILT_IN}
    assert [selector for selector in ours if key in known and f"#board-{key}" not in selector] == []
