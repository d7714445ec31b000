"""Which player of a file is taken, how it is made, and what is said where that fails."""

import sys
from pathlib import Path

import pytest

from engine.core import Seat
from tests.agents.players.child import child, play
from tests.agents.players.course_players import CS50_NIM, NIM_HEAD, QUIXO, RIM_MOVES, written

COURSE = "from game import Game, Move, Player\n" + RIM_MOVES
SAYS = "    def make_move(self, game):\n        return {}\n"  # a player that always says the same


def started(directory, told, game="quixo", seat=0):
    with child(directory) as one:
        return one.start(told, game, seat), one.log.read_text()


def unplayable(directory, told, game="quixo"):
    reply, _ = started(directory, told, game)
    assert reply["unplayable"], reply
    return reply["message"]


def test_of_several_players_one_has_to_be_named(tmp_path):
    written(
        tmp_path,
        {
            "main.py": COURSE
            + "class RandomPlayer(Player):\n"
            + SAYS.format(None)
            + "class Min(Player):\n"
            + SAYS.format(None)
            + "class Max(Player):\n"
            + SAYS.format(None)
        },
    )
    assert unplayable(tmp_path, "main.py") == "say which of Min, Max plays: main.py:Min"
    assert started(tmp_path, "main.py:Max")[0]["ready"]
    assert "no function or class Mox in main.py" in unplayable(tmp_path, "main.py:Mox")


def test_a_constructor_is_told_what_nobody_can_guess(tmp_path):
    text = "class Told(Player):\n    def __init__(self, weight, me):\n        assert me == 1\n"
    written(tmp_path, {"main.py": COURSE + text + SAYS.format("self")})
    why = "Told also wants weight: tell it as Told(…), where SEAT is 0 or 1, or write"
    assert why in unplayable(tmp_path, "main.py")
    assert started(tmp_path, "main.py:Told(2.5, SEAT)", seat=1)[0]["ready"]
    assert started(tmp_path, "main.py:Told(2.5, SEAT)", seat=0)[0]["error"] == "AssertionError: "


def test_a_player_for_five_by_five_refuses_other_boards(tmp_path):
    written(tmp_path, QUIXO["player_id"])
    for game in ("quixo:size=4", "tictactoe"):
        why = f"it was written for Quixo 5×5, and this is {game}"
        assert unplayable(tmp_path, "main.py", game) == why


def test_a_file_that_is_none_is_refused(tmp_path):
    assert "is no Python file and no notebook" in unplayable(tmp_path, "nowhere.py")
    written(tmp_path, {"player.txt": "", "lab.ipynb": "{}", "empty.py": ""})
    assert "is no Python file and no notebook" in unplayable(tmp_path, "player.txt")
    assert "there is no choose(turn) in lab.ipynb" in unplayable(tmp_path, "lab.ipynb", "nim")
    assert "there is no choose(turn) in empty.py" in unplayable(tmp_path, "empty.py")


def test_cs50s_nim_refuses_what_it_has_not_learned(tmp_path):
    written(tmp_path, {"nim.py": CS50_NIM})
    for game in ("nim", "nim:heaps=1-3-5-7,last=wins"):
        why = f"it learns nim:heaps=1-3-5-7 where the last object loses, and this is {game}"
        assert unplayable(tmp_path, "nim.py", game) == why


def test_a_game_py_that_fails_is_replaced_by_ours_and_that_is_logged(tmp_path):
    reply, log = started(written(tmp_path, QUIXO["its own game.py is broken"]), "main.py")
    assert reply["ready"]
    assert "Its own game.py failed (ModuleNotFoundError: No module named 'pygame_th" in log


def test_where_ours_does_not_help_either_the_first_error_is_told(tmp_path):
    main = "from game import Board\nclass Mine(Board):\n" + SAYS.format(None)
    written(tmp_path, {"game.py": "import nowhere\n", "main.py": main})
    reply, _ = started(tmp_path, "main.py")
    assert reply["error"] == "ModuleNotFoundError: No module named 'nowhere'"
    assert 'main.py", line 1' in reply["traceback"]
    assert 'game.py", line 1' in reply["traceback"]


ANSWER = {
    "game": "quixo",
    "state": "xo.../...../...../...../..... x",
    "legal": ["a5-e5", "a5-a1"],
    "seat": "x",
    "seed": 1,
    "seconds": 60.0,
}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("((2, 2), Move.TOP)", "the cube at (2, 2) is not on the rim"),
        ("((1, 0), Move.BOTTOM)", "the cube at (1, 0) shows the opponent's mark"),
        ("((0, 0), Move.TOP)", "a cube cannot go back in where it was taken (0, 0)"),
        ("((0, 9), Move.TOP)", "(0, 9) is not on the board"),
        ("None", "None is no ((x, y), Move)"),
    ],
)
def test_whoever_insists_on_an_illegal_move_is_given_up_and_told_why(answer, why, tmp_path):
    mine = "class Mine(Player):\n    asked = 0\n"
    mine += "    def make_move(self, game):\n        print('asked')\n        return " + answer
    with child(written(tmp_path, {"main.py": COURSE + mine})) as one:
        assert one.start("main.py", "quixo", 0)["ready"]
        reply = one.ask(**ANSWER)
        assert reply["error"].startswith("IllegalAnswerError: 20 times in a row it said ")
        assert reply["error"].endswith(why)
        assert 20 <= one.log.read_text().count("asked") <= 26  # and a few with marks exchanged


def test_one_who_takes_itself_for_the_other_player_sees_the_marks_exchanged(tmp_path):
    with child(written(tmp_path, QUIXO["always player 1"])) as one:
        assert one.start("main.py", "quixo", 0)["ready"]
        play(one, "quixo", Seat.FIRST, 1)
        assert one.log.read_text().count("now sees the marks exchanged") == 1
    with child(tmp_path) as one:
        assert one.start("main.py", "quixo", 1)["ready"]
        play(one, "quixo", Seat.SECOND, 1)
        assert "exchanged" not in one.log.read_text()


def test_of_nims_strategies_those_of_the_exercise_are_not_taken(tmp_path):
    one = "def optimal(state: Nim) -> Nimply:\n    return 0, 1\n"
    two = "def mine(state: Nim) -> Nimply:\n    return 0, 1\n"
    not_one = "def nim_sum(state: Nim) -> int:\n    return 0\n"
    written(tmp_path, {"lab2.py": NIM_HEAD + one + two + not_one, "opt.py": NIM_HEAD + one})
    assert started(tmp_path, "lab2.py", "nim")[0]["ready"]
    assert started(tmp_path, "opt.py", "nim")[0]["ready"]
    written(tmp_path, {"lab2.py": NIM_HEAD + two + two.replace("mine", "other")})
    assert unplayable(tmp_path, "lab2.py", "nim") == "say which of mine, other plays: lab2.py:mine"


def test_a_limit_of_nim_is_the_states_k(tmp_path):
    text = "def mine(state: Nim) -> Nimply:\n    assert (state.k, state.rows) == (3, (21,))\n"
    with child(written(tmp_path, {"lab2.py": NIM_HEAD + text + "    return 0, state.k\n"})) as one:
        assert one.start("lab2.py", "nim:heaps=21,max_take=3", 0)["ready"]
        changes = {"game": "nim:heaps=21,max_take=3", "state": "21 x", "legal": ["a1", "a2", "a3"]}
        assert one.ask(**{**ANSWER, **changes})["move"] == "a3"


NETWORK = """
import torch_of_nowhere as torch
from game import Move, Player

class Net(torch.nn.Module):
    pass

class Deep(Player):
    def __init__(self):
        self.first = torch.tensor([1])

    def make_move(self, game):
        with torch.no_grad():
            return Net()(game.get_board())
"""


def test_a_library_that_is_missing_is_told_where_it_is_used(tmp_path):
    with child(written(tmp_path, {"main.py": NETWORK})) as one:
        assert one.start("main.py", "quixo", 0)["ready"]
        reply = one.ask(**ANSWER)
        assert reply["error"] == "ModuleNotFoundError: No module named 'torch_of_nowhere'"
        assert 'main.py", line 13' in reply["traceback"]
        assert "it plays without, as long as it does not use it" in one.log.read_text()


def test_whoever_can_do_without_a_library_is_not_given_a_stand_in(tmp_path):
    head = (
        "try:\n    import nowhere\nexcept ImportError:\n    nowhere = None\nimport other_nowhere\n"
    )
    mine = COURSE + "assert nowhere is None\nclass Mine(Player):\n" + SAYS.format(None)
    assert started(written(tmp_path, {"main.py": head + mine}), "main.py")[0]["ready"]


def test_a_class_with_choose_needs_no_name_and_a_notebook_that_is_none_is_told(tmp_path):
    text = "class Bot:\n    def choose(self, turn):\n        return turn.legal[0]\n"
    written(tmp_path, {"my.py": text, "lab.ipynb": "no notebook", "list.ipynb": "[]"})
    assert started(tmp_path, "my.py", "tictactoe")[0]["ready"]
    for name in ("lab.ipynb", "list.ipynb"):
        reply, _ = started(tmp_path, name, "tictactoe")
        assert reply["error"].startswith(f"SyntaxError: it is no notebook ({name}, line 1)")


def test_the_same_seed_gives_the_same_game(tmp_path):
    told = written(tmp_path, QUIXO["no argument, any cube, illegal ones too"])
    games = []
    for seed in (1, 1, 2):
        with child(told) as one:
            assert one.start("main.py", "quixo", 1, seed)["ready"]
            moves = [one.ask(**{**ANSWER, "seed": seed + at})["move"] for at in range(8)]
            games.append(moves)
    assert games[0] == games[1] != games[2]


def oldest_python():
    """The oldest interpreter this machine has that a player may use, if older than this one."""
    kept = Path.home() / ".pyenv/versions"
    found = sorted(kept.glob("3.*/bin/python"), key=lambda path: int(path.parts[-3].split(".")[1]))
    fitting = [each for each in found if int(each.parts[-3].split(".")[1]) >= 8]
    if not fitting or int(fitting[0].parts[-3].split(".")[1]) >= sys.version_info.minor:
        pytest.skip("there is no older Python here")
    return str(fitting[0])


def test_an_older_python_plays_what_needs_no_numpy(tmp_path):
    python = oldest_python()
    text = "def mine(state: Nim) -> Nimply:\n    return state.rows.index(max(state.rows)), 1\n"
    files = {"lab2.py": NIM_HEAD + text, "bot.py": "def choose(turn):\n    return turn.legal[-1]\n"}
    written(tmp_path, files)
    for told, game in (("lab2.py", "nim"), ("bot.py", "quixo"), ("bot.py", "tictactoe")):
        with child(tmp_path, python) as one:
            assert one.start(told, game, 0)["ready"]
            play(one, game, Seat.FIRST, 3)


def test_without_numpy_a_quixo_player_is_refused_in_one_line(tmp_path):
    """Hidden by a module of that name which cannot be imported, whatever the interpreter has."""
    files = QUIXO["player_id"] | {"hide/numpy.py": "raise ImportError('no numpy here')\n"}
    written(tmp_path, files)
    with child(tmp_path, PYTHONPATH=str(tmp_path / "hide")) as one:
        reply = one.start("main.py", "quixo", 0)
    assert reply["unplayable"]
    assert "players written for the course's Quixo need NumPy, and " in reply["message"]
    assert reply["message"].endswith(" cannot import it: no numpy here")
