"""Boards on pages of other sites: nowhere by default, and only where the owner allows."""

import pytest

from tests.engine.test_drawing import pieces_of
from tests.webapp.visitor import Visitor
from webapp.config import ConfigError, origins

SITES = ("https://school.example", "https://*.wiki.example")


def board(answer):
    text = answer.text
    return pieces_of(text[text.index("<svg") : text.index("</svg>") + 6])


@pytest.mark.parametrize("path", ["/embed/positions", "/embed/matches/abc"])
def test_nothing_is_embedded_unless_the_owner_names_a_site(visitor, path):
    answer = visitor.get(path)
    assert answer.status_code == 404
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]


def test_sites_are_read_and_anything_else_is_refused():
    assert origins("ZERMELO_EMBED", " https://a.example, http://b.example:8080 ") == (
        "https://a.example",
        "http://b.example:8080",
    )
    for wrong in ("school.example", "https://a.example; script-src *", "javascript:x"):
        with pytest.raises(ConfigError, match="ZERMELO_EMBED"):
            origins("ZERMELO_EMBED", wrong)


@pytest.fixture
def framed(start):
    """A visitor of a server whose boards some sites may show."""
    return Visitor(start(embed=SITES))


def test_a_position_is_a_board_that_only_these_sites_may_frame(framed):
    answer = framed.get("/embed/positions?game=tictactoe&state=x.o/.x./..o+x&theme=dark")
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://school.example https://*.wiki.example")
    assert "script-src" not in policy
    assert '<meta name="color-scheme" content="dark">' in answer.text  # what is behind the board
    shown = [piece for piece, _, _ in board(answer)]
    assert (shown.count("cube-x"), shown.count("cube-o")) == (2, 2)
    assert 'href="/positions?game=tictactoe&amp;state=x.o/.x./..o+x" target="_blank"' in answer.text


def test_a_match_is_shown_after_any_ply_and_other_pages_stay_unframed(framed):
    framed.opens("tictactoe", ["b2", "a1"])
    path = f"/embed{framed.path}"
    counts = [
        sum(piece in ("cube-x", "cube-o") for piece, _, _ in board(framed.get(f"{path}{query}")))
        for query in ("?ply=1", "")
    ]
    assert counts == [1, 2]
    assert framed.get(f"{path}?ply=7").status_code == 404
    policy = framed.get(framed.path).headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy


@pytest.mark.parametrize("query", ["game=go", "game=tictactoe&state=nonsense"])
def test_what_is_no_position_is_said_and_not_framed(framed, query):
    answer = framed.get(f"/embed/positions?{query}")
    assert answer.status_code == 422
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
