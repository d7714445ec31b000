"""Players from outside play whole matches, of every game they can."""

import sys
from pathlib import Path
from random import Random

import pytest

from agents import load_agent
from agents.contest.arena import Fixture, Played, play_game, play_part
from agents.contest.forfeits import MAX_KEPT_EACH, ForfeitLog
from agents.core import Limit
from agents.failures import without_folders
from agents.player_loader import end_matches, load_player
from agents.players.check import check_game
from agents.players.process import log_path
from agents.players.spec import is_outside, read_outside, with_python
from engine import load_game
from engine.catalog import all_variants
from engine.core import Ending, Outcome, Seat
from engine.errors import InvalidSpecError, ZermeloError
from tests.agents.players.bad_players import assert_none_left
from tests.agents.players.course_players import NIM, QUIXO
from tests.webapp.commands.command_line import assert_one_line, document, zermelo

pytestmark = pytest.mark.usefixtures("own_data")  # logs and brains
GOOD = """
import random
print("prints are harmless")
def choose(turn):
    move = random.choice(turn.legal)
    return move, {move: 0.25}, "It was at hand."
"""
ENGINE = """
import json, sys
for line in sys.stdin:
    turn = json.loads(line)
    print(json.dumps({"move": turn["legal"][-1]}), flush=True)
"""


def written(directory, source, name="mybot.py"):
    path = directory / name
    path.write_text(source, "utf-8")
    return str(path)


def game_of(one, two="random", game="tictactoe", seconds=10.0, round_=0):
    return play_game(Fixture(game, (one, two), (0, 1), round_, 7, Limit(seconds=seconds)))


@pytest.mark.slow
@pytest.mark.parametrize("game", [game.spec for game in all_variants()])
def test_a_file_plays_whole_matches_of_every_game_and_the_same_seed_is_the_same_game(
    game, tmp_path
):
    path = written(tmp_path, GOOD)
    played = game_of(path, game=game)
    assert (played.fault, played.outcome.ending is Ending.RESIGNATION) == (None, False)
    assert game_of(path, game=game) == played


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["a program", "a class", "a notebook"])
def test_a_program_a_class_and_a_notebook_play_whole_matches_of_every_game_they_can(kind, tmp_path):
    engine = written(tmp_path, ENGINE, "engine.py")
    class_files, notebook_files = QUIXO["player_id"], NIM["a notebook with loops and plots"]
    for name, text in (class_files | notebook_files).items():
        written(tmp_path, text, name)
    every = [game.spec for game in all_variants()]
    player, games = {
        "a program": (f"command={sys.executable} {engine}", every),
        "a class": (f"{tmp_path}/main.py", ["quixo"]),
        "a notebook": (
            f"{tmp_path}/lab2.ipynb:strategy",
            [game for game in every if game.startswith("nim") and "max_take" not in game],
        ),
    }[kind]
    for number, game in enumerate(games):
        one, two = (player, "random") if number % 2 else ("random", player)
        played = game_of(one, two, game=game)
        assert (played.fault, played.outcome.ending is Ending.RESIGNATION) == (None, False), game
        assert game_of(one, two, game=game) == played
    assert_none_left(tmp_path)


@pytest.mark.slow
def test_a_game_that_is_interrupted_goes_on_as_it_would_have(tmp_path):
    """Another process is told the match again, with the seeds of its turns."""
    remembers = (
        "import random\nasked = []\ndef choose(turn):\n    asked.append(random.random())\n"
        "    return turn.legal[int(1000 * sum(asked)) % len(turn.legal)]\n"
    )
    specs = (written(tmp_path, remembers), "random")
    fixture = Fixture("nim", specs, (0, 1), 0, 7, Limit(seconds=10.0))
    whole, part = play_game(fixture), None
    while not isinstance(part, Played):
        part = play_part(fixture, part, 0.0)
    assert (part.moves, part.outcome) == (whole.moves, whole.outcome)


@pytest.mark.slow
def test_a_file_that_cannot_be_loaded_forfeits_with_its_line(tmp_path):
    played = game_of(written(tmp_path, "x = 1\nimport no_such_module\n"))
    assert "ModuleNotFoundError" in played.fault
    assert "(mybot.py, line 2)" in played.fault


@pytest.mark.slow
def test_a_flood_of_prints_costs_nothing(tmp_path):
    flood = "def choose(turn):\n    print('x' * 3_000_000)\n    return turn.legal[0]\n"
    assert game_of(written(tmp_path, flood)).fault is None


@pytest.mark.slow
def test_players_that_are_all_called_main_have_logs_of_their_own(tmp_path):
    (tmp_path / "ada").mkdir()
    own = [written(tmp_path / "ada", GOOD, "main.py"), written(tmp_path, GOOD)]
    assert [log_path(read_outside(path)).name for path in own] == ["ada.log", "mybot.log"]


def test_every_forfeit_is_counted_and_the_first_ones_are_told():
    moved = [
        Played(fixture, Outcome(Seat.SECOND, Ending.RESIGNATION), (), "it failed")
        for fixture in (
            Fixture("nim", ("./a/main.py", "random"), (0, 1), number, 7, Limit())
            for number in range(300)
        )
    ]
    log = ForfeitLog()
    assert len(list(log.watch(moved))) == 300
    ((first, count),) = log.by_reason()
    assert (first.round, count) == (0, 300)
    assert len(log.forfeits) == MAX_KEPT_EACH


def test_it_remembers_within_a_match_only(tmp_path):
    counts = (
        "asked = []\ndef choose(turn):\n    asked.append(turn.ply)\n"
        "    return turn.legal[0], None, str(asked)\n"
    )
    game = load_game("nim:heaps=9")
    agent = load_player(written(tmp_path, counts), game)
    try:
        one = game.start.play(game.parse_move("a1"))
        two = one.play(game.parse_move("a1"))
        asked = {"limit": Limit(seconds=10.0), "rng": Random(1)}
        assert agent.analyse(game.start, **asked).reason == "[0]"
        assert agent.analyse(two, history=(game.start, one), **asked).reason == "[0, 2]"
        assert agent.analyse(game.start, **asked).reason == "[0]"
    finally:
        end_matches(agent)
    assert_none_left(tmp_path)


@pytest.mark.slow
def test_values_and_reason_are_its_analysis(tmp_path):
    game = load_game("tictactoe")
    agent = load_player(written(tmp_path, GOOD), game)
    try:
        analysis = agent.analyse(game.start, limit=Limit(seconds=10.0))
    finally:
        end_matches(agent)
    assert analysis.reason == "It was at hand."
    assert analysis.chosen.value == 0.25


@pytest.mark.slow
def test_a_check_tells_the_positions_that_fail(tmp_path):
    source = (
        "PLAYS = 'tictactoe'\ndef choose(turn):\n"
        "    assert turn.ply < 8\n    return turn.legal[0]\n"
    )
    player = read_outside(written(tmp_path, source))
    checked = check_game(player, load_game("tictactoe"), 60)
    assert checked.failures
    assert all("(mybot.py, line 3)" in failure.why for failure in checked.failures)
    assert {failure.position.count(".") for failure in checked.failures} == {1}
    assert check_game(player, load_game("nim"), 60).refused == "it plays only tictactoe"


@pytest.mark.slow
def test_the_command_line_takes_files_and_refuses_in_one_line(tmp_path):
    path = written(tmp_path, f"PLAYS = ['nim']\n{GOOD}")
    series = document("bot", "play", path, "--against", "random", "--game", "nim", "--games", 2)
    assert series["players"] == [path, "random"]
    assert series["faults"] == []
    assert_one_line(zermelo("match", "quixo", path, "random"), "it plays only nim")
    assert_one_line(zermelo("match", "quixo", "./none.py", "random"), "there is no file")
    nowhere = zermelo("match", "nim", path, "random", "--python", "/nowhere/python")
    assert_one_line(nowhere, "there is no Python at '/nowhere/python'")
    for told in ("choose(seat)", "choose(1)(2)", "choose(1 2)"):
        refused = zermelo("match", "nim", f"{path}:{told}", "random")
        assert_one_line(refused, "what stands in brackets are Python literals or SEAT")
    assert_one_line(zermelo("match", "quixo", "none.py", "random"), "./none.py")
    assert_one_line(zermelo("bot", "check", "none.py"), "there is no file 'none.py'")


@pytest.mark.slow
def test_a_check_passes_one_that_remembers_its_match(tmp_path):
    text = "seen = []\ndef choose(turn):\n    assert turn.ply > max(seen, default=-1), 'another'\n"
    path = written(tmp_path, text + "    seen.append(turn.ply)\n    return turn.legal[0]\n")
    checked = check_game(read_outside(path), load_game("tictactoe"), 30)
    assert (checked.asked, checked.failures) == (30, [])


@pytest.mark.slow
def test_a_check_does_not_wait_again_and_again_for_one_that_hangs(tmp_path):
    player = read_outside(written(tmp_path, "def choose(turn):\n    while True: pass\n"))
    checked = check_game(player, load_game("tictactoe"), seconds=0.2)
    assert (checked.asked, len(checked.failures)) == (2, 2)
    assert "(mybot.py, line 2)" in checked.failures[0].why


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def chose(turn):\n    return 1\n", "It plays none of them: there is no choose(turn)"),
        (
            "def choose(turn):\n    turn.legal[0]\n",
            "it answered None, which is no move: answer with a text from `legal` "
            "(mybot.py, line 1)",
        ),
        (
            "\ndef choose(turn):\n    return 'z9'\n",
            "it answered 'z9': 'z9' is no cell: they run from a1 to c3 (mybot.py, line 2)",
        ),
        ("def choose(turn):\n    return 4\n", "it answered 4, which is no move"),
        ("x = 1\ndef choose(turn)\n", "SyntaxError: expected ':' (mybot.py, line 2). The same"),
    ],
)
def test_a_check_says_once_what_is_wrong_everywhere(source, said, tmp_path):
    path = written(tmp_path, source)
    result = zermelo("bot", "check", path, "--game", "tictactoe")
    text = " ".join(result.stdout.split())
    assert result.exit_code == 1
    assert text.count(said) == 1
    assert text.count("(mybot.py, line 2)") <= 1
    assert "ast.py" not in text


def test_a_path_is_told_from_a_spec():
    assert is_outside("./mybot.py")
    assert is_outside("../a/main.py:MyPlayer(2, SEAT)")
    assert not is_outside("random")
    assert with_python("./mybot.py", "/usr/bin/python3") == "python=/usr/bin/python3 ./mybot.py"
    assert with_python("random", "/usr/bin/python3") == "random"
    with pytest.raises(InvalidSpecError, match="is no player's file"):
        read_outside("./mybot.txt")


def test_the_name_and_arguments_are_read(tmp_path):
    path = written(tmp_path, GOOD, "main.py")
    player = read_outside(f"python=/usr/bin/python3 {path}:MyPlayer(2, SEAT)")
    assert (player.path, player.name, player.args) == (Path(path), "MyPlayer", "2, SEAT")
    assert player.python == "/usr/bin/python3"


@pytest.mark.parametrize("prefix", ["", "command=", "python=/usr/bin/python3 "])
def test_the_web_never_takes_a_path(prefix, tmp_path):
    """Pages read specs by the roster, which knows no path."""
    spec = f"{prefix}{written(tmp_path, GOOD)}"
    with pytest.raises(ZermeloError, match="unknown agent"):
        load_agent(spec, load_game("tictactoe"))


def test_what_is_told_to_others_names_no_folder():
    trace = "File \"/srv/my bots/ada.py\", line 1\nFileNotFoundError: '/srv/data/x.json' 1/2"
    assert without_folders(trace) == "File \"ada.py\", line 1\nFileNotFoundError: 'x.json' 1/2"
