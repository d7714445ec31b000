"""Directories for data and caches, atomic writes, and a file lock.

Data is what takes long to compute, such as brains and solved tables; compiled kernels are a cache.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)

NAME = "zermelo"


def data_dir() -> Path:
    """The directory of ZERMELO_DATA, else the platform's for user data.

    Created if missing, for its owner alone; one that ZERMELO_DATA names keeps its permissions, as
    there may be more in it.
    """
    chosen = os.environ.get("ZERMELO_DATA")
    place = Path(chosen).expanduser() if chosen else _user_data_dir()
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not chosen and (mode := place.stat().st_mode) & 0o007:  # of an older version
        with suppress(OSError):
            place.chmod(mode & 0o770)
    return place


def _user_data_dir() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / NAME
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / NAME


def cache_dir() -> Path:
    """The platform's directory for user caches; not created, as it may be read-only."""
    try:
        home = Path.home()
    except RuntimeError:  # a service's user without one
        home = Path(os.devnull)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / NAME
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / NAME


def keep(data: bytes | memoryview, path: Path) -> None:
    """Write the file atomically; a failure is logged, as the data can be computed again."""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # before the rename, so that a power cut leaves no empty file
        os.replace(file.name, path)
    except OSError as error:
        log.warning("%s could not be kept: %s", path, error)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on the file, where platform and file system support it."""
    with ExitStack() as stack:
        with suppress(OSError):
            file = stack.enter_context(path.open("w"))
            if sys.platform != "win32":
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
