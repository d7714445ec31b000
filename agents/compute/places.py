"""Where on this machine Zermelo keeps what it has worked out: solved tables, brains, games.

What took long to work out is data; what any machine compiles again in a minute is a cache.
"""

import os
import sys
from pathlib import Path

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
