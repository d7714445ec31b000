"""The analyses behind the moves of agents, packed and stored with the plies of a match."""

from __future__ import annotations

import json
import zlib
from typing import Any

from sqlalchemy import bindparam, select

from agents import Analysis
from agents.serialisation import from_document, to_document
from engine import Game
from engine.errors import ZermeloError
from webapp.storage.database import Database
from webapp.storage.tables.matches import AnalysisRow

MAX_ANALYSIS_CHARS = 100_000  # of JSON; larger analyses are not stored
FIND = select(AnalysisRow.packed).where(
    AnalysisRow.match_id == bindparam("match_id"), AnalysisRow.ply == bindparam("number")
)


class AnalysisStore:
    """Reads what `matches.store` writes in the transaction that stores a ply."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, match_id: str, ply: int, game: Game[Any, Any]) -> Analysis[Any] | None:
        """The analysis behind the move of this ply, if an agent played it.

        None also where this version cannot read it any more.
        """
        rows = self._database.fetch(FIND, match_id=match_id, number=ply)
        if not rows:
            return None
        try:
            return from_document(json.loads(zlib.decompress(bytes(rows[0][0]))), game)
        except (zlib.error, ValueError, TypeError, KeyError, ZermeloError):
            return None


def pack_analysis(analysis: Analysis[Any] | None) -> bytes | None:
    """Serialise and compress an analysis; None for one that cannot be stored."""
    if analysis is None:
        return None
    try:
        text = json.dumps(to_document(analysis), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return zlib.compress(text.encode(), level=1) if len(text) <= MAX_ANALYSIS_CHARS else None
