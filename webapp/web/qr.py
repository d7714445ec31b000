"""QR codes as one SVG path."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import segno

BORDER_MODULES = 4  # light, around the code, as the standard requires
# One of the eight mask patterns, which every reader knows. To choose the best takes twenty times as
# long as everything else, in a web thread.
MASK = 0


@dataclass(frozen=True, slots=True)
class QrCode:
    """A square of so many modules; `path` draws the dark ones."""

    size: int
    path: str


@lru_cache(maxsize=256)
def qr_code(text: str) -> QrCode:
    """The QR code of a text, for `web/code.html`."""
    rows = segno.make(text, error="m", micro=False, mask=MASK).matrix
    parts = []
    for y, row in enumerate(rows, start=BORDER_MODULES):
        x = BORDER_MODULES
        for dark, run in groupby(row):
            width = len(list(run))
            if dark:
                parts.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return QrCode(len(rows) + 2 * BORDER_MODULES, "".join(parts))
