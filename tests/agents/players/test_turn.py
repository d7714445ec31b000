"""What a player is told, and a file made a player."""

import pytest

from agents.players.guest.loader import UnplayableError, load, parse_arguments
from agents.players.guest.turn import Turn

# Another test that starts a process would start it with the player's file as its main module.
pytestmark = pytest.mark.usefixtures("own_modules")


def turn(**changes):
    usual = {"game": "tictactoe", "seat": "o", "state": "x../.../... o", "legal": ["b1", "c1"]}
    return Turn({**usual, **changes})


def test_the_board_is_rows_of_text_from_the_top():
    assert turn().board == ["x..", "...", "..."]
    assert turn(game="nim:heaps=3-4-5", state="3-0-2 x").board == ["|||", "", "||"]
    assert turn(game="nim:heaps=21", state="4 x").board == ["||||"]


def test_a_turn_says_whose_it_is_and_how_long_it_lasts():
    asked = turn(moves=["a3"], seconds=2.0, seed=7)
    assert (asked.seat, asked.seat_index, asked.ply, asked.key) == ("o", 1, 1, "tictactoe")
    assert 0 < asked.seconds_left <= 2.0
    assert turn(seconds=0.0).seconds_left == 0.0
    assert asked.rng.random() == turn(seed=7).rng.random()


def test_a_file_with_choose_is_a_player(tmp_path):
    path = tmp_path / "mybot.py"
    path.write_text("PLAYS = ['tictactoe']\ndef choose(turn):\n    return turn.legal[-1]\n")
    guest = load(str(path), None, None, "tictactoe", 0)
    assert guest.choose(turn()) == "c1"
    with pytest.raises(UnplayableError, match="it plays only tictactoe"):
        load(str(path), None, None, "quixo", 0)
    with pytest.raises(UnplayableError, match="there is no function or class think"):
        load(str(path), "think", None, "tictactoe", 0)


def test_a_player_may_be_made_with_arguments(tmp_path):
    path = tmp_path / "mybot.py"
    path.write_text(
        "class Mine:\n"
        "    def __init__(self, at, seat):\n"
        "        self.at = at + seat\n"
        "    def choose(self, turn):\n"
        "        return turn.legal[self.at]\n"
    )
    assert load(str(path), "Mine", "0, SEAT", "tictactoe", 1).choose(turn()) == "c1"


def test_arguments_are_literals_or_the_seat():
    assert parse_arguments("2, SEAT, depth=[1, 'a']", 1) == ([2, 1], {"depth": [1, "a"]})
    with pytest.raises(UnplayableError, match="literals"):
        parse_arguments("__import__('os')", 0)
