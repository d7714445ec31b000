"""An unreadable match is reported, and its owner's other matches still work."""

import pytest

from webapp.matches.store import MatchStore
from webapp.services import NAME

pytestmark = pytest.mark.stores


@pytest.fixture
def changes(visitor):
    """Two matches of one player, and a function that changes a column of the first."""
    visitor.begins("tictactoe", "person")
    broken = visitor.match.record.id
    visitor.moves("b2")
    visitor.begins("nim", "perfect")

    def change(table, column, value):
        where = "id" if table == "matches" else "match_id"
        with visitor.app.extensions[NAME][MatchStore].database.write() as cursor:
            cursor.execute(f"update {table} set {column} = {value} where {where} = '{broken}'")

    visitor.broken = f"/matches/{broken}"
    return change


WRONG = [
    ("matches", "game", "'gone:size=3'"),
    ("matches", "game", "'tictactoe:colour=red'"),
    ("matches", "start", "'nowhere'"),
    ("matches", "resigned", "7"),
    ("moves", "text", "'z9'"),
    ("moves", "text", "'a1 b1'"),
]


@pytest.mark.parametrize("row", WRONG, ids=str)
def test_the_lobby_shows_it_as_unreadable_beside_the_others_and_its_pages_say_so(
    visitor, changes, row
):
    changes(*row)
    assert visitor.get("/").status_code == 200
    offers = {line.url: line.offer for line in visitor.seen["lobby"].unfinished}
    assert offers == {visitor.broken: "Unreadable:", visitor.path: "Continue"}
    said = [
        (visitor.get(visitor.broken + tail).status_code, visitor.template)
        for tail in ("", ".json", ".txt", "/analysis", "/story", "?hint=1")
    ]
    assert said == [(410, "web/error.html")] * 6
    assert visitor.post(f"{visitor.broken}/moves", {"move": "a1", "revision": 1}).status_code == 410


def test_a_match_that_turns_out_to_be_over_is_said_to_be(visitor):
    visitor.begins("nim", "person")
    visitor.does("resign")
    with visitor.app.extensions[NAME][MatchStore].database.write() as cursor:
        cursor.execute("update matches set over = false")
    assert visitor.get("/").status_code == 200
    assert ", over, after 0 moves" in visitor.seen["lobby"].unfinished[0].text
