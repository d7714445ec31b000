"""The matches of a round in which everyone plays at once: one query each, for pages that poll."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from sqlalchemy import bindparam, func, select

from engine import Seat
from webapp.classroom.store import CLASS_ID
from webapp.matches.store import DRAW, MATCHES
from webapp.replays.models import PlyRecord, Record
from webapp.storage.database import Database
from webapp.storage.tables.classes import ClassAnswerRow, ClassSeatRow
from webapp.storage.tables.matches import MatchRow, MoveRow

MAX_REPLAYED = 1000  # matches whose replay is kept: what has not moved is not replayed again

OF_ROUND = (ClassAnswerRow.class_id == CLASS_ID, ClassAnswerRow.round == bindparam("number"))
SEATED = (
    (ClassSeatRow.class_id == ClassAnswerRow.class_id)
    & (ClassSeatRow.number == ClassAnswerRow.seat)
    & ClassSeatRow.removed.is_(False)
)
COUNT_GAMES = (
    # A student's next game has revision 0 again, but was begun later.
    select(func.count(), func.sum(MatchRow.revision), func.sum(ClassAnswerRow.given))
    .select_from(ClassAnswerRow)
    .join(ClassSeatRow, SEATED)
    .join(MatchRow, MatchRow.id == ClassAnswerRow.answer)
    .where(*OF_ROUND)
)
SELECT_GAMES = (
    select(ClassAnswerRow.seat, *MATCHES.columns, MoveRow.text, MoveRow.revision, MoveRow.note)
    .select_from(ClassAnswerRow)
    .join(ClassSeatRow, SEATED)
    .join(MatchRow, MatchRow.id == ClassAnswerRow.answer)
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(*OF_ROUND)
    .order_by(ClassAnswerRow.seat, MoveRow.ply)
)
SELECT_REVISION = (
    select(MatchRow.revision)
    .join(ClassAnswerRow, ClassAnswerRow.answer == MatchRow.id)
    .where(*OF_ROUND, ClassAnswerRow.seat == bindparam("place"))
    .order_by(ClassAnswerRow.vote.desc())
)
SELECT_RESULTS = (
    select(MatchRow.id, MatchRow.result)
    .join(ClassAnswerRow, ClassAnswerRow.answer == MatchRow.id)
    .where(ClassAnswerRow.class_id == CLASS_ID)
)
RESULTS = {None: "playing", int(Seat.FIRST): "won", int(Seat.SECOND): "lost", DRAW: "drawn"}


@dataclass(frozen=True, slots=True)
class GameStore:
    """Reads the matches that the students of a class have begun in a round."""

    database: Database

    def known(self, class_id: str, number: int) -> str:
        """Changes with every game that is begun, every move, and whoever is sent out."""
        ((count, moved, begun),) = self.database.fetch(COUNT_GAMES, wanted=class_id, number=number)
        return f"{count}-{moved or 0}-{begun or 0}"

    def games(self, class_id: str, number: int) -> tuple[tuple[int, Record], ...]:
        """Seat and match of every student who has begun one and is still in the class."""
        rows = self.database.fetch(SELECT_GAMES, wanted=class_id, number=number)
        found = []
        for seat, group in groupby(rows, key=lambda row: row[0]):
            of_match = [row[1:] for row in group]
            moves = map(MATCHES.rest, of_match)
            plies = tuple(PlyRecord(*move) for move in moves if move[0] is not None)
            found.append((int(seat), _replayed_once(MATCHES.read(of_match[0], plies=plies))))
        return tuple(found)

    def revision(self, class_id: str, number: int, seat: int) -> int | None:
        """How far one student's game has got; None before it begins."""
        rows = self.database.fetch(SELECT_REVISION, wanted=class_id, number=number, place=seat)
        return int(rows[0][0]) if rows else None

    def results(self, class_id: str) -> dict[str, str]:
        """How each match ended for its student, by its id: what a table says in its place."""
        rows = self.database.fetch(SELECT_RESULTS, wanted=class_id)
        return {match_id: RESULTS[result] for match_id, result in rows}


@lru_cache(maxsize=MAX_REPLAYED)
def _replayed_once(record: Record) -> Record:
    """The same record for equal ones, with what it has replayed."""
    return record
