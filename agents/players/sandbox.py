"""How a player's process is kept apart: resource limits, and bubblewrap where it works.

Against accidents, not against malice: either way it can read what this user can read.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from agents.players.descendants import MAX_PROCESSES, tasks_of_user

LAUNCH = Path(__file__).parent / "guest" / "launch.py"
PROBE_TIMEOUT_S = 10.0
TEMPORARY = "/dev/shm"  # noqa: S108 - under bubblewrap, a directory of its own
# The player's environment: of ours only these, as others may hold secrets.
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")
FIXED = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "MPLBACKEND": "Agg",  # no windows
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
LIMITS = {
    "RLIMIT_DATA": 2 << 30,  # bytes of memory of its own
    "RLIMIT_FSIZE": 64 << 20,  # bytes of a file it writes
    "RLIMIT_NOFILE": 256,
    "RLIMIT_CORE": 0,
}
HELD = f"at most 2 GB of memory, 64 MB a file and {MAX_PROCESSES} processes"
BARE = f"{HELD}; bubblewrap is not at work here, so it can write files and use the network"
WRAPPED = f"{HELD}, and bubblewrap: it can write only its own folder, and has no network"
UNLIMITED = "a deadline only: it can use all memory, write files and use the network"


def environment() -> dict[str, str]:
    own = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return own | FIXED


@cache
def bubblewrap() -> str | None:
    """The program, if there is one and it works here."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            [*_arguments(program, Path("/")), "true"],
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if done.returncode == 0 else None


def wrapped(command: list[str], directory: Path) -> list[str]:
    """The command under resource limits, and inside bubblewrap where it works."""
    if os.name != "posix":
        return command
    launched = [sys.executable, "-I", "-S", str(LAUNCH), json.dumps(_limits()), *command]
    program = bubblewrap()
    return launched if program is None else [*_arguments(program, directory), *launched]


def _limits() -> dict[str, int]:
    """The resource limits of a player that starts now; it is told first by its own count."""
    return LIMITS | {"RLIMIT_NPROC": tasks_of_user() + 2 * MAX_PROCESSES}


def isolation_text() -> str:
    """What keeps players apart here, and what it does not prevent."""
    if os.name != "posix":
        return UNLIMITED
    return BARE if bubblewrap() is None else WRAPPED


def _arguments(program: str, directory: Path) -> list[str]:
    place = str(directory)
    writable = [] if place == "/" else ["--bind", place, place]
    return [
        *(program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        # /tmp stays as it is: the player's own program may lie there
        *("--tmpfs", TEMPORARY, "--setenv", "TMPDIR", TEMPORARY, *writable),
        *("--unshare-pid", "--unshare-net", "--die-with-parent", "--chdir", place),
    ]
