"""How a kernel is compiled: by numba, kept on disk, with the GIL released.

Numba's cache notices an edit in a kernel's own file and none in a file it calls. So the directory
in which our kernels are kept is named after a digest of every source that has one and of the
packages they share (`tabular`, `quixo`): whatever is edited there, all of them are compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba

from agents.compute.paths import cache_dir

P = ParamSpec("P")
R = TypeVar("R")

config: Any = numba.config  # numba fills this module when it is imported

SOURCES = Path(__file__).parents[1]
# What kernels share stands in these packages, or among the optimisers, whose searches are mostly
# kernels; how they are compiled stands here.
SHARED = (
    os.path.join(os.sep, "tabular", ""),
    os.path.join(os.sep, "quixo", ""),
    os.path.join(os.sep, "compute", "rng.py"),
    os.path.join(os.sep, "optimisers", ""),
    os.path.join(os.sep, "compute", "kernels.py"),
)
MARK = b"\n@kernel\n"
PREFIX = "kernels-"
KEPT = 4  # directories: of this digest, and of those that ran here last


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """The function compiled to machine code at its first call, its types kept for the reader."""
    place = kernels_place()
    before = config.CACHE_DIR
    # Read once, when a function is decorated: set for that moment, it concerns nobody else.
    config.CACHE_DIR = str(place) if place else before
    try:
        compiled = numba.njit(cache=place is not None, nogil=True)(function)
    finally:
        config.CACHE_DIR = before
    return cast("Callable[P, R]", compiled)


def sources_digest(sources: Path = SOURCES) -> str:
    """A name for all that any kernel is compiled from, 16 hex digits."""
    seen = hashlib.sha256()
    for path in sorted(_modules(str(sources))):
        with open(path, "rb") as file:
            text = file.read()
        if MARK in text or path.startswith(SHARED, len(str(sources))):
            seen.update(b"%d %s\n" % (len(text), path[len(str(sources)) :].encode()))
            seen.update(text)
    return seen.hexdigest()[:16]


def _modules(sources: str) -> Iterator[str]:
    for directory, below, names in os.walk(sources):
        below[:] = (name for name in below if name != "__pycache__")
        yield from (os.path.join(directory, name) for name in names if name.endswith(".py"))


@cache
def kernels_place() -> Path | None:
    """Where compiled kernels are kept: beside the sources, or where the user's caches are.

    NUMBA_CACHE_DIR comes first where it is set. None if nothing can be written anywhere: they
    are then compiled in every process.
    """
    name = f"{PREFIX}{sources_digest()}"
    chosen = config.CACHE_DIR
    homes = [Path(chosen)] if chosen else [SOURCES / "__pycache__", cache_dir()]
    return next((home / name for home in homes if _prepared(home / name)), None)


def _prepared(place: Path) -> bool:
    """Make the directory and mark it as in use; False where that cannot be done."""
    try:
        new = not place.is_dir()
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
        os.utime(place)
    except OSError:
        return False
    if new:
        remove_old(place.parent)
    return True


def remove_old(home: Path, kept: int = KEPT) -> None:
    """Leave the directories used last. Others may do the same now, or still run older sources:
    what is gone already is no matter, and numba compiles again what it does not find."""
    aged = []
    for place in home.glob(f"{PREFIX}*"):
        with suppress(OSError):
            aged.append((place.stat().st_mtime_ns, place))
    for _, place in sorted(aged, reverse=True)[kept:]:
        shutil.rmtree(place, ignore_errors=True)
