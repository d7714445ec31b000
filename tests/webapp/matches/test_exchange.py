"""Export and import of matches."""

import json

import pytest

COLUMN = ("a1", "b1", "a2", "b2", "a3")


def test_a_match_is_exported_as_json(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves(*COLUMN)
    record = visitor.record
    assert record["format"] == "zermelo match 2"
    assert record["moves"] == list(COLUMN)
    assert record["result"] == "first wins: line"
    assert record["state"] == "x../xo./xo. o"


def test_a_match_is_exported_as_text(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1", "a2")
    answer = visitor.client.get(f"{visitor.path}.txt")
    assert answer.text == "game tictactoe\n1. a1 b1\n2. a2\nunfinished\n"
    assert answer.mimetype == "text/plain"


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


def test_an_imported_opponent_plays_on(visitor):
    data = {"format": "zermelo match 2", "game": "nim", "players": ["person", "perfect"]}
    text = json.dumps(data | {"moves": ["e1"]})
    visitor.path = visitor.post("/matches/import", {"text": text}).location
    assert visitor.hears().ply == 2


MIDDLE = "x.o/.x./... o"


@pytest.mark.stores
@pytest.mark.parametrize(
    "text",
    [
        f"game tictactoe\nstate {MIDDLE}\n1. c1",
        json.dumps(
            {
                "format": "zermelo match 2",
                "game": "tictactoe",
                "players": ["person", "person"],
                "start": MIDDLE,
                "moves": ["c1"],
            }
        ),
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
        '{"format": "zermelo match 2", "game": 3, "players": [], "moves": {}}',
        '{"format": "zermelo match 2", "game": "nim", "players": ["a", "b"], "moves": []}',
        '{"format": "zermelo match 2", "game": "nim", "players": ["person"], "moves": []}',
        '{"format": "zermelo match 2", "game": "nim", "players": ["person", "person"],'
        ' "moves": ["e1 e1"]}',
        '{"format": "zermelo match 2", "game": "tictactoe", "players": ["person", "person"],'
        ' "moves": [], "result": "first wins: line"}',
        '{"format": "zermelo match 2", "game": "tictactoe", "players": ["person", "person"],'
        ' "moves": [], "start": "nowhere"}',
        '{"format": "zermelo match 2", "game": "tictactoe", "players": ["person", "person"],'
        ' "moves": [], "start": 7}',
        '{"format": "zermelo match 3", "game": "tictactoe", "players": ["person", "person"],'
        ' "moves": []}',
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


def test_playing_on_against_the_machine_keeps_it_as_the_opponent(visitor, stranger):
    visitor.begins("tictactoe", "perfect")
    stranger.path = stranger.post(f"{visitor.path}/play-on", {"ply": "0"}).location
    assert stranger.record["players"] == ["person", "perfect"]


def test_playing_on_where_two_machines_play_takes_the_seat_to_move(visitor, stranger):
    visitor.begins("tictactoe", "random", mode="watch", rival="perfect")
    visitor.hears()
    stranger.path = stranger.post(f"{visitor.path}/play-on", {"ply": "1"}).location
    assert stranger.record["players"] == ["random", "person"]


@pytest.mark.parametrize(("ply", "status"), [("5", 409), ("6", 404), ("x", 404)])
def test_there_is_no_playing_on_from_nowhere(visitor, ply, status):
    visitor.begins("tictactoe", "person")
    visitor.moves(*COLUMN)
    assert visitor.post(f"{visitor.path}/play-on", {"ply": ply}).status_code == status


def test_a_position_is_set_up_from_here_without_anyone_thinking_about_it(visitor):
    assert 'href="/positions">Set up a position</a>' in visitor.get("/matches/import").text
