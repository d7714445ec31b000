"""What is stored, in all and for each visitor; and the end of what one visitor holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from time import time

from sqlalchemy import BindParameter, bindparam, delete, func, literal_column, select, text, update

from webapp.storage.database import Database
from webapp.storage.tables.assignments import AssignmentRow
from webapp.storage.tables.bots import BotRow, BotTokenRow, LeagueRow, PersonTokenRow
from webapp.storage.tables.classes import ClassRow
from webapp.storage.tables.jobs import BrainFileRow, BrainRow, JobRow
from webapp.storage.tables.matches import MatchRow
from webapp.storage.tables.puzzles import PuzzlePlayerRow, PuzzleTryRow

PRESENT_S = 60  # a bot that asked for its turn within this time is here
ACTIVE = ("queued", "running")
OWNER: BindParameter[str] = bindparam("whose")

_COUNTED = {
    "matches": select(MatchRow.owner, func.count()).group_by(MatchRow.owner),
    "unfinished": select(MatchRow.owner, func.count())
    .where(MatchRow.over.is_(False))
    .group_by(MatchRow.owner),
    "jobs": select(JobRow.owner, func.count()).group_by(JobRow.owner),
    "active_jobs": select(JobRow.owner, func.count())
    .where(JobRow.state.in_([literal_column(f"'{state}'") for state in ACTIVE]))
    .group_by(JobRow.owner),
    "brain_bytes": select(BrainRow.owner, func.sum(BrainRow.size)).group_by(BrainRow.owner),
    "classes": select(ClassRow.owner, func.count()).group_by(ClassRow.owner),
    "assignments": select(AssignmentRow.owner, func.count()).group_by(AssignmentRow.owner),
    "puzzles": select(PuzzleTryRow.player_id, func.count()).group_by(PuzzleTryRow.player_id),
    "bots": select(BotRow.owner, func.count())
    .where(BotRow.owner.is_not(None))
    .group_by(BotRow.owner),
    "leagues": select(LeagueRow.owner, func.count()).group_by(LeagueRow.owner),
    "tokens": select(PersonTokenRow.owner, func.count()).group_by(PersonTokenRow.owner),
}
JOBS_BY_STATE = select(JobRow.state, func.count()).group_by(JobRow.state)
BOTS = select(func.count()).select_from(BotRow).where(BotRow.until > bindparam("now"))
BOTS_HERE = BOTS.where(BotRow.seen > bindparam("since"))
CLASSES = (
    select(func.count())
    .select_from(ClassRow)
    .where(ClassRow.ends > bindparam("now"), ClassRow.code.is_not(None))
)
BRAIN_BYTES = select(func.coalesce(func.sum(BrainFileRow.size), literal_column("0")))
SIZE = {
    True: text("select page_count * page_size from pragma_page_count(), pragma_page_size()"),
    False: text("select pg_database_size(current_database())"),
}
END_BOTS = update(BotRow).values(until=bindparam("now")).where(BotRow.owner == OWNER)
REVOKE_TOKENS = (
    update(BotTokenRow)
    .values(revoked=literal_column("true"))
    .where(BotTokenRow.bot_id.in_(select(BotRow.id).where(BotRow.owner == OWNER)))
)
# What is below one of these rows goes with it.
DELETED = tuple(
    delete(row).where(owner == OWNER)
    for row, owner in (
        (PersonTokenRow, PersonTokenRow.owner),
        (LeagueRow, LeagueRow.owner),
        (ClassRow, ClassRow.owner),
        (AssignmentRow, AssignmentRow.owner),
        (PuzzlePlayerRow, PuzzlePlayerRow.id),
        (MatchRow, MatchRow.owner),
    )
)


@dataclass(frozen=True, slots=True)
class Holdings:
    """What one visitor holds."""

    player: str
    matches: int = 0
    unfinished: int = 0
    jobs: int = 0
    active_jobs: int = 0
    brain_bytes: int = 0
    classes: int = 0
    assignments: int = 0
    puzzles: int = 0  # that were tried, or are theirs to try
    bots: int = 0
    leagues: int = 0
    tokens: int = 0  # for the API


@dataclass(frozen=True, slots=True)
class Totals:
    """What all hold together."""

    jobs: dict[str, int]  # by state
    bots: int  # whose tokens are valid
    bots_here: int  # that ask for their turns
    classes: int  # that can be joined
    brain_bytes: int
    database_bytes: int


class UsageStore:
    """Counts rows by their owners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def holdings(self) -> tuple[Holdings, ...]:
        """Of every visitor who holds something, the largest brains and most matches first."""
        found: dict[str, dict[str, int]] = {}
        for name, statement in _COUNTED.items():
            for owner, count in self._database.fetch(statement):
                found.setdefault(owner, {})[name] = int(count)
        held = (Holdings(owner, **counts) for owner, counts in found.items())
        return tuple(sorted(held, key=_weight, reverse=True))

    def totals(self) -> Totals:
        """What all hold together."""
        now = int(time())
        since = now - PRESENT_S
        return Totals(
            jobs={str(state): int(count) for state, count in self._database.fetch(JOBS_BY_STATE)},
            bots=self._count(BOTS, now=now),
            bots_here=self._count(BOTS_HERE, now=now, since=since),
            classes=self._count(CLASSES, now=now),
            brain_bytes=self._count(BRAIN_BYTES),
            database_bytes=self._count(SIZE[self._database.is_sqlite]),
        )

    def end(self, player: str) -> None:
        """Delete what a visitor holds but jobs and brains, and end their bots' tokens."""
        whose = {"whose": player}
        with self._database.write() as cursor:
            self._database.run(cursor, END_BOTS, whose | {"now": int(time())})
            for statement in (REVOKE_TOKENS, *DELETED):
                self._database.run(cursor, statement, whose)

    def _count(self, statement: object, **values: int) -> int:
        rows: Sequence[tuple[int]] = self._database.fetch(statement, **values)  # type: ignore[arg-type]
        return int(rows[0][0])


def _weight(held: Holdings) -> tuple[int, int]:
    rows = sum(getattr(held, each.name) for each in fields(held) if each.type == "int")
    return held.brain_bytes, rows - held.brain_bytes
