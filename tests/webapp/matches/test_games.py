"""Own games: the list, results against each machine, and export files."""

import json

import pytest

from agents.contest.ladder import next_rung
from agents.contest.strength import measured_fields
from agents.roster import agent_spec
from engine import load_game
from engine.catalog import catalog
from tests.webapp.visitor import HTMX, Visitor
from webapp.matches.own_games import machine_rows
from webapp.matches.store import Finished


def games(visitor, query=""):
    answer = visitor.get(f"/matches{query}")
    assert answer.status_code == 200
    return visitor.seen["games"]


@pytest.mark.stores
def test_games_are_listed_with_opponent_result_and_review(visitor):
    visitor.begins("tictactoe", "random")
    visitor.does("resign")
    visitor.begins("nim", "perfect")
    rows = {row.who: row for row in games(visitor).rows}
    assert rows["Random"].result == "lost"
    assert rows["Random"].review is None  # nothing was played
    assert rows["Perfect"].result == "goes on, 0 moves"


def test_a_friends_match_is_in_both_lists_and_a_strangers_in_none(app, visitor, stranger):
    friend = Visitor(app)
    link = visitor.begins("tictactoe", "friend").company.invitation.link
    friend.post(link.partition("localhost")[2])
    assert [row.who for row in games(visitor).rows] == ["Friend"]
    assert [row.who for row in games(friend).rows] == ["Friend"]
    assert games(stranger).rows == ()


def test_the_list_has_pages(visitor):
    for _ in range(21):
        visitor.begins("tictactoe", "random")
    first = games(visitor)
    assert (len(first.rows), first.newer, first.older) == (20, None, "/matches?page=2")
    second = games(visitor, "?page=2")
    assert (len(second.rows), second.newer, second.older) == (1, "/matches?page=1", None)
    assert len(games(visitor, "?page=🙂").rows) == 20


@pytest.mark.stores
def test_ones_record_against_a_machine_counts_wins_of_games_and_names_the_next(visitor):
    for resigns in (True, True, False):
        visitor.begins("nim", "random", preset="custom", **{"nim.heaps": "2", "nim.last": "wins"})
        visitor.does("resign") if resigns else visitor.moves("a2")
    weakest = "quixo-deep:level=first-steps"
    visitor.begins("quixo", weakest, preset="tiny")
    visitor.does("resign")
    custom, tiny = games(visitor).machines
    assert (custom.won, custom.played, custom.title, custom.next) == (1, 3, "Random", None)
    assert (tiny.won, tiny.next) == (
        0,
        next_rung("quixo:size=3", weakest).short,
    )


@pytest.mark.parametrize(
    ("game", "preset"),
    [(entry.key, preset.name) for entry in catalog() for preset in entry.presets],
)
def test_the_next_is_chosen_by_a_press(visitor, game, preset):
    rules = load_game(f"{game}:preset={preset}")
    beaten = measured_fields()[rules.spec].scores
    won = [Finished(rules.spec, ("person", spec), ("me", None), 0) for spec in beaten]
    rows = [row for row in machine_rows(won, "me") if row.next]
    assert rows
    named = [next_rung(rules.spec, spec) for spec in sorted(beaten)]
    cards = [card(visitor, row.next_url) for row in rows]
    assert {(setup.game, *chosen(setup.presets)) for setup in cards} == {(game, preset)}
    opponents = [
        chosen(c for group in setup.opponent.groups for c in group.choices) for setup in cards
    ]
    assert [agent_spec(*opponent, rules) for opponent in opponents] == [
        rung.spec for rung in named if rung
    ]


def card(visitor, url):
    visitor.get(url, **HTMX)
    return visitor.seen["setup"]


def chosen(choices):
    return [choice.value for choice in choices if choice.chosen]


@pytest.mark.parametrize("game", measured_fields())
def test_who_is_named_next_was_measured_stronger(game):
    field = measured_fields()[game]
    named = [(spec, next_rung(game, spec)) for spec in (*field.agents, *field.levels)]
    pairs = [(spec, rung.spec) for spec, rung in named if rung is not None]
    assert pairs
    assert [
        pair for pair in pairs if field.scores[pair[1]].rate <= field.scores[pair[0]].rate
    ] == []
    beaten = [dict(field.met(harder)).get(spec) for spec, harder in pairs]
    assert all(score is None or score.rate >= 0.5 for score in beaten)


@pytest.mark.parametrize("game", ["nim", "tictactoe", "quixo:size=4"])
def test_nobody_comes_after_the_one_who_never_loses(game):
    assert next_rung(game, "perfect") is None


def test_all_games_are_saved_as_one_file(visitor):
    assert games(visitor).rows == ()
    visitor.begins("tictactoe", "person")
    visitor.moves("b2", "a1")
    assert [file.label for file in games(visitor).files] == ["Save all 1 as a file"]
    assert "at most" not in games(visitor).files_note
    answer = visitor.get("/matches/export")
    assert answer.json["format"] == "zermelo matches 1"
    (match,) = answer.json["matches"]
    assert (match["moves"], match["own"]) == (["b2", "a1"], [0, 1])
    assert "attachment" in answer.headers["Content-Disposition"]


@pytest.mark.stores
def test_a_file_takes_all_games_to_another_browser_once(visitor, stranger):
    visitor.begins("tictactoe", "random")
    visitor.does("resign")
    visitor.begins("quixo", "person", preset="tiny")
    visitor.moves("a1-a3")
    text = visitor.get("/matches/export").text
    for _ in range(2):
        assert stranger.post("/matches/import", {"text": text}).location == "/matches"
    told = [
        sorted((row.game, row.result, row.date) for row in games(v).rows)
        for v in (visitor, stranger)
    ]
    assert told[0] == told[1]
    saved = [v.get("/matches/export").json["matches"] for v in (visitor, stranger)]
    assert sorted(saved[0], key=str) == sorted(saved[1], key=str)  # of one second, in any order
    assert visitor.post("/matches/import", {"text": text}).status_code == 303
    assert len(games(visitor).rows) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"moves": ["z9"]},
        {"own": "all"},
        {"own": [7]},
        {"began": -1},
        {"updated": 10**15},
        {"game": "chess"},
    ],
    ids=str,
)
def test_a_file_that_is_not_whole_is_refused_whole(visitor, stranger, change):
    visitor.begins("tictactoe", "person")
    data = visitor.get("/matches/export").json
    data["matches"].append(data["matches"][0] | change)
    answer = stranger.post("/matches/import", {"text": json.dumps(data)})
    assert answer.status_code == 422
    assert games(stranger).rows == ()


def test_a_file_of_too_many_or_none_is_refused(visitor):
    for matches in ([{}] * 301, "many", None):
        text = json.dumps({"format": "zermelo matches 1", "matches": matches})
        assert visitor.post("/matches/import", {"text": text}).status_code == 422


def limits(monkeypatch, **most):
    """Set smaller limits of export files, for writing and reading."""
    for name, value in most.items():
        for module in ("own_games", "imports"):
            monkeypatch.setattr(f"webapp.matches.{module}.{name}", value)


def test_a_file_holds_as_many_moves_as_can_be_opened_again(visitor, stranger, monkeypatch):
    for _ in range(3):
        visitor.begins("tictactoe", "person")
        visitor.moves("b2", "a1")
    whole = visitor.get("/matches/export").text
    limits(monkeypatch, MOST_MOVES=5)
    assert stranger.post("/matches/import", {"text": whole}).status_code == 422
    text = visitor.get("/matches/export").text
    assert stranger.post("/matches/import", {"text": text}).location == "/matches"
    assert len(games(stranger).rows) == 2


@pytest.mark.stores
@pytest.mark.parametrize(
    ("most", "labels"),
    [
        ({"MOST": 2}, ["Save 1 to 2", "Save 3 to 4", "Save 5 to 5"]),
        ({"MOST_MOVES": 6}, ["Save 1 to 3", "Save 4 to 5"]),
        ({"MOST_MOVES": 3}, [f"Save {n} to {n}" for n in range(1, 6)]),
    ],
    ids=str,
)
def test_what_is_too_much_for_a_file_goes_into_the_next(
    visitor, stranger, monkeypatch, most, labels
):
    for first in ("a1", "a2", "a3", "b1", "b3"):
        visitor.begins("tictactoe", "person")
        visitor.moves(first, "b2")
    limits(monkeypatch, **most)
    page = games(visitor)
    assert [file.label for file in page.files] == labels
    assert f"all 5 take {len(labels)} files" in page.files_note
    for file in page.files:
        text = visitor.get(file.url).text
        assert len(json.loads(text)["matches"]) == file.last - file.first + 1
        assert stranger.post("/matches/import", {"text": text}).location == "/matches"
    begun = [row["moves"] for row in exported(visitor)]
    assert sorted(begun) == sorted(row["moves"] for row in exported(stranger))
    assert len(begun) == 5


def exported(visitor):
    """The contents of all export files of a visitor."""
    files = [visitor.get(file.url).json["matches"] for file in games(visitor).files]
    return [match for file in files for match in file]


def test_a_file_that_is_not_there_is_said(visitor):
    assert visitor.get("/matches/export").json["matches"] == []
    visitor.begins("tictactoe", "person")
    assert visitor.get("/matches/export?file=2").status_code == 404
    assert len(visitor.get("/matches/export?file=🙂").json["matches"]) == 1
