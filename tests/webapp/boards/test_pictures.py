"""Images by address and by command: the boards, pieces and colours of the pages."""

import re
from random import Random
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest

from engine.catalog import all_variants
from engine.drawing import DAY, LAMP, UNIT
from tests.engine.test_drawing import pieces_of
from tests.positions import random_match
from tests.webapp.commands.command_line import assert_one_line, zermelo
from tests.webapp.serving.process import ROOT
from webapp.boards import picture_for


@pytest.mark.parametrize("game", all_variants(), ids=lambda game: game.spec)
def test_an_image_is_the_board_that_the_pages_draw(game):
    match = random_match(game, 40, Random(5))
    match = match.at(match.ply // 2 + 1)
    page = picture_for(game, match.state, match.moves[-1])
    placed = pieces_of(match.svg())
    if game.key == "nim":
        assert {(x, y) for piece, x, y in placed if piece == "stick"} == set(page.sticks)
        assert {(x, y) for piece, x, y in placed if piece == "burnt"} == set(page.gone)
    else:
        cubes = {(x, y, p.removeprefix("cube")[1:]) for p, x, y in placed if p != "here"}
        assert cubes == set(page.cubes)
        assert ("here", *page.last) in placed
        assert page.width == UNIT * len(str(match.state).partition("/")[0])


def test_the_colours_are_those_of_the_style_sheet():
    theme = (ROOT / "static" / "css" / "web" / "theme.css").read_text("utf-8")
    pattern = r"--([\w-]+): var\(--day, (#\w+)\) var\(--lamp, (#\w+)\)"
    colours = {name: pair for name, *pair in re.findall(pattern, theme)}
    assert {name: [DAY[name], LAMP[name]] for name in DAY} == {name: colours[name] for name in DAY}
    assert DAY.keys() == LAMP.keys()


def test_a_position_has_an_image_at_its_address(visitor):
    state = "x.o/.x./..o x"
    answer = visitor.get(f"/positions.svg?game=tictactoe&state={quote(state)}&theme=dark")
    assert answer.status_code == 200
    assert answer.mimetype == "image/svg+xml"
    assert "style-src 'unsafe-inline'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert zermelo("draw", "tictactoe", state, "--theme", "dark").stdout.strip() == answer.text
    assert (
        'download="position.svg"'
        in visitor.get(f"/positions?game=tictactoe&state={quote(state)}").text
    )


@pytest.mark.parametrize(
    "query", ["game=go", "game=tictactoe&state=nonsense", "game=quixo&state=%00"]
)
def test_what_is_no_position_has_no_image(visitor, query):
    assert visitor.get(f"/positions.svg?{query}").status_code == 422


def test_every_ply_of_a_match_has_an_image(visitor):
    visitor.opens("tictactoe", ["b2", "a1"])
    images = [visitor.get(f"{visitor.path}.svg?ply={ply}").text for ply in range(3)]
    shown = [sorted(piece for piece, _, _ in pieces_of(image)) for image in images]
    assert [each.count("cube-x") + each.count("cube-o") for each in shown] == [0, 1, 2]
    assert visitor.get(f"{visitor.path}.svg").text == images[2]
    assert ET.fromstring(images[1])[0].text == "Tic-tac-toe after ply 1: o to move"
    assert visitor.get(f"{visitor.path}.svg?ply=9").status_code == 404
    assert visitor.get("/matches/nothing.svg").status_code == 404
    page = visitor.get(f"{visitor.path}?ply=1").text
    assert f'href="{visitor.path}.svg?ply=1" download' in page


def test_a_command_draws_moves_and_says_what_is_wrong():
    drawn = zermelo("draw", "nim:heaps=3-4", "--moves", "b2")
    assert drawn.exit_code == 0
    assert [piece for piece, _, _ in pieces_of(drawn.stdout)].count("burnt") == 2
    assert_one_line(zermelo("draw", "nim", "--moves", "z9"), "is no move")
    assert_one_line(zermelo("draw", "nim", "1-1 x"), "does not look like")
    assert_one_line(zermelo("draw", "nim", "--theme", "blue"), "--theme")
