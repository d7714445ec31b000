"""How a player's process is kept apart: bubblewrap where it works, else resource limits only.

Against accidents, not against malice: either way it can read what this user can read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

PROBE_TIMEOUT_S = 10.0
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
BARE = "resource limits only: it can write your files and use the network"
WRAPPED = "bubblewrap: it can write only its own folder, and has no network"


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
    """The command, inside bubblewrap where it works."""
    program = bubblewrap()
    return command if program is None else [*_arguments(program, directory), *command]


def isolation_text() -> str:
    """What keeps players apart here, and what it does not prevent."""
    return BARE if bubblewrap() is None else WRAPPED


def _arguments(program: str, directory: Path) -> list[str]:
    place = str(directory)
    writable = [] if place == "/" else ["--bind", place, place]
    return [
        *(program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        *("--tmpfs", "/tmp", *writable),  # noqa: S108 - its own
        *("--unshare-pid", "--unshare-net", "--die-with-parent", "--chdir", place),
    ]
