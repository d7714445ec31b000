"""How a truth is told in one sentence."""

from __future__ import annotations

from collections.abc import Sequence


def listed(texts: Sequence[str], most: int, what: str) -> str:
    """`a1`, `a1 and b2`, `a1, b2 and c3`; beyond the most their number: `12 moves`."""
    if len(texts) > most:
        return f"{len(texts)} {what}"
    return joined(texts)


def joined(texts: Sequence[str]) -> str:
    """`1, 3, 5 and 7`."""
    return " and ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)
