"""The analyses that made the moves of a match, as they were stored with its plies."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from webapp.storage.database import Database
from webapp.storage.tables import AnalysisRow

FIND = select(AnalysisRow.packed).where(
    AnalysisRow.match_id == bindparam("wanted"), AnalysisRow.ply == bindparam("number")
)


class AnalysisStore:
    """Reads what `matches.store` writes in the transaction that stores a ply."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._find = database.written(FIND)

    def find(self, match_id: str, ply: int) -> bytes | None:
        """The packed analysis of the agent that made the move of this ply, if an agent did."""
        with self._database.read() as cursor:
            cursor.execute(self._find, {"wanted": match_id, "number": ply})
            row = cursor.fetchone()
            return None if row is None else bytes(row[0])
