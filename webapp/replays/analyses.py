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
        self._find = database.written(FIND)

    def find(self, match_id: str, ply: int) -> bytes | None:
        """The packed analysis behind the move of this ply, if an agent played it."""
        with self._database.read() as cursor:
            cursor.execute(self._find, {"match_id": match_id, "number": ply})
            row = cursor.fetchone()
            return None if row is None else bytes(row[0])
