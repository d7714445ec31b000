"""The documents that other programs read: their shapes, and that they are right."""

import pytest

from engine import load_game
from engine.catalog import catalog
from tests.webapp.commands.command_line import document

COUNTS = ["wins", "draws", "losses"]


@pytest.fixture(scope="module")
def series():
    return document("match", "tictactoe", "perfect", "random", "--games", 11, "--seed", 4)


@pytest.fixture(scope="module")
def tournament():
    specs = ["random", "perfect", "perfect:skill=0.5"]
    return document("arena", "tictactoe", *specs, "--games", 6, "--seed", 4, "--workers", 1)


@pytest.fixture(scope="module")
def thought():
    return document("analyse", "tictactoe", "x.o/.x./..o x", "--agent", "perfect")


def test_a_match_has_this_shape(series):
    assert list(series) == [
        "game",
        "players",
        "games",
        "seed",
        "first",
        "second",
        "score",
        "interval",
        "plies",
        "seconds",
    ]
    assert list(series["first"]) == list(series["second"]) == COUNTS


def test_a_match_says_what_was_played(series):
    assert series["game"] == "tictactoe"
    assert series["players"] == ["perfect", "random"]
    assert (series["games"], series["seed"]) == (11, 4)


def test_a_match_counts_for_the_first_named_by_the_seat_it_had(series):
    assert sum(series["first"].values()) == 6
    assert sum(series["second"].values()) == 5
    assert series["first"]["losses"] == series["second"]["losses"] == 0


def test_the_score_of_a_match_is_in_points_a_game(series):
    points = sum(series[seat]["wins"] + series[seat]["draws"] / 2 for seat in ("first", "second"))
    low, high = series["interval"]
    assert series["score"] == points / 11
    assert 0 <= low < series["score"] <= high <= 1


def test_the_plies_of_a_match_are_those_of_all_its_games(series):
    assert 5 * 11 <= series["plies"] <= 9 * 11
    assert series["seconds"] >= 0


def test_the_same_seed_gives_the_same_match(series):
    again = document("match", "tictactoe", "perfect", "random", "--games", 11, "--seed", 4)
    assert again | {"seconds": 0} == series | {"seconds": 0}


def test_another_seed_gives_another_match():
    plies = {
        document("match", "nim", "random", "random", "--games", 5, "--seed", seed)["plies"]
        for seed in range(5)
    }
    assert len(plies) > 1


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


def test_tic_tac_toe_is_solved_as_a_draw():
    solution = document("solve", "tictactoe")
    assert (solution["value"], solution["plies"], solution["states"]) == ("draw", 9, 5478)
    assert [entry["value"] for entry in solution["moves"]] == ["draw"] * 9


@pytest.mark.soak
def test_endgames_have_this_shape(full_boards):
    solved = document("solve", "quixo", "--blanks", 0)
    assert list(solved) == [
        "game",
        "blanks",
        "classes",
        "wins",
        "losses",
        "draws",
        "longest",
        "seconds",
    ]
    assert (solved["game"], solved["blanks"], solved["longest"]) == ("quixo", 0, 70)
    assert [(each["own"], each["other"]) for each in solved["classes"]] == [
        (own, 25 - own) for own in range(26)
    ]
    assert solved["classes"][25] == {"own": 25, "other": 0, "wins": 1, "losses": 0, "draws": 0}
    assert sum(each["wins"] for each in solved["classes"]) == solved["wins"] == 20_073_427


def test_an_analysis_has_this_shape(thought):
    assert list(thought) == [
        "game",
        "state",
        "to_move",
        "choice",
        "reason",
        "measure",
        "candidates",
        "evidence",
        "effort",
    ]
    assert {tuple(candidate) for candidate in thought["candidates"]} == {
        ("move", "value", "chance", "proven", "plies", "share", "figure", "line")
    }
    assert {tuple(fact) for fact in thought["evidence"]} == {("name", "value")}
    assert list(thought["effort"]) == ["nodes", "depth", "seconds"]


def test_an_analysis_is_of_the_state_that_was_asked_about(thought):
    assert (thought["game"], thought["state"]) == ("tictactoe", "x.o/.x./..o x")
    assert thought["to_move"] == "first"


def test_an_analysis_says_what_each_move_is_worth(thought):
    assert thought["choice"] == "c2"
    assert thought["candidates"][0] | {"line": []} == {
        "move": "c2",
        "value": 0,
        "chance": 1.0,
        "proven": True,
        "plies": 5,
        "share": None,
        "figure": None,
        "line": [],
    }
    assert thought["candidates"][0]["line"][0] == "c2"
    assert [entry["value"] for entry in thought["candidates"][1:]] == [-1, -1, -1, -1]


@pytest.mark.parametrize("game", [entry.key for entry in catalog()])
def test_start_is_a_name_for_the_first_state(game):
    start = str(load_game(game).start)
    named = document("analyse", game, "start", "--agent", "random")
    written = document("analyse", game, start, "--agent", "random")
    assert named == written
    assert named["state"] == start


def test_an_arena_has_this_shape(tournament):
    assert list(tournament) == [
        *["game", "games", "seed", "opening", "limit", "played", "total", "different"],
        *["forfeits", "repetitions", "lengths", "players", "table"],
        *["brackets", "cycles", "upsets"],
    ]
    assert {tuple(player) for player in tournament["players"]} == {
        ("spec", "rank", "rating", "interval", *COUNTS, "points", "forfeits", "seconds_per_move")
    }
    cells = [cell for row in tournament["table"] for cell in row if cell]
    assert {tuple(cell) for cell in cells} == {
        (*COUNTS, "first", "second", "different", "forfeits", "repetitions", "lengths")
    }


def test_an_arena_lists_the_players_as_they_were_named(tournament):
    specs = [player["spec"] for player in tournament["players"]]
    assert specs == ["random", "perfect", "perfect:skill=0.5"]


def test_the_table_of_an_arena_is_empty_on_its_diagonal_alone(tournament):
    played = [
        [cell and sum(cell[name] for name in COUNTS) for cell in row] for row in tournament["table"]
    ]
    assert played == [[None, 6, 6], [6, None, 6], [6, 6, None]]


def test_a_players_record_is_the_sum_of_its_row(tournament):
    rows = [
        {name: sum(cell[name] for cell in row if cell) for name in COUNTS}
        for row in tournament["table"]
    ]
    assert [{name: player[name] for name in COUNTS} for player in tournament["players"]] == rows


def test_the_ratings_are_in_the_order_of_strength(tournament):
    random, perfect, slips = (player["rating"] for player in tournament["players"])
    assert perfect > slips > random
    assert random + perfect + slips == pytest.approx(0, abs=0.2)


def test_a_rating_lies_within_its_interval(tournament):
    assert [
        player["interval"][0] < player["rating"] < player["interval"][1]
        for player in tournament["players"]
    ] == [True] * 3


@pytest.mark.slow
def test_the_number_of_workers_changes_no_result(tournament):
    specs = ["random", "perfect", "perfect:skill=0.5"]
    spread = document("arena", "tictactoe", *specs, "--games", 6, "--seed", 4, "--workers", 2)
    assert untimed(spread) == untimed(tournament)


def untimed(tournament):
    """What is left without what a clock has seen."""
    players = [player | {"seconds_per_move": None} for player in tournament["players"]]
    return tournament | {"players": players}


def test_the_roster_has_this_shape():
    roster = document("agents")
    assert list(roster) == ["game", "agents"]
    assert roster["game"] is None
    assert {tuple(agent) for agent in roster["agents"]} == {
        ("key", "title", "technique", "strength", "description", "games", "options")
    }
    options = [option for agent in roster["agents"] for option in agent["options"]]
    assert {tuple(option) for option in options} == {
        ("name", "kind", "default", "low", "high", "choices", "optional", "help")
    }


def test_the_roster_of_a_game_has_only_those_who_play_it():
    everyone = {agent["key"] for agent in document("agents")["agents"]}
    players = {agent["key"] for agent in document("agents", "quixo")["agents"]}
    assert "perfect" in everyone - players
    assert "random" in players


def test_what_has_no_value_is_null_and_the_measure_says_what_it_goes_by():
    thought = document("analyse", "tictactoe", "start", "--agent", "menace")
    assert thought["measure"] == "beads"
    assert {candidate["value"] for candidate in thought["candidates"]} == {None}
