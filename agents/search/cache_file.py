"""A cache file of minimax: values of positions, loaded when an agent is made, saved after a match.

The course's players kept such a file too, keyed by `hash(str(board))`; Python salts that hash anew
in every process, so what one match had written no other could find. Here a key is the canonical
board, the side to move and the depth, as text.

The file is one line that says what it is (game, evaluation, checksum of the rest) and then one line
for each value. It is replaced atomically under a lock, merged with what others wrote meanwhile, so
that two processes never corrupt it.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from agents.compute.paths import data_dir, keep, locked
from agents.search.common import Worth
from engine.core import Game
from engine.errors import InvalidSpecError, quoted

log = logging.getLogger(__name__)

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
FORMAT = "zermelo-minimax-cache-1"
MAX_BYTES = 64 << 20  # of a file: values beyond are not kept

Key = tuple[str, int]  # (text of the canonical state with the side to move, depth)
Value = tuple[float, int | None, int | None]  # value, plies, height


@dataclass(eq=False)
class CacheFile:
    """The values of one game under one evaluation."""

    path: Path
    game: Game[Any, Any]
    evaluation: str
    values: dict[Key, Value] = field(default_factory=dict)
    fresh: dict[Key, Value] = field(default_factory=dict)  # not saved yet
    loaded: int = 0
    hits: int = 0
    positions: int = 0  # looked at by the agents that use it

    def key(self, state: Any, depth: int) -> Key:
        return _canonical_text(self.game, state), depth

    def get(self, key: Key) -> Worth | None:
        """The worth without its line: images of a position share it, and a line has a direction."""
        found = self.values.get(key)
        if found is None:
            return None
        self.hits += 1
        return Worth(*found)

    def put(self, key: Key, worth: Worth) -> None:
        if key not in self.values:
            self.values[key] = self.fresh[key] = (worth.value, worth.plies, worth.height)

    def save(self) -> None:
        """Write what is new, with what others have written meanwhile."""
        if not self.fresh:
            return
        with locked(self.path.with_suffix(".lock")):
            kept, _ = read(self.path, self.game.spec, self.evaluation)
            keep(written({**kept, **self.fresh}, self.game.spec, self.evaluation), self.path)
        self.fresh = {}

    @property
    def text(self) -> str:
        """How much of it was of use."""
        return (
            f"cache {self.path.stem}: {self.positions:,} positions looked at; "
            f"{self.loaded:,} values loaded, {self.hits:,} used, {len(self.fresh):,} new"
        )


@lru_cache(maxsize=1 << 16)
def _canonical_text(game: Game[Any, Any], state: Any) -> str:
    return str(game.canonical(state))


_ALLOWED = ContextVar("cache files allowed", default=False)
_OPEN: dict[tuple[Path, str, str], CacheFile] = {}  # by file, game and evaluation


@contextmanager
def cache_files() -> Iterator[None]:
    """Let agents within this block use cache files, and save them at its end.

    For commands: a server lets nobody write files.
    """
    token = _ALLOWED.set(True)
    try:
        yield
    finally:
        save_caches()
        _OPEN.clear()
        _ALLOWED.reset(token)


def cache_files_allowed() -> bool:
    return _ALLOWED.get()


def cache_texts() -> list[str]:
    """A line about each cache that is open."""
    return [cache.text for cache in _OPEN.values()]


def cache_path(name: str) -> Path:
    """The file of a cache by its name; raises InvalidSpecError."""
    if NAME.fullmatch(name) is None:
        why = f"{quoted(name)} is no name of a cache: small letters, digits, - and _, at most 40"
        raise InvalidSpecError(name, why)
    place = data_dir() / "caches"
    place.mkdir(exist_ok=True, mode=0o700)
    return place / f"{name}.cache"


def open_cache(name: str, game: Game[Any, Any], evaluation: str) -> CacheFile:
    """The cache of this name, with what its file holds; both players of a match share it.

    A file that is cut short, or is about something else, is refused with a line, and written anew.
    """
    path = cache_path(name)
    known = (path, game.spec, evaluation)
    if known not in _OPEN:
        values, refused = read(path, game.spec, evaluation)
        if refused:
            log.warning("%s: it is begun anew", refused)
        _OPEN[known] = CacheFile(path, game, evaluation, values, loaded=len(values))
    return _OPEN[known]


def save_caches() -> None:
    """Save every cache that has anything new."""
    for cache in _OPEN.values():
        cache.save()


def written(values: Mapping[Key, Value], game: str, evaluation: str) -> bytes:
    """The bytes of a file, at most MAX_BYTES: those of greater depth first, which cost most."""
    lines, size = [], 0
    for (text, depth), value in sorted(values.items(), key=lambda each: (-each[0][1], each[0][0])):
        line = json.dumps([text, depth, *value])
        size += len(line) + 1
        if size > MAX_BYTES:
            break
        lines.append(line)
    body = "\n".join(lines).encode()
    head = {"format": FORMAT, "game": game, "evaluation": evaluation, "sum": _checksum(body)}
    return json.dumps(head).encode() + b"\n" + body


def read(path: Path, game: str, evaluation: str) -> tuple[dict[Key, Value], str]:
    """(values, why they are none): an absent file has neither."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 4096)
    except FileNotFoundError:
        return {}, ""
    except OSError:
        return {}, f"the cache {path.stem} cannot be read"
    first, _, body = data.partition(b"\n")
    try:
        head = json.loads(first)
        known = head["format"] == FORMAT
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        return {}, f"the cache {path.stem} is no cache of minimax"
    if (head.get("game"), head.get("evaluation")) != (game, evaluation):
        return {}, f"the cache {path.stem} is for {head.get('game')}, not for {game}"
    if head.get("sum") != _checksum(body):
        return {}, f"the cache {path.stem} is cut short or changed"
    rows = (json.loads(line) for line in body.decode().split("\n") if line)
    return {(text, depth): (value, plies, height) for text, depth, value, plies, height in rows}, ""


def _checksum(body: bytes) -> str:
    return sha256(body).hexdigest()
