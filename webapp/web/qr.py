"""QR codes as one path of a drawing: an address that is to be opened on another device."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import segno

BORDER = 4  # light modules around it, as the standard asks for
# One of the eight patterns that a code may be laid over; every reader knows them all. To try which
# looks best takes twenty times as long as everything else, and a web thread would wait for it.
MASK = 0


@dataclass(frozen=True, slots=True)
class Code:
    """A square of so many modules; `path` draws the dark ones."""

    size: int
    path: str


@lru_cache(maxsize=256)
def code_of(text: str) -> Code:
    """The code of an address (`web/code.html` draws it, black on white whatever the theme)."""
    rows = segno.make(text, error="m", micro=False, mask=MASK).matrix
    parts = []
    for y, row in enumerate(rows, start=BORDER):
        x = BORDER
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                parts.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return Code(len(rows) + 2 * BORDER, "".join(parts))
