"""The analyses behind the moves of agents, stored with the plies of a match."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from webapp.storage.database import Database
from webapp.storage.tables import AnalysisRow

FIND = select(AnalysisRow.packed).where(
    AnalysisRow.match_id == bindparam("match_id"), AnalysisRow.ply == bindparam("number")
)


class AnalysisStore:
    """Reads what `matches.store` writes in the transaction that stores a ply."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, match_id: str, ply: int) -> bytes | None:
        """The packed analysis behind the move of this ply, if an agent played it."""
        rows = self._database.fetch(FIND, match_id=match_id, number=ply)
        return bytes(rows[0][0]) if rows else None
