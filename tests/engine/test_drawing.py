"""Positions as SVG: read back from the image, they are the positions."""

from random import Random
from xml.etree import ElementTree as ET

import pytest

from engine import Match, load_game
from engine.catalog import all_variants
from engine.drawing import DAY, LAMP, PIECES, Theme, svg
from tests.positions import random_match

NAMES = {"s": "http://www.w3.org/2000/svg"}


def pieces_of(image):
    """(piece, x, y) of everything placed in an image, from outside its definitions."""
    root = ET.fromstring(image)
    uses = root.findall("s:use", NAMES)
    return [
        (use.get("href").partition("-")[2], int(use.get("x")), int(use.get("y"))) for use in uses
    ]


def text_of(image):
    """The rows or heaps that an image shows."""
    placed = pieces_of(image)
    if any(piece == "stick" for piece, _, _ in placed):
        ys = [y for piece, _, y in placed if piece == "stick"]
        return {y // 36: ys.count(y) for y in ys}
    cubes = {(x, y): piece for piece, x, y in placed if piece.startswith("cube")}
    side = range(0, max(x for x, _ in cubes) + 1, 100)
    return "/".join(
        "".join(cubes[x, y].removeprefix("cube")[1:] or "." for x in side) for y in side
    )


@pytest.mark.parametrize("game", all_variants(), ids=lambda game: game.spec)
def test_an_image_shows_the_position_and_the_last_move(game):
    for seed in range(10):
        match = random_match(game, 40, Random(seed))
        for ply in range(1, match.ply):
            at = match.at(ply)
            shown = text_of(at.svg())
            board = str(at.state).partition(" ")[0]
            last = str(at.moves[-1])
            gone = [piece for piece in pieces_of(at.svg()) if piece[0] in ("burnt", "here")]
            if game.key == "nim":
                assert shown == {r: int(n) for r, n in enumerate(board.split("-")) if n != "0"}
                assert len(gone) == int(last[1:])
            else:
                assert shown == board
                cell = last.rpartition("-")[2]
                rows = board.count("/") + 1
                column, row = "abcde".index(cell[0]), rows - int(cell[1])
                assert gone == [("here", 100 * column, 100 * row)]


def test_an_image_has_a_name_and_a_description_for_screen_readers():
    game = load_game("tictactoe")
    root = ET.fromstring(game.parse_state("x.o/.x./..o x")._repr_svg_())
    assert (root.get("role"), root[0].text) == ("img", "3 × 3 board, x to move")
    assert root[1].text == ("row 3: x, blank, o; row 2: blank, x, blank; row 1: blank, blank, o")
    match = Match.replay(game, map(game.parse_move, ("a1", "b2", "a2", "c3", "a3")))
    root = ET.fromstring(match._repr_svg_())
    assert root[0].text == "Tic-tac-toe after ply 5: first wins: line"
    assert root[1].text.endswith("; last move to a3")
    nim = ET.fromstring(load_game("nim:heaps=2-1").start._repr_svg_())
    assert (nim[0].text, nim[1].text) == ("Heaps of matches, x to move", "a 2, b 1")


def test_a_match_shows_its_moves_besides():
    game = load_game("tictactoe")
    figure = ET.fromstring(Match.begin(game).play(game.parse_move("b2"))._repr_html_())
    assert [each.tag.rpartition("}")[2] for each in figure] == ["svg", "figcaption"]
    assert "1. b2" in figure.find("figcaption/pre").text


def test_pictures_of_a_match_are_equally_wide():
    game = load_game("nim:heaps=1-7")
    match = Match.replay(game, map(game.parse_move, ("b6", "b1")))
    widths = {ET.fromstring(match.at(ply).svg()).get("width") for ply in range(3)}
    assert len(widths) == 1


def test_colours_are_the_readers_or_those_asked_for():
    start = load_game("quixo").start
    both = svg(start)
    assert DAY["wood-light"] in both
    assert LAMP["wood-light"] in both.partition("prefers-color-scheme:dark")[2]
    light, dark = (svg(start, theme=theme) for theme in Theme)
    assert (LAMP["first"] in light, DAY["first"] in dark) == (False, False)
    assert "@media" not in light


def test_a_game_with_another_text_is_shown_as_its_text():
    root = ET.fromstring(svg("<one & two> o", title="A game"))
    assert root[0].text == "A game"
    assert root.find("s:text", NAMES).text == "<one & two> o"
    assert ET.fromstring(svg("7"))[0].text == "Heaps of matches"


def test_pieces_are_named_apart_from_those_of_a_page():
    image = svg(load_game("quixo").start)
    ids = {each.get("id") for each in ET.fromstring(image).iter() if each.get("id")}
    assert ids.isdisjoint(each.get("id") for each in ET.fromstring(PIECES).iter())
