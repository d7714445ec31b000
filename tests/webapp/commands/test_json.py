"""The documents that other programs read: their shapes, and that they are right."""

import pytest

from engine import load_game
from engine.catalog import catalog
from tests.webapp.commands.command_line import document

COUNTS = ["wins", "draws", "losses"]
SERIES = ("match", "tictactoe", "perfect", "random", "--games", 11, "--seed", 4)
SPECS = ["random", "perfect", "perfect:skill=0.5"]


def test_a_match_is_counted_for_the_first_named_by_the_seat_it_had():
    series = document(*SERIES)
    shape = "game players games seed first second score interval plies seconds faults"
    assert list(series) == shape.split()
    assert list(series["first"]) == list(series["second"]) == COUNTS
    assert (series["game"], series["players"]) == ("tictactoe", ["perfect", "random"])
    assert (series["games"], series["seed"]) == (11, 4)
    assert (sum(series["first"].values()), sum(series["second"].values())) == (6, 5)
    assert series["first"]["losses"] == series["second"]["losses"] == 0
    points = sum(series[seat]["wins"] + series[seat]["draws"] / 2 for seat in ("first", "second"))
    low, high = series["interval"]
    assert series["score"] == points / 11
    assert 0 <= low < series["score"] <= high <= 1
    assert 5 * 11 <= series["plies"] <= 9 * 11
    assert series["seconds"] >= 0
    assert document(*SERIES) | {"seconds": 0} == series | {"seconds": 0}


def test_specs_are_given_in_their_shortest_form():
    series = document(
        "match", "nim:preset=marienbad", "random:by=move,skill=1", "random:by=heap", "--games", 1
    )
    assert series["game"] == "nim:heaps=1-3-5-7"
    assert series["players"] == ["random", "random:by=heap"]


def test_a_solution_has_this_shape():
    assert document("solve", "nim:heaps=2") == {
        "game": "nim:heaps=2",
        "value": "win",
        "plies": 2,
        "states": 4,
        "wins": 3,
        "draws": 0,
        "losses": 1,
        "moves": [
            {"move": "a1", "value": "win", "plies": 2},
            {"move": "a2", "value": "loss", "plies": 1},
        ],
    }


@pytest.mark.soak
@pytest.mark.usefixtures("full_boards")
def test_endgames_have_this_shape():
    solved = document("solve", "quixo", "--blanks", 0)
    shape = "game blanks classes wins losses draws longest seconds"
    assert list(solved) == shape.split()
    assert (solved["game"], solved["blanks"], solved["longest"]) == ("quixo", 0, 70)
    assert [(each["own"], each["other"]) for each in solved["classes"]] == [
        (own, 25 - own) for own in range(26)
    ]
    assert solved["classes"][25] == {"own": 25, "other": 0, "wins": 1, "losses": 0, "draws": 0}
    assert sum(each["wins"] for each in solved["classes"]) == solved["wins"] == 20_073_427


def test_an_analysis_says_what_each_move_is_worth_in_the_state_that_was_asked_about():
    thought = document("analyse", "tictactoe", "x.o/.x./..o x", "--agent", "perfect")
    shape = "game state to_move choice reason measure candidates evidence effort"
    assert list(thought) == shape.split()
    assert {tuple(fact) for fact in thought["evidence"]} == {("name", "value")}
    assert list(thought["effort"]) == ["nodes", "depth", "seconds"]
    assert (thought["game"], thought["state"]) == ("tictactoe", "x.o/.x./..o x")
    assert (thought["to_move"], thought["choice"]) == ("first", "c2")
    best, *others = thought["candidates"]
    assert best["line"][0] == "c2"
    assert list((best | {"line": []}).items()) == [
        ("move", "c2"),
        ("value", 0),
        ("chance", 1.0),
        ("proven", True),
        ("plies", 5),
        ("share", None),
        ("figure", None),
        ("line", []),
    ]
    assert {tuple(entry) for entry in others} == {tuple(best)}
    assert [entry["value"] for entry in others] == [-1, -1, -1, -1]


@pytest.mark.parametrize("game", [entry.key for entry in catalog()])
def test_start_is_a_name_for_the_first_state(game):
    start = str(load_game(game).start)
    named = document("analyse", game, "start", "--agent", "random")
    assert named == document("analyse", game, start, "--agent", "random")
    assert named["state"] == start


def test_what_has_no_value_is_null_and_the_measure_says_what_it_goes_by():
    thought = document("analyse", "tictactoe", "start", "--agent", "menace")
    assert thought["measure"] == "beads"
    assert {candidate["value"] for candidate in thought["candidates"]} == {None}


def test_an_arena_counts_and_rates_everyone_in_the_order_they_were_named():
    arena = ("arena", "tictactoe", *SPECS, "--games", 6, "--seed", 4, "--workers", 1)
    tournament = document(*arena)
    assert list(tournament) == [
        *["game", "games", "seed", "opening", "limit", "played", "total", "different"],
        *["forfeits", "repetitions", "lengths", "players", "table"],
        *["brackets", "cycles", "upsets", "faults"],
    ]
    players, table = tournament["players"], tournament["table"]
    assert {tuple(player) for player in players} == {
        ("spec", "rank", "rating", "interval", *COUNTS, "points", "forfeits", "seconds_per_move")
    }
    assert {tuple(cell) for row in table for cell in row if cell} == {
        (*COUNTS, "first", "second", "different", "forfeits", "repetitions", "lengths")
    }
    assert [player["spec"] for player in players] == SPECS
    played = [[cell and sum(cell[name] for name in COUNTS) for cell in row] for row in table]
    assert played == [[None, 6, 6], [6, None, 6], [6, 6, None]]
    rows = [{name: sum(cell[name] for cell in row if cell) for name in COUNTS} for row in table]
    assert [{name: player[name] for name in COUNTS} for player in players] == rows
    random, perfect, slips = (player["rating"] for player in players)
    assert perfect > slips > random
    assert random + perfect + slips == pytest.approx(0, abs=0.2)
    bounds = [(*player["interval"], player["rating"]) for player in players]
    assert [low < rating < high for low, high, rating in bounds] == [True] * 3


def test_the_roster_has_this_shape():
    roster = document("agents")
    assert list(roster) == ["game", "agents"]
    assert roster["game"] is None
    assert {tuple(agent) for agent in roster["agents"]} == {
        ("key", "title", "technique", "strength", "description", "games", "presets", "options")
    }
    options = [option for agent in roster["agents"] for option in agent["options"]]
    assert {tuple(option) for option in options} == {
        ("name", "kind", "default", "low", "high", "choices", "optional", "help")
    }
    players = {agent["key"] for agent in document("agents", "quixo")["agents"]}
    assert "perfect" in {agent["key"] for agent in roster["agents"]} - players
    assert "random" in players
