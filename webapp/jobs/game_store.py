"""The SQL of an arena's games, for whoever looks at them: all, of one pair, or one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import bindparam, select

from agents.contest.arena import Terms
from agents.contest.results import Result
from webapp.jobs.errors import UnknownJobError
from webapp.jobs.records import JobGame
from webapp.jobs.rows import GAME
from webapp.storage.database import Database
from webapp.storage.tables import JobGameRow

_OF_JOB = JobGameRow.job_id == bindparam("job")
_OF_PAIR = JobGameRow.pair == bindparam("met")


class GameStore:
    """Games of arenas, read."""

    def __init__(self, database: Database) -> None:
        self.database = database
        games = select(*GAME).where(_OF_JOB)
        self._all = database.written(games)
        self._of_pair = database.written(
            games.where(_OF_PAIR)
            .order_by(JobGameRow.round)
            .limit(bindparam("most"))
            .offset(bindparam("after"))
        )
        self._one = database.written(games.where(_OF_PAIR, JobGameRow.round == bindparam("number")))

    def results(self, job_id: str, terms: Terms) -> list[Result]:
        """What a table is made of: every game so far, in no order."""
        with self.database.read() as cursor:
            cursor.execute(self._all, {"job": job_id})
            return list(_results(terms, cursor.fetchall()))

    def of_pair(self, job_id: str, pair: int, most: int, after: int) -> tuple[JobGame, ...]:
        """Some of a pair's games, round by round."""
        with self.database.read() as cursor:
            asked = {"job": job_id, "met": pair, "most": most, "after": after}
            cursor.execute(self._of_pair, asked)
            return tuple(JobGame(*row) for row in cursor.fetchall())

    def one(self, job_id: str, pair: int, round_: int) -> JobGame:
        """One game; raises UnknownJobError where it has not been played."""
        with self.database.read() as cursor:
            cursor.execute(self._one, {"job": job_id, "met": pair, "number": round_})
            row = cursor.fetchone()
        if row is None:
            raise UnknownJobError("this game has not been played yet")
        return JobGame(*row)


def _results(terms: Terms, rows: Iterable[Any]) -> Iterable[Result]:
    """Rows as results; who had which seat follows from pair and round."""
    seats = [terms.fixture(number).entrants for number in range(1, terms.pairs + 1)]
    for pair, round_, moves, winner, ending, fault, one, two, ones, twos in rows:
        low, high = seats[pair]
        first, second = (high, low) if round_ % 2 else (low, high)
        yield Result(
            first,
            second,
            round_,
            winner,
            ending,
            moves,
            fault is not None,
            (ones or 0, twos or 0),
            (one or 0.0, two or 0.0),
        )
