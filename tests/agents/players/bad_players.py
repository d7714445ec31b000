"""Players that go wrong at their third ply, and what is to be said of each."""

from pathlib import Path
from time import monotonic

LATER = "import os, sys, time\ndef choose(turn):\n    if turn.ply < 2: return turn.legal[0]\n    "
LINE = "(mybot.py, line 4)"
HANGS = "it did not answer within"
SHORT_S, LONG_S = 0.5, 20.0  # for a move, of those that hang and of the others
# What it does, and what the reason says of it.
BAD = {
    "raises": ("return 1 // 0", f"ZeroDivisionError: integer division or modulo by zero {LINE}"),
    "hangs in Python": ("while True: pass", HANGS),
    "hangs in C": ("time.sleep(600)", HANGS),
    "answers nonsense": ("return {1: 2}", "it answered {1: 2}, which is no move"),
    "answers nothing": ("return None", "it answered None, which is no move"),
    "plays illegally": ("return 'z9'", "it answered 'z9'"),
    "exits": ("sys.exit(3)", f"it failed with SystemExit: 3 {LINE}"),
    "kills its process": ("os._exit(3)", f"its process ended with exit code 3 {LINE}"),
    "crashes in C": ("import ctypes; ctypes.string_at(0)", f"its process ended by SIGSEGV {LINE}"),
    "floods its answer": (
        "return turn.legal[0], None, Flood()\nclass Flood:\n    def __str__(self):\n"
        "        while True: os.write(1, b'x' * 65536)",
        HANGS,
    ),
    "eats memory": ("return len(bytearray(8 << 30))", f"MemoryError {LINE}"),
    "forks and goes": (
        "os.fork() or (os.setsid(), time.sleep(600)); raise ValueError",
        f"ValueError {LINE}",
    ),
    "forks for ever": ("while True: os.fork()", "it started more than 64 processes"),
    "imports what is missing": ("import no_such_module", f"'no_such_module' {LINE}"),
    "writes a large file": (
        "open('large', 'wb').write(bytes(80 << 20))",
        "File too large",
    ),
}


def bad_player(kind, directory):
    """The path of its file."""
    path = directory / "mybot.py"
    path.write_text(f"{LATER}{BAD[kind][0]}\n", "utf-8")
    return str(path)


def seconds_for(kind):
    return SHORT_S if BAD[kind][1] is HANGS else LONG_S


def processes_in(directory):
    """Processes that a player of this directory started and that still run."""
    return [place.name for place in Path("/proc").glob("[0-9]*") if _runs_in(place, directory)]


def assert_none_left(directory):
    """Killed processes take a moment to go."""
    end = monotonic() + 30
    while processes_in(directory):
        assert monotonic() < end, processes_in(directory)


def _runs_in(place, directory):
    try:
        return (place / "cwd").readlink() == directory
    except OSError:
        return False
