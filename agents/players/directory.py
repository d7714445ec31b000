"""The players of a directory that the owner of a server named: each file an entry of the roster."""

from __future__ import annotations

import ast
import logging
import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from agents.entry import Entry, Technique
from agents.players.agent import OutsideAgent
from agents.players.guest.source import read_cells
from agents.players.sandbox import isolation_text
from agents.players.spec import OutsidePlayer, file_key
from engine.core import Game

log = logging.getLogger(__name__)

VARIABLE = "ZERMELO_PLAYERS"  # the directory
MAIN = "main.py"  # of a folder in it, whose name is then the player's
CS50_NIM = "nim:heaps=1-3-5-7"


def directory() -> Path | None:
    """The directory that was named, if any."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def directory_entries() -> Iterator[Entry]:
    """An entry for each file, by name; none without a directory."""
    place = directory()
    if place is None or not place.is_dir():
        return
    taken: set[str] = set()
    for path in sorted(place.iterdir()):
        file = path / MAIN if (path / MAIN).is_file() else path
        hidden = path.name.startswith((".", "_"))
        if file.suffix in (".py", ".ipynb") and file.is_file() and not hidden:
            key = _free_key(path.stem, taken)
            taken.add(key)
            yield _entry(key, path.stem, file.resolve())


def _free_key(stem: str, taken: set[str]) -> str:
    """`file-my-bot`; `file-my-bot-2` where another file has that already."""
    key = file_key(stem)
    numbered = (f"{key}-{number}" for number in count(2))
    return key if key not in taken else next(each for each in numbered if each not in taken)


def _entry(key: str, title: str, path: Path) -> Entry:
    player = OutsidePlayer(key, path)
    return Entry(
        key=key,
        title="".join(letter if letter.isprintable() else "?" for letter in title),
        technique=Technique.PLAYERS,
        description=(
            f"Somebody's own player: the file {path.name}. "
            f"It runs in a process of its own, with {isolation_text()}."
        ),
        make=lambda game, options: OutsideAgent(player, game),
        refuses=_refuses(path),
    )


def _refuses(path: Path) -> Callable[[Game[Any, Any]], str | None]:
    def refuses(game: Game[Any, Any]) -> str | None:
        plays = games_of(path, path.stat().st_mtime_ns)
        if plays is None or game.spec in plays or game.key in plays:
            return None
        return f"it plays only {' and '.join(plays)}"

    return refuses


@lru_cache(maxsize=256)
def games_of(path: Path, changed: int) -> tuple[str, ...] | None:
    """The games that a file says it plays or was written for, found without running it.

    None: every game, also of a file that cannot be read, which fails when it plays.
    """
    del changed  # a file that was written since is read again
    try:
        statements = [each for cell in read_cells(str(path), log.debug) for each in cell.statements]
    except (SyntaxError, ValueError, OSError):
        return None
    functions = {each.name for each in statements if isinstance(each, ast.FunctionDef)}
    for each in statements:
        if isinstance(each, ast.Assign) and _names(each) == {"PLAYS"}:
            try:
                plays = ast.literal_eval(each.value)
            except ValueError:
                return None
            return (plays,) if isinstance(plays, str) else tuple(map(str, plays))
    if functions & {"choose", "make"} or (path.parent / "zermelo_player.py").is_file():
        return None
    if any(isinstance(each, ast.ClassDef) and _has_make_move(each) for each in statements):
        return ("quixo",)
    if "minimax" in functions:
        return ("tictactoe",)
    return (CS50_NIM,) if {"train"} <= functions else ("nim",) if functions else None


def _names(assignment: ast.Assign) -> set[str]:
    return {target.id for target in assignment.targets if isinstance(target, ast.Name)}


def _has_make_move(definition: ast.ClassDef) -> bool:
    return any(
        isinstance(each, ast.FunctionDef) and each.name == "make_move" for each in definition.body
    )
