"""Specs of players from outside: `PATH[:NAME[(ARGS)]]`, `command=PROGRAM` or `ugi=PROGRAM`."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.errors import InvalidSpecError, quoted

PATHS = ("./", "../", "/")
FILE_KEY = "file-"  # begins the key of a player in the directory of a server
COMMAND, UGI, PYTHON = "command=", "ugi=", "python="
FILE = re.compile(r"(?P<path>.+?\.(?:py|ipynb))(?::(?P<name>[A-Za-z_]\w*)(?:\((?P<args>.*)\))?)?")
PYTHON_WORD = re.compile(r"(?:'[^']*'|[^\s'])+")  # as `shlex.quote` writes an interpreter's path


@dataclass(frozen=True, slots=True)
class OutsidePlayer:
    """A player's file with what to make of it, or the command that starts it."""

    spec: str
    path: Path | None = None
    name: str | None = None
    args: str | None = None
    python: str | None = None  # the interpreter of a file
    command: tuple[str, ...] = ()
    ugi: bool = False  # whether the command is asked by UGI, else by lines of JSON


def is_outside(spec: str) -> bool:
    """Whether a spec names a player from outside: no agent's key begins like that."""
    return spec.startswith((*PATHS, COMMAND, UGI, PYTHON))


def file_key(stem: str) -> str:
    """`file-my-bot` for the file My_Bot.py."""
    words = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "player"
    return f"{FILE_KEY}{words}"


def check_path(spec: str) -> None:
    """Raises InvalidSpecError for a file's name where a path or an agent is wanted."""
    if spec.partition(":")[0].endswith((".py", ".ipynb")) and not is_outside(spec):
        raise InvalidSpecError(spec, f"a player's file is written with its folder: ./{spec}")


def is_player(spec: str) -> bool:
    """Whether it is a player from outside, by path or command or from the server's directory."""
    return is_outside(spec) or spec.startswith(FILE_KEY)


def with_python(spec: str, python: str | None) -> str:
    """The spec with the interpreter that runs it, if it is a file."""
    return f"{PYTHON}{shlex.quote(python)} {spec}" if python and spec.startswith(PATHS) else spec


def read_outside(spec: str) -> OutsidePlayer:
    """Raises InvalidSpecError for a file or program that is not there."""
    for prefix in (COMMAND, UGI):
        if spec.startswith(prefix):
            words = _words(spec.removeprefix(prefix), spec)
            return OutsidePlayer(spec, command=words, ugi=prefix == UGI)
    python, place = None, spec
    if spec.startswith(PYTHON):
        quoted_python = PYTHON_WORD.match(spec.removeprefix(PYTHON))
        assert quoted_python is not None
        (python,) = _words(quoted_python[0], spec)
        if shutil.which(python) is None:
            raise InvalidSpecError(spec, f"there is no Python at {quoted(python)}")
        place = spec.removeprefix(PYTHON).removeprefix(quoted_python[0]).lstrip()
    found = FILE.fullmatch(place)
    if found is None:
        why = f"{quoted(place)} is no player's file: write ./mybot.py, or ./mybot.py:Name(2, SEAT)"
        raise InvalidSpecError(spec, why)
    path = Path(found["path"])
    if not path.is_file():
        folder = f"in {quoted(str(path.parent))}" if path.parent.is_dir() else "nor its folder"
        raise InvalidSpecError(spec, f"there is no file {quoted(path.name)} {folder}")
    return OutsidePlayer(spec, path.resolve(), found["name"], found["args"], python)


def _words(text: str, spec: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InvalidSpecError(spec, f"{quoted(text)} is no command: {error}") from error
    if not words:
        raise InvalidSpecError(spec, "name the command that starts the player")
    return words
