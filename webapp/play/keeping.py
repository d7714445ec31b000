"""An analysis packed for the store, and unpacked: small, never executed, and bounded."""

from __future__ import annotations

import json
import zlib
from typing import Any

from agents import Analysis
from agents.serialisation import from_document, to_document
from engine import Game
from engine.errors import ZermeloError

LARGEST = 100_000  # bytes of JSON; beyond that a technique says more than anyone will read


def pack(analysis: Analysis[Any] | None) -> bytes | None:
    """The bytes to keep; None for what an agent from elsewhere said that cannot be kept."""
    if analysis is None:
        return None
    try:
        text = json.dumps(to_document(analysis), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return zlib.compress(text.encode(), level=1) if len(text) <= LARGEST else None


def unpack(packed: bytes, game: Game[Any, Any]) -> Analysis[Any] | None:
    """The analysis in them; None where this version cannot read it any more."""
    try:
        return from_document(json.loads(zlib.decompress(packed)), game)
    except (zlib.error, ValueError, TypeError, KeyError, ZermeloError):
        return None
