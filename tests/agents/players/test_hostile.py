"""Players that do what no author means: none harms the match, whoever plays it, or what is left."""

import os
import signal
import subprocess
import sys

import pytest

from agents.players import process
from tests.agents.players.bad_players import (
    BAD,
    LATER,
    LINE,
    assert_none_left,
    bad_player,
    seconds_for,
)
from tests.agents.players.test_outside import game_of, written

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_data")]
PLAYS = "\n    return turn.legal[0]"
EMPTIED = "subprocess.Popen(['sh', '-c', '(sleep 600 &); sleep 600'], env={}, start_new_session=1)"
HARMLESS = {
    "closes its streams": "sys.stdout.close(); sys.stderr.close()",
    "prints a move from C": (
        "import ctypes; libc = ctypes.CDLL(None)\n"
        """    libc.printf(b'{"move": "z9"}\\n'); libc.fflush(None)"""
    ),
    "floods its log": "[os.write(2, b'x' * 65536) for _ in range(200)]",
    "says too much": "return turn.legal[0], {}, 'x' * 5_000_000",
    "has values that are no numbers": "return turn.legal[0], {turn.legal[0]: 10 ** 400}",
    "goes elsewhere": "os.chdir('/')",
    "deletes its file": "if os.path.exists(__file__): os.remove(__file__)",
    "waits at its exit": "import atexit; atexit.register(time.sleep, 600)",
    "heeds no SIGTERM": "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "leaves threads": "import threading; threading.Thread(target=time.sleep, args=(600,)).start()",
    "returns twice": "os.fork()",
    "leaves a daemon": "os.fork() or (os.setsid(), os.fork() or time.sleep(600), os._exit(0))",
    "leaves a daemon without environment": f"import subprocess; {EMPTIED}",
    "ends its own child": (
        "import subprocess; one = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "    os.killpg(one.pid, 9); one.wait()"
    ),
}
ENDED, LATE = "its process ended", "it did not answer within 0.5 s and 1 s of grace"
NOT_ITS_OWN = f"PermissionError: a player may end only what it started {LINE}"
FATAL = {
    "kills whoever plays it": ("os.kill(os.getppid(), 15)", NOT_ITS_OWN),
    "kills everyone": ("os.kill(-1, 9)", NOT_ITS_OWN),
    "kills the group of whoever plays it": (
        "os.killpg(os.getpgid(os.getppid()), 9)",
        NOT_ITS_OWN,
    ),
    "kills itself": ("os.kill(os.getpid(), 9)", f"{ENDED} {LINE}"),
    "stops itself": ("os.kill(os.getpid(), 19)", f"{LATE} {LINE}"),
    "leaves a daemon and goes": (
        f"import subprocess; {EMPTIED}; time.sleep(0.3); os._exit(0)",
        f"{ENDED} with exit code 0 {LINE}",
    ),
    "answers what cannot be told": (
        "class Move:\n        def __repr__(self): return 1 // 0\n    return Move()",
        "ZeroDivisionError: integer division or modulo by zero (mybot.py, line 5)",
    ),
    "raises what cannot be told": (
        "class Fault(Exception):\n        def __str__(self): return 1 // 0\n    raise Fault",
        "it failed with Fault (mybot.py, line 6)",
    ),
    "answers as much as no one reads": (
        "return 'x' * 5_000_000",
        "it answered more than anyone could read",
    ),
    "calls itself": ("return choose(turn)", "RecursionError: maximum recursion depth"),
    "waits in what is deleted": (
        "class Move(str):\n        def __del__(self): time.sleep(600)\n    return Move('a1')",
        f"{LATE} (mybot.py, line 5)",
    ),
    "has values of nothing": ("return turn.legal[0], 3", "its values are 3: return a dict"),
    "clears a terminal": ("raise ValueError('a\\x1b[2Jb')", f"ValueError: a [2Jb {LINE}"),
}
LOADED = {
    "hangs as it is read": (
        "import time\ntime.sleep(600)\n",
        "it was not ready within 30 s (mybot.py, line 2)",
    ),
    "exits as it is read": ("import os\nos._exit(4)\n", "exit code 4 (mybot.py, line 2)"),
    "is in another encoding": ("# \n# \xe9\n", "its encoding is not the one it names"),
    "takes no turn": ("def choose():\n    return 1\n", "1 was given (mybot.py, line 1)"),
    "plays a number": ("PLAYS = 3\ndef choose(turn): pass\n", "PLAYS is 3: write a list"),
    "is empty": ("", "it does not play: there is no choose(turn) in mybot.py"),
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_what_harms_nobody_costs_nothing(kind, tmp_path):
    path = written(tmp_path, f"{LATER}{HARMLESS[kind]}{PLAYS}\n")
    assert game_of(path).fault is None
    assert_none_left(tmp_path)


@pytest.mark.parametrize("kind", FATAL)
def test_what_ends_it_is_told_with_its_line(kind, tmp_path):
    line, why = FATAL[kind]
    seconds = 0.5 if why.startswith(LATE) else 10.0
    assert why in game_of(written(tmp_path, f"{LATER}{line}\n"), seconds=seconds).fault
    assert_none_left(tmp_path)


def test_a_group_goes_on_whose_first_process_has_ended(tmp_path):
    """As a server does that was started in the background by a script."""
    script = ["sh", "-c", "sleep 600 >/dev/null & echo $!"]
    started = subprocess.Popen(script, stdout=subprocess.PIPE, text=True, start_new_session=True)
    other = int(started.communicate()[0])
    try:
        path = written(tmp_path, f"{LATER}os.killpg({started.pid}, 9)\n")
        assert NOT_ITS_OWN in game_of(path).fault
        assert_none_left(tmp_path)
    finally:
        os.kill(other, signal.SIGKILL)  # which fails if it has ended


@pytest.mark.parametrize("kind", LOADED)
def test_a_file_that_cannot_be_read_is_a_forfeit(kind, tmp_path, monkeypatch):
    source, why = LOADED[kind]
    if "hangs" in kind:
        monkeypatch.setattr(process, "START_TIMEOUT_S", 3.0)
        monkeypatch.setattr(process, "DUMP_AFTER", 0.5)
    path = tmp_path / "mybot.py"
    path.write_bytes(source.encode("latin-1"))
    assert why in game_of(str(path)).fault
    assert_none_left(tmp_path)


# Programs in any language: what such a player does, done by a program of its own.
BY_LINES = """
import json, sys
from types import SimpleNamespace
from mybot import choose

for line in sys.stdin:
    told = json.loads(line)
    answer = choose(SimpleNamespace(**told))
    print(json.dumps({"move": answer}, default=str), flush=True)
"""
BY_UGI = """
import sys
from types import SimpleNamespace
from mybot import choose

for line in sys.stdin:
    words = line.split()
    if words[0] in ("ugi", "isready"):
        print({"ugi": "ugiok", "isready": "readyok"}[words[0]], flush=True)
    elif words[0] == "position":
        moves = words[words.index("moves") + 1:] if "moves" in words else []
    elif words[0] == "go":
        free = [a + b for b in "123" for a in "abc" if a + b not in moves]
        answer = choose(SimpleNamespace(ply=len(moves), legal=free))
        print("bestmove", str(answer).replace(" ", ""), flush=True)
"""
HEAVY = {"eats memory", "forks for ever", "writes a large file", "floods its answer"}
RAISES = {"raises", "exits", "eats memory", "imports what is missing", "writes a large file"}


@pytest.mark.parametrize("way", ["command", "ugi"])
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.soak if kind in HEAVY else pytest.mark.slow)
        for kind in BAD
    ],
)
def test_a_program_that_goes_wrong_forfeits_and_nothing_of_it_is_left(kind, way, tmp_path):
    """Its reason is told with the position, and what it wrote as it failed with it."""
    bad_player(kind, tmp_path)
    here = f"import os\nos.chdir({str(tmp_path)!r})\n"
    program = written(tmp_path, here + (BY_LINES if way == "command" else BY_UGI), "program.py")
    played = game_of(f"{way}={sys.executable} {program}", seconds=seconds_for(kind))
    assert played.fault
    assert len(played.moves) >= 2
    if kind in RAISES - {"exits"}:
        assert 'mybot.py", line 4' in played.traceback
    assert_none_left(tmp_path)
