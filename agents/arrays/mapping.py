"""The endgames of 5×5 Quixo as they lie in a file: mapped, so that all who think share them.

Nobody builds them here. Whoever looks finds the table with most blanks that was kept whole, or
none; `agents/perfect/endgames.py` works them out.
"""

from __future__ import annotations

import hashlib
import logging
import mmap
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from agents.arrays.endgames import MOST_BLANKS, SIZES, Endgames, folding, no_endgames
from agents.compute.places import data_dir

log = logging.getLogger(__name__)

WANTED = "ZERMELO_ENDGAMES"  # 0 or no: nobody looks anything up; 1 or 2: up to so many blanks
NONE = -1
# [most blanks] -> of the whole table: always the same bytes, so it is trusted for these alone.
DIGESTS = (
    "85d21a0d530042e279ffc043a53b60623708a2ec8eff5a87cf8b4afc0b14e49f",
    "ebe10b8e9d9e4fac3886c0c838c799f42dbbaf3a20dfe3001e247bb2fb76c9ca",
    "bba9b08b54df11c292ef203d4425dd1b8e4dcbe3e7938ac70752548b38e4ae8e",
)


def table_path(blanks: int) -> Path:
    """Where the boards with so many blanks at most are, ready to be mapped."""
    return data_dir() / f"quixo-5x5-{blanks}.table"


def most_wanted() -> int:
    """Up to how many blanks the environment lets endgames be looked up."""
    wanted = os.environ.get(WANTED, "")
    if wanted in ("0", "no"):
        return NONE
    return int(wanted) if wanted in map(str, range(MOST_BLANKS + 1)) else MOST_BLANKS


def endgames() -> Endgames:
    """The largest table there is now; read once, and looked for again while it may still come."""
    most = most_wanted()
    if most == NONE:
        return no_endgames()
    for blanks in range(MOST_BLANKS, -1, -1):
        path = table_path(blanks)
        with suppress(OSError):  # none there, or one that gave way to a larger one just now
            if (found := _mapped(path, path.stat().st_mtime_ns)) is not None:
                return found._replace(blanks=min(found.blanks, most))
    return no_endgames()


@cache
def _mapped(path: Path, changed: int) -> Endgames | None:
    """Read once, until another file takes its place."""
    return mapped(path)


def mapped(path: Path) -> Endgames | None:
    """The table in a file; None where there is none, or not just what was written."""
    blanks = int(path.stem[-1])
    try:
        with path.open("rb") as file:
            whole = os.fstat(file.fileno()).st_size == SIZES[blanks]
            # Read, not through the map: what nobody looks up takes no room in this process.
            seen = hashlib.file_digest(file, "sha256").hexdigest() if whole else ""
            bytes_ = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if whole else b""
    except OSError:
        return None
    if seen != DIGESTS[blanks]:
        log.warning("%s is not what was written there and is not used", path)
        return None
    return Endgames(np.frombuffer(bytes_, np.uint8), folding(), blanks)
