"""Addresses of the sheets that lie over a page, or are one where no script opens them."""

from __future__ import annotations

from urllib.parse import urlencode


def rules_address(spec: str, back: str = "") -> str:
    """How this variant is played, with the way back to a match."""
    return _with("/how-to-play", game=spec, back=back)


def keys_address(back: str = "") -> str:
    """Every key."""
    return _with("/keys", back=back)


def _with(path: str, **fields: str) -> str:
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{path}?{query}" if query else path
