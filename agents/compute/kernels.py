"""The `kernel` decorator: compiled by numba, cached on disk, without the GIL.

Numba's cache is invalidated by an edit of a kernel's own file, but not of a file it calls. So the
cache directory is named by a digest of every source with a kernel and of the modules they share
(SHARED): an edit of any of them compiles all kernels anew.
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
njit: Any = numba.njit  # its types know not all of its options

SOURCES = Path(__file__).parents[1]
# Constants and types that kernels import, and how they are compiled.
SHARED = (
    os.path.join(os.sep, "tabular", ""),
    os.path.join(os.sep, "quixo", ""),
    os.path.join(os.sep, "compute", "rng.py"),
    os.path.join(os.sep, "optimisers", ""),
    os.path.join(os.sep, "compute", "kernels.py"),
)
MARKS = (b"\n@kernel\n", b"\n@inner\n", b"\n@inlined\n")
PREFIX = "kernels-"
KEPT = 4  # cache directories, those used last


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile the function at its first call, keeping its annotated type for mypy."""
    return _compiled(function)


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that makes no arrays, for inner loops: numba does not count who refers to them.

    Counting takes two atomic instructions for every array of every tuple that is passed on. Nor is
    a division by 0 checked, so that the divisions of a loop can be vectorised.
    """
    return _compiled(function, _nrt=False, error_model="numpy")


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """The same for a small function, which is compiled into those that call it."""
    return _compiled(function, _nrt=False, error_model="numpy", forceinline=True)


def _compiled(function: Callable[P, R], **options: object) -> Callable[P, R]:
    place = kernels_place()
    before = config.CACHE_DIR
    # Numba reads it when a function is decorated; restored for the kernels of other packages.
    config.CACHE_DIR = str(place) if place else before
    try:
        compiled = njit(cache=place is not None, nogil=True, **options)(function)
    finally:
        config.CACHE_DIR = before
    return cast("Callable[P, R]", compiled)


def sources_digest(sources: Path = SOURCES) -> str:
    """A digest of all sources that kernels are compiled from, 16 hex digits."""
    seen = hashlib.sha256()
    for path in sorted(_modules(str(sources))):
        with open(path, "rb") as file:
            text = file.read()
        if any(mark in text for mark in MARKS) or path.startswith(SHARED, len(str(sources))):
            seen.update(b"%d %s\n" % (len(text), path[len(str(sources)) :].encode()))
            seen.update(text)
    return seen.hexdigest()[:16]


def _modules(sources: str) -> Iterator[str]:
    for directory, below, names in os.walk(sources):
        below[:] = (name for name in below if name != "__pycache__")
        yield from (os.path.join(directory, name) for name in names if name.endswith(".py"))


@cache
def kernels_place() -> Path | None:
    """The cache directory: in NUMBA_CACHE_DIR if set, else beside the sources or in `cache_dir`.

    None if none of them is writable: every process then compiles for itself.
    """
    name = f"{PREFIX}{sources_digest()}"
    chosen = config.CACHE_DIR
    homes = [Path(chosen)] if chosen else [SOURCES / "__pycache__", cache_dir()]
    return next((home / name for home in homes if _prepared(home / name)), None)


def _prepared(place: Path) -> bool:
    """Create the directory or update its time stamp; False if it is not writable."""
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
    """Remove all but the last used directories.

    Other processes may do so at the same time or still use an old directory: missing files are
    ignored here and compiled again by numba.
    """
    aged = []
    for place in home.glob(f"{PREFIX}*"):
        with suppress(OSError):
            aged.append((place.stat().st_mtime_ns, place))
    for _, place in sorted(aged, reverse=True)[kept:]:
        shutil.rmtree(place, ignore_errors=True)
