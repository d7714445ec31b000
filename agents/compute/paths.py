"""Where on this machine Zermelo keeps what it has worked out: solved tables, brains, games.

What took long to work out is data; what any machine compiles again in a minute is a cache.
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
    """The directory named by ZERMELO_DATA, or the usual one of this user; made if missing."""
    chosen = os.environ.get("ZERMELO_DATA")
    place = Path(chosen).expanduser() if chosen else _usual()
    place.mkdir(parents=True, exist_ok=True)
    return place


def _usual() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / NAME
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / NAME


def cache_dir() -> Path:
    """The usual place of this user's caches. Not made here: it may be a place to read only."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / NAME
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / NAME


def keep(data: bytes | memoryview, path: Path) -> None:
    """Whole or not at all; a disk that takes nothing only costs the time to work it out again."""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # or a power cut could leave the name without the bytes
        os.replace(file.name, path)
    except OSError as error:
        log.warning("%s could not be kept: %s", path, error)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time, where the system and the disk can see to it. Ends with its holder."""
    with ExitStack() as held:
        with suppress(OSError):
            file = held.enter_context(path.open("w"))
            if sys.platform != "win32":
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
