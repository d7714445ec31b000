"""Export and import of matches."""

import json
from contextlib import contextmanager

import pytest
from sqlalchemy import select, update

from webapp.matches.store import MatchStore, digest_of
from webapp.services import NAME
from webapp.storage.database import Database
from webapp.storage.migrations.versions import m0009_limits
from webapp.storage.tables.matches import MatchRow

COLUMN = ("a1", "b1", "a2", "b2", "a3")
MIDDLE = "x.o/.x./... o"


def document(**changes):
    """A match in JSON, with some fields changed."""
    people = {"game": "tictactoe", "players": ["person", "person"], "moves": []}
    return json.dumps({"format": "zermelo match 2"} | people | changes)


def test_a_match_is_exported_as_json_and_as_text(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1", "a2")
    answer = visitor.client.get(f"{visitor.path}.txt")
    assert answer.text == "game tictactoe\n1. a1 b1\n2. a2\nunfinished\n"
    assert answer.mimetype == "text/plain"
    visitor.moves("b2", "a3")
    record = visitor.record
    assert record["format"] == "zermelo match 2"
    assert record["moves"] == list(COLUMN)
    assert record["result"] == "first wins: line"
    assert record["state"] == "x../xo./xo. o"


@pytest.mark.stores
@pytest.mark.parametrize("kind", ["json", "txt"])
def test_what_was_exported_can_be_imported(visitor, stranger, kind):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1", "a2")
    text = visitor.client.get(f"{visitor.path}.{kind}").text
    stranger.path = stranger.post("/matches/import", {"text": text}).location
    assert stranger.record["moves"] == ["a1", "b1", "a2"]
    assert stranger.match.may_move


@pytest.mark.stores
@pytest.mark.parametrize("kind", ["json", "txt"])
def test_a_resignation_survives_export_and_import(visitor, kind):
    visitor.begins("nim", "person")
    visitor.moves("e3")
    visitor.does("resign")
    text = visitor.client.get(f"{visitor.path}.{kind}").text
    visitor.path = visitor.post("/matches/import", {"text": text}).location
    assert visitor.record["result"] == "first wins: resignation"


@pytest.mark.stores
def test_a_file_that_was_imported_is_recognised_without_replaying_or_locking(
    app, visitor, monkeypatch
):
    one = json.loads(document(moves=list(COLUMN), result="first wins: line"))
    same_second = {"own": [0], "began": 1_700_000_000, "updated": 1_700_000_000}
    others = [
        one | same_second | {"moves": list(COLUMN[:plies]), "result": "unfinished"}
        for plies in range(5)
    ]
    text = json.dumps({"format": "zermelo matches 1", "matches": [one | same_second, *others]})
    assert visitor.post("/matches/import", {"text": text}).status_code == 303
    store = app.extensions[NAME][MatchStore]
    before = [record.id for record in store.of_player(owner_of(store), 100, 0)]
    assert len(before) == 6

    def fails(*_, **__):
        raise AssertionError("it wrote, or loaded a match")

    monkeypatch.setattr(MatchStore, "load", fails)
    monkeypatch.setattr(type(store.database), "write", fails)
    assert visitor.post("/matches/import", {"text": text}).status_code == 303
    monkeypatch.undo()
    assert [record.id for record in store.of_player(owner_of(store), 100, 0)] == before


def test_a_file_is_replayed_before_other_writers_are_kept_waiting(visitor, monkeypatch):
    of_file = {"own": [0], "began": 1_700_000_000, "updated": 1_700_000_000}
    one = json.loads(document(moves=list(COLUMN), result="first wins: line")) | of_file
    text = json.dumps({"format": "zermelo matches 1", "matches": [one]})
    write = Database.write

    def fails(*_):
        raise AssertionError("it replays a match while it holds the lock")

    @contextmanager
    def watched(database):
        with write(database) as cursor, monkeypatch.context() as patch:
            patch.setattr("webapp.replays.models.replayed", fails)
            yield cursor

    monkeypatch.setattr(Database, "write", watched)
    assert visitor.post("/matches/import", {"text": text}).status_code == 303


@pytest.mark.stores
def test_the_digest_of_a_match_follows_its_moves(app, visitor):
    visitor.begins("tictactoe", "person")
    store = app.extensions[NAME][MatchStore]
    (digest,) = store.database.fetch(select(MatchRow.digest))
    visitor.moves("a1", "b1")
    visitor.does("undo")
    (later,) = store.database.fetch(select(MatchRow.digest))
    record = store.find(visitor.path.rpartition("/")[2])
    assert later != digest
    assert later == (digest_of(record),)


@pytest.mark.stores
def test_matches_of_before_get_the_digest_they_would_have(app, visitor):
    visitor.begins("nim", "person")
    visitor.moves("e3")
    visitor.does("resign")
    database = app.extensions[NAME][MatchStore].database
    before = database.fetch(select(MatchRow.digest))
    with database.engine.begin() as connection:
        connection.execute(update(MatchRow).values(digest=None))
        m0009_limits._digest_matches(connection)
    assert database.fetch(select(MatchRow.digest)) == before


def owner_of(store):
    ((owner,),) = set(store.database.fetch(select(MatchRow.owner)))
    return owner


def test_an_imported_opponent_plays_on(visitor):
    text = document(game="nim", players=["person", "perfect"], moves=["e1"])
    visitor.path = visitor.post("/matches/import", {"text": text}).location
    assert visitor.hears().ply == 2


@pytest.mark.stores
@pytest.mark.parametrize(
    "text",
    [
        f"game tictactoe\nstate {MIDDLE}\n1. c1",
        document(start=MIDDLE, moves=["c1"]),
    ],
)
def test_a_match_may_begin_anywhere(visitor, text):
    visitor.path = visitor.post("/matches/import", {"text": text}).location
    assert (visitor.record["start"], visitor.record["state"]) == (MIDDLE, "x.o/.x./..o x")
    assert visitor.moves("a1").ply == 2
    assert visitor.client.get(f"{visitor.path}.txt").text == (
        f"game tictactoe\nstate {MIDDLE}\n1. c1 a1\nunfinished\n"
    )


def test_where_second_began_its_move_stands_in_its_own_column(visitor):
    text = f"game tictactoe\nstate {MIDDLE}\n1. c1 a1\n2. a2"
    visitor.path = visitor.post("/matches/import", {"text": text}).location
    turns = [[ply and ply.text for ply in turn.plies] for turn in visitor.match.turns]
    assert turns == [[None, "c1"], ["a1", "a2"]]


def test_a_match_from_elsewhere_is_played_again_from_there(visitor):
    text = f"game tictactoe\nstate {MIDDLE}\n1. c1 a1\n2. c2"
    visitor.path = visitor.post("/matches/import", {"text": text}).location
    assert visitor.record["result"] == "second wins: line"
    visitor.path = visitor.does("rematch").location
    assert visitor.record["state"] == MIDDLE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "game chess\n1. e4",
        "game tictactoe\n1. a1 a1",
        "game tictactoe\n1. a1 b1\ndraw: board full",
        "{",
        "{}",
        "[" * 5000,
        "{" * 5000,
        '{"format": "zermelo match 2"}',
        document(game=3, players=[], moves={}),
        document(players=["a", "b"]),
        document(players=["person"]),
        document(game="nim", moves=["e1 e1"]),
        document(result="first wins: line"),
        document(start="nowhere"),
        document(start=7),
        document(format="zermelo match 3"),
    ],
)
def test_what_is_no_match_is_refused_with_a_reason(visitor, text):
    answer = visitor.post("/matches/import", {"text": text})
    assert answer.status_code == 422
    assert visitor.seen["message"].text
    assert visitor.seen["text"] == text


@pytest.mark.stores
def test_anyone_plays_on_from_any_ply_in_a_match_of_their_own(visitor, stranger):
    visitor.begins("tictactoe", "person")
    visitor.moves(*COLUMN)
    stranger.path = stranger.post(f"{visitor.path}/play-on", {"ply": "2"}).location
    assert stranger.path != visitor.path
    assert stranger.record["moves"] == ["a1", "b1"]
    stranger.moves("c3")
    assert visitor.record["moves"] == list(COLUMN)


@pytest.mark.parametrize(
    ("begun", "ply", "players"),
    [
        ({"opponent": "perfect"}, 0, ["person", "perfect"]),
        ({"opponent": "random", "mode": "watch", "rival": "perfect"}, 1, ["random", "person"]),
    ],
)
def test_playing_on_keeps_the_machine_and_of_two_the_one_that_is_not_to_move(
    visitor, stranger, begun, ply, players
):
    visitor.begins("tictactoe", **begun)
    for _ in range(ply):
        visitor.hears()
    stranger.path = stranger.post(f"{visitor.path}/play-on", {"ply": ply}).location
    assert stranger.record["players"] == players


@pytest.mark.parametrize(("ply", "status"), [("5", 409), ("6", 404), ("x", 404)])
def test_there_is_no_playing_on_from_nowhere(visitor, ply, status):
    visitor.begins("tictactoe", "person")
    visitor.moves(*COLUMN)
    assert visitor.post(f"{visitor.path}/play-on", {"ply": ply}).status_code == status


def test_a_position_is_set_up_from_here_without_anyone_thinking_about_it(visitor):
    assert 'href="/positions">Set up a position</a>' in visitor.get("/matches/import").text
