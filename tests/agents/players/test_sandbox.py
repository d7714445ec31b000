"""How a player's process is kept apart: the command that is run, and what is said of it."""

import json
from pathlib import Path

import pytest

from agents.players import sandbox
from agents.players.agent import analysis_of, turn_document
from agents.players.process import PlayerProcess
from agents.players.sandbox import bubblewrap, isolation_text, wrapped
from agents.players.spec import read_outside
from engine import load_game

HOME = Path("/srv/ada")


def test_without_bubblewrap_the_limits_hold_and_that_is_said(monkeypatch):
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    command = wrapped(["python3", "main.py"], HOME)
    assert command[-2:] == ["python3", "main.py"]
    limits = json.loads(command[-3])
    assert limits["RLIMIT_DATA"] == 2 << 30
    assert limits["RLIMIT_CORE"] == 0
    assert "bubblewrap is not at work here" in isolation_text()
    assert "write files and use the network" in isolation_text()


def test_bubblewrap_shows_all_and_lets_it_write_its_own_folder(monkeypatch):
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "/usr/bin/bwrap")
    command = wrapped(["python3", "main.py"], HOME)
    bare = command.index(next(word for word in command if word.endswith("launch.py"))) - 3
    options = command[:bare]
    assert options[:4] == ["/usr/bin/bwrap", "--ro-bind", "/", "/"]
    writable = [options[at + 1 : at + 3] for at, word in enumerate(options) if word == "--bind"]
    assert writable == [[str(HOME), str(HOME)]]
    assert {"--unshare-net", "--unshare-pid", "--die-with-parent"} <= set(options)
    assert options[options.index("--chdir") + 1] == str(HOME)
    assert command[-2:] == ["python3", "main.py"]  # the limits hold inside too
    assert "it can write only its own folder, and has no network" in isolation_text()


def test_a_probe_writes_nowhere(monkeypatch):
    assert "--bind" not in sandbox._arguments("bwrap", Path("/"))


def test_a_program_that_does_not_work_here_is_as_none(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap.cache_clear()
    try:
        assert bubblewrap() is None
    finally:
        bubblewrap.cache_clear()


TRIES = """
import os, socket, tempfile
def choose(turn):
    found = []
    for path in ("here.txt", "../beside.txt", os.path.expanduser("~/zermelo-test.txt")):
        try:
            open(path, "w").close()
            found.append(path)
        except OSError:
            pass
    tempfile.TemporaryFile().close()
    if len(socket.if_nameindex()) > 1:
        found.append("network")
    return turn.legal[0], None, " ".join(found)
"""


@pytest.mark.skipif(bubblewrap() is None, reason="bubblewrap is not installed, or does not work")
def test_where_it_works_a_player_writes_its_own_folder_alone(tmp_path):
    place = tmp_path / "ada"
    place.mkdir()
    (place / "mybot.py").write_text(TRIES)
    game = load_game("tictactoe")
    process = PlayerProcess(read_outside(f"{place}/mybot.py"), game.spec, 0)
    try:
        process.start(1)
        reply = process.ask(turn_document(game, (game.start,), 1), 20.0)
    finally:
        process.end()
    assert analysis_of(reply, game.start, game).reason == "here.txt"
    assert (place / "here.txt").exists()
    assert not (tmp_path / "beside.txt").exists()
