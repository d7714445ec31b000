"""bot.py: one file for Python 3.8, tried on the oldest Python of this machine, servers killed."""

import ast
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from time import time

import pytest

from engine import Match, Seat, load_game
from tests.agents.players.bad_players import BAD, HANGS, LINE, assert_none_left, bad_player
from tests.soak import lessened
from tests.webapp.bots.program import fixed_clock
from tests.webapp.serving.process import SERVE, Browser, eventually, free_port
from webapp.api.client import Bot, RefusedError, play_practice
from webapp.bots.game_store import BotGameStore
from webapp.bots.models import BotAttendance, TimeControl
from webapp.bots.routes import CLIENT
from webapp.commands.joined_bot import JoinedBot, LocalPlayer
from webapp.replays.models import bot_seat, new_record
from webapp.services import NAME

pytestmark = pytest.mark.slow

KILLS = lessened(20, 5)


def oldest_python():
    """The oldest from 3.8 on."""
    places = sorted(
        Path.home().glob(".pyenv/versions/3.*/bin/python"),
        key=lambda path: [int(part) for part in path.parts[-3].split(".")],
    )
    fit = [str(path) for path in places if int(path.parts[-3].split(".")[1]) >= 8]
    return fit[0] if fit else sys.executable


def fetched(port, folder):
    """bot.py as a student gets it."""
    answer, text = Browser(port).request("GET", "/bot.py")
    assert answer.status == 200
    path = folder / "bot.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_it_is_written_for_python_3_8_and_needs_the_standard_library_only():
    tree = ast.parse(CLIENT.read_text(encoding="utf-8"), feature_version=(3, 8))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.partition(".")[0])
    assert names <= sys.stdlib_module_names


def test_it_plays_on_the_oldest_python_there_is(serve, tmp_path):
    server = serve(tmp_path / "data")
    bot = fetched(server.port, tmp_path)
    command = [oldest_python(), str(bot), f"http://127.0.0.1:{server.port}"]
    ran = subprocess.run(
        [*command, "--practice", "tictactoe", "--against", "random"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "practice against random:" in ran.stdout
    assert ran.stdout.count("\ngame ") == 2
    wrong = subprocess.run(
        [*command, "--practice", "chess"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("bot.py: ")


def test_a_player_that_fails_loses_with_its_line_and_goes_on(serve, tmp_path):
    server = serve(tmp_path / "data")
    bot = fetched(server.port, tmp_path)
    (tmp_path / "mine.py").write_text("def choose(turn):\n    print('hm')\n    return 1 / 0\n")
    ran = subprocess.run(
        [
            *(oldest_python(), str(bot), f"http://127.0.0.1:{server.port}"),
            *("--player", "mine.py", "--practice", "nim", "--games", "2"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.stdout.count("lost (failed: ZeroDivisionError: division by zero (line 3") == 2


LOBBY = "/?game=nim&opponent=random"  # with all opponents
JOIN = [sys.executable, "-m", "webapp", "bot", "join"]
ECHO = """
import json, sys
for line in sys.stdin:
    turn = json.loads(line)
    print(json.dumps({"move": turn["legal"][0], "reason": "the first"}), flush=True)
"""


@pytest.mark.soak
@pytest.mark.parametrize("way", ["file", "command", "ugi"])
def test_a_player_of_this_computer_joins_and_goes_on_after_a_restart(serve, tmp_path, way):
    port = free_port()
    command = [*SERVE[:-1], str(port)]
    server = serve(tmp_path / "data", command=command)
    chosen = ["./ada.py"]
    if way == "file":
        text = "PLAYS = ['nim']\ndef choose(turn):\n    print('hm')\n    return turn.legal[0]\n"
        (tmp_path / "ada.py").write_text(text)
    elif way == "ugi":
        engine = f"{sys.executable} -m webapp ugi random --game nim"
        chosen = ["--command", engine, "--ugi", "--name", "ada", "--game", "nim"]
    else:
        (tmp_path / "ada.py").write_text(ECHO)
        chosen = ["--command", f"{sys.executable} {tmp_path / 'ada.py'}", "--name", "ada"]
        chosen += ["--game", "nim"]
    said = (tmp_path / "said.txt").open("w+")
    joined = subprocess.Popen(
        [*JOIN, *chosen, "--to", f"http://127.0.0.1:{port}"],
        cwd=tmp_path,
        env={**os.environ, "ZERMELO_DATA": str(tmp_path / "own")},
        stdout=said,
        stderr=subprocess.STDOUT,
    )

    def lines():
        return (tmp_path / "said.txt").read_text()

    def seats():
        return re.findall(r'value="(bot:[^"]+:ada)"', browser.request("GET", LOBBY)[1])

    browser = Browser(port)
    try:
        eventually(lambda: seats() != [], 60)
        browser.begins(game="nim", opponent=seats()[0], starts="opponent")
        eventually(lambda: "against a person, move 1: " in lines(), 60)
        server.kill()
        serve(tmp_path / "data", command=command)
        browser.begins(game="nim", opponent=seats()[0], starts="opponent")
        eventually(lambda: lines().count("against a person, move 1: ") == 2, 60)
        assert "the server is back" in lines()
        joined.send_signal(signal.SIGINT)
        assert joined.wait(30) == 130
    finally:
        joined.kill()
        said.close()
    assert "Traceback" not in lines()


class Wire:
    """What a joined player calls in place of a connection: the app itself."""

    address = "http://here"

    def __init__(self, app):
        self.client = app.test_client(use_cookies=False)

    def call(self, method, path, body=None, token=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.client.open(path, method=method, json=body, headers=headers)
        if answer.status_code >= 400:
            raise RefusedError(answer.status_code, answer.json)
        return answer.json


STUMBLES = """
import os
ANSWERS = {answers!r}
def choose(turn):
    if turn.ply != 2: return turn.legal[0]
    tries = len(os.listdir("tries"))
    open("tries/" + str(tries), "w").close()
    return turn.legal[0] if ANSWERS[tries] == "PLAY" else ANSWERS[tries]
"""


@pytest.mark.parametrize(
    ("answers", "lives", "fault"),
    [
        (["z9", "", "PLAY"], 1, None),
        (["z9", "z9", "z9"], 0, "lost its last life: z9"),
        (["z9", None], 2, "failed: it answered None, which is no move"),
    ],
)
def test_a_joined_player_has_the_lives_of_a_game(start, tmp_path, answers, lives, fault):
    """Illegal answers cost a life each, and it is asked again; what is no text costs the game."""
    app = start()
    (tmp_path / "tries").mkdir()
    (tmp_path / "ada.py").write_text(STUMBLES.format(answers=answers))
    said = []
    local = LocalPlayer(f"{tmp_path}/ada.py")
    bot = JoinedBot(Wire(app), "Ada", "", [], local, said.append, tokens="")
    try:
        bot.join()
        (result,) = play_practice(bot, "tictactoe", "random", 1)
    finally:
        local.close()
    (game,) = bot.games()
    assert game["lives"] == lives
    assert (game["fault"] or "").startswith(fault or "")
    assert bool(game["fault"]) == bool(fault)
    assert (result == "lost") or fault is None
    assert len([line for line in said if "was refused: " in line]) == 3 - lives


class UntoldError(Exception):
    def __str__(self):
        return str(1 // 0)


def raising(error):
    def choose(_):
        raise error

    return choose


def choose_again(turn):
    return choose_again(turn)


@pytest.mark.parametrize(
    ("choose", "fault"),
    [
        (raising(ValueError("a\nb")), "failed: ValueError: a b (line "),
        (raising(SystemExit(3)), "failed: SystemExit: 3 (line "),
        (raising(UntoldError()), "UntoldError: <"),
        (lambda turn: "z9", "lost its last life: z9"),
        (lambda turn: None, "failed: TypeError: choose returned None: return a move's text"),
        (lambda turn: (turn.legal[0], 3), "failed: TypeError: 'int' object is not iterable"),
        (choose_again, "failed: RecursionError: maximum recursion depth"),
    ],
)
def test_whatever_its_function_does_bot_py_loses_the_game_and_goes_on(start, choose, fault):
    app = start()
    bot = Bot(Wire(app), "Ada", "", [], lambda _, turn: choose(turn), str, tokens="")
    bot.join()
    assert play_practice(bot, "tictactoe", "random", 2) == ["lost", "lost"]
    for game in bot.games():
        assert fault in game["fault"]
    error = app.extensions[NAME][BotGameStore].last_error(bot.id)
    assert "position  " in error.error


SLOW = {"eats memory", "forks for ever", "writes a large file", "floods its answer"}
TELLS = {  # of `bot join`: what costs a life is sent, and the server says why
    "plays illegally": "lost its last life: z9",
    "answers nonsense": "failed: it answered {1: 2}, which is no move",
    "answers nothing": "failed: it answered None, which is no move",
}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.soak if kind in SLOW else ()) for kind in BAD]
)
def test_a_bad_player_that_joined_loses_with_its_reason_and_goes_on(
    start, own_data, kind, tmp_path
):
    app, said, (what, why) = start(), [], BAD[kind]
    fixed_clock(app, time())  # so that the player's own time ends first, however busy it is here
    local = LocalPlayer(bad_player(kind, tmp_path))
    bot = JoinedBot(Wire(app), "Ada", "", [], local, said.append, tokens="")
    bot.join()
    game, games = load_game("tictactoe"), app.extensions[NAME][BotGameStore]
    seat = bot_seat(bot.id, "Ada")
    try:
        for _ in range(2):  # it goes on after the first
            bot._call("GET", "/api/1/turn")
            app.extensions[NAME][BotAttendance].flush()
            record = new_record(seat, Match.begin(game), (seat, "random"))
            begun = games.begin_game(record, TimeControl(1.0 if why is HANGS else 30.0, 0.0))
            bot.play(lambda begun=begun: games.matches.find(begun.id).outcome is None)
            ended = games.matches.find(begun.id)
            assert ended.resigned is Seat.FIRST
            assert TELLS.get(kind, why.removeprefix("it failed with ")) in ended.fault
            error = games.last_error(bot.id)
            assert f"position  {ended.match.state}" in error.error
            assert error.match_id == begun.id
            if why is HANGS and what.startswith("while"):
                assert LINE in ended.fault
    finally:
        local.close()
    assert_none_left(tmp_path)


def test_joining_what_is_not_there_is_said_in_one_line(serve, tmp_path):
    def join(*arguments):
        ran = subprocess.run(
            [*JOIN, *arguments, "--to", f"http://127.0.0.1:{server.port}"],
            cwd=tmp_path,
            env={**os.environ, "ZERMELO_DATA": str(tmp_path / "own")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert ran.returncode == 2
        assert ran.stderr.count("\n") == 1
        return ran.stderr

    server = serve(tmp_path / "data")
    (tmp_path / "ada.py").write_text("def choose(turn):\n    return turn.legal[0]\n")
    assert "there is no file" in join("./eve.py")
    assert "this code admits no bot here" in join("./ada.py", "--code", "NOPE")
    assert "name a FILE" in join()


@pytest.mark.soak
def test_bots_go_on_by_themselves_when_the_server_is_killed(serve, tmp_path):
    port = free_port()
    command = [*SERVE[:-1], str(port)]
    server = serve(tmp_path / "data", command=command)
    bot = fetched(port, tmp_path)
    played = (tmp_path / "played.txt").open("w+")
    heaps = "-".join(["30"] * 10)
    program = subprocess.Popen(
        [
            *(oldest_python(), str(bot), f"http://127.0.0.1:{port}"),
            *("--practice", f"nim:heaps={heaps}", "--games", "50"),
        ],
        cwd=tmp_path,
        stdout=played,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )

    def moves():
        lines = (tmp_path / "played.txt").read_text().splitlines()
        return [line for line in lines if " against " in line and ", move " in line]

    try:
        for _ in range(KILLS):
            before = len(moves())
            eventually(lambda before=before: len(moves()) > before + 3, 120)
            server.kill()
            server = serve(tmp_path / "data", command=command)
        before = len(moves())
        eventually(lambda: len(moves()) > before + 3, 120)
    finally:
        program.send_signal(signal.SIGINT)
        program.wait(30)
        played.close()

    lines = (tmp_path / "played.txt").read_text()
    assert "was refused" not in lines
    assert lines.count("trying again") >= 1
    with sqlite3.connect(tmp_path / "data" / "zermelo.sqlite") as database:
        kept = [text for (text,) in database.execute("select text from moves order by rowid")]
        doubled = database.execute(
            "select count(*) from moves group by match_id, ply having count(*) > 1"
        ).fetchall()
    acknowledged = [line.rpartition(": ")[2].split()[0] for line in moves()]
    ours = iter(kept)
    assert all(move in ours for move in acknowledged)  # in this order
    assert doubled == []
