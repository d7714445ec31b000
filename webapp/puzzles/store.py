"""The store of puzzles and of players' progress: its SQL, and the methods that run it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import and_, bindparam, delete, func, literal_column, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor

from agents.puzzles.collection import shipped_puzzle, shipped_puzzles
from agents.puzzles.models import Puzzle
from webapp.puzzles.models import (
    FRESH,
    MIN_TRIES,
    Attempt,
    Entry,
    Progress,
    PuzzleScore,
    UnknownPuzzleError,
    entry_of,
    nearest_level,
)
from webapp.puzzles.rules import Decide, Standing
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables.puzzles import PuzzlePlayerRow, PuzzleRow, PuzzleScoreRow, PuzzleTryRow

PROGRESS = RowMapper(Progress, PuzzlePlayerRow)
ATTEMPTS = RowMapper(Attempt, PuzzleTryRow)
SCORES = RowMapper(PuzzleScore, PuzzleScoreRow)
MAX_ATTEMPTS = 3_000  # that are kept of a player, the latest
MAX_OFFERED = 200  # fresh puzzles to choose from at a time
UNUSED_S = 365 * 24 * 3600  # after which progress is removed, and a puzzle that nobody tried
PASSING_S = 30 * 24 * 3600  # after which that of someone goes who tried one and never came back

# Parameters are not named after columns: an UPDATE would take them for new values.
IS_PLAYER = PuzzlePlayerRow.id == bindparam("player")
IS_PLAYERS = PuzzleTryRow.player_id == bindparam("player")
IS_TRY = (IS_PLAYERS, PuzzleTryRow.puzzle == bindparam("which"))
FIND_PUZZLE = select(PuzzleRow.text).where(PuzzleRow.id == bindparam("which"))
FIND_PROGRESS = select(*PROGRESS.columns).where(IS_PLAYER)
LOCK_PROGRESS = FIND_PROGRESS.with_for_update()
FIND_ATTEMPT = select(*ATTEMPTS.columns).where(*IS_TRY)
FIND_SCORE = select(*SCORES.columns).where(PuzzleScoreRow.id == bindparam("which"))
LOCK_SCORE = FIND_SCORE.with_for_update()
KNOWN_SCORES = select(*SCORES.columns).where(PuzzleScoreRow.tried >= bindparam("least"))
TRIED = select(PuzzleTryRow.puzzle).where(IS_PLAYERS, PuzzleTryRow.answered.is_not(None))
LATEST = (
    select(*ATTEMPTS.columns)
    .where(IS_PLAYERS, PuzzleTryRow.answered.is_not(None))
    .order_by(PuzzleTryRow.answered.desc(), PuzzleTryRow.puzzle)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
OF_PLAYER = select(*ATTEMPTS.columns).where(IS_PLAYERS).order_by(PuzzleTryRow.puzzle)
DUE = (
    select(PuzzleTryRow.puzzle, PuzzleRow.id)
    .outerjoin(PuzzleRow, PuzzleRow.id == PuzzleTryRow.puzzle)
    .where(IS_PLAYERS, PuzzleTryRow.due <= bindparam("now"))
    .order_by(PuzzleTryRow.due, PuzzleTryRow.puzzle)
)
NEXT_DUE = select(func.min(PuzzleTryRow.due), func.count(PuzzleTryRow.due)).where(IS_PLAYERS)
OWN = select(PuzzleTryRow.puzzle).where(IS_PLAYERS, PuzzleTryRow.own.is_(True))
COUNT_OWN = select(func.count(PuzzleTryRow.puzzle)).where(IS_PLAYERS, PuzzleTryRow.own.is_(True))
ENTRY = (PuzzleRow.id, PuzzleRow.game, PuzzleRow.theme, PuzzleRow.level)
OWN_ENTRIES = (
    select(*ENTRY)
    .join(PuzzleTryRow, PuzzleTryRow.puzzle == PuzzleRow.id)
    .where(IS_PLAYERS, PuzzleTryRow.own.is_(True))
)
SUPPLY = (
    select(*ENTRY)
    .where(
        PuzzleRow.origin == bindparam("source"),
        PuzzleRow.id.not_in(select(PuzzleTryRow.puzzle).where(IS_PLAYERS)),
    )
    .order_by(PuzzleRow.made.desc(), PuzzleRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
SUPPLY_OF_GAME = SUPPLY.where(PuzzleRow.game.like(bindparam("game_prefix")))
COUNT_SUPPLY = (
    select(PuzzleRow.game, func.count(), func.count(PuzzleScoreRow.id))
    .outerjoin(PuzzleScoreRow, PuzzleScoreRow.id == PuzzleRow.id)
    .where(PuzzleRow.origin == bindparam("source"))
    .group_by(PuzzleRow.game)
)
UPDATE_PROGRESS = update(PuzzlePlayerRow).where(IS_PLAYER)
UPDATE_SCORE = update(PuzzleScoreRow).where(PuzzleScoreRow.id == bindparam("which"))
FORGET = delete(PuzzlePlayerRow).where(IS_PLAYER)
OLDEST = (
    select(PuzzleTryRow.puzzle)
    .where(IS_PLAYERS, PuzzleTryRow.due.is_(None), PuzzleTryRow.answered.is_not(None))
    .order_by(PuzzleTryRow.answered.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_OLDEST = delete(PuzzleTryRow).where(IS_PLAYERS, PuzzleTryRow.puzzle.in_(OLDEST))
SOME_UNUSED = (
    select(PuzzlePlayerRow.id)
    .where(
        or_(
            PuzzlePlayerRow.updated < bindparam("before"),
            and_(
                PuzzlePlayerRow.updated < bindparam("passing"),
                PuzzlePlayerRow.tried < literal_column("2"),
            ),
        )
    )
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_UNUSED = delete(PuzzlePlayerRow).where(PuzzlePlayerRow.id.in_(SOME_UNUSED))
SOME_UNTRIED = (
    select(PuzzleRow.id)
    .where(PuzzleRow.made < bindparam("before"), PuzzleRow.id.not_in(select(PuzzleTryRow.puzzle)))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_UNTRIED = delete(PuzzleRow).where(PuzzleRow.id.in_(SOME_UNTRIED))


class PuzzleStore:
    """Puzzles that ship and those in the database, and the progress of players."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self._clock = clock
        self._add_puzzle = database.insert(PuzzleRow).on_conflict_do_nothing()
        self._add_progress = database.insert(PuzzlePlayerRow).on_conflict_do_nothing()
        self._add_score = database.insert(PuzzleScoreRow).on_conflict_do_nothing()
        tries = database.insert(PuzzleTryRow)
        changed = {name: tries.excluded[name] for name in ATTEMPTS.names if name != "puzzle"}
        keys = [PuzzleTryRow.player_id, PuzzleTryRow.puzzle]
        self._set_attempt = tries.on_conflict_do_update(index_elements=keys, set_=changed)
        self._add_attempt = database.insert(PuzzleTryRow).on_conflict_do_nothing()

    def find(self, puzzle_id: str) -> Puzzle:
        """A puzzle by its id; raises UnknownPuzzleError."""
        shipped = shipped_puzzle(puzzle_id)
        if shipped is not None:
            return shipped
        rows = self.database.fetch(FIND_PUZZLE, which=puzzle_id[:16])
        if not rows:
            raise UnknownPuzzleError("there is no such puzzle, or it is gone")
        return Puzzle.from_json(json.loads(rows[0][0]))

    def keep(self, puzzles: Iterable[Puzzle], origin: str) -> None:
        """Store puzzles that do not ship, unless they are there."""
        with self.database.write() as cursor:
            self._keep(cursor, puzzles, origin)

    def _keep(self, cursor: DBAPICursor, puzzles: Iterable[Puzzle], origin: str) -> None:
        for puzzle in puzzles:
            if shipped_puzzle(puzzle.id) is None:
                row = {
                    "id": puzzle.id,
                    "origin": origin,
                    "game": puzzle.game,
                    "theme": puzzle.theme.value,
                    "level": puzzle.level,
                    "text": json.dumps(puzzle.as_json(), ensure_ascii=False),
                    "made": int(self._clock()),
                }
                self.database.run(cursor, self._add_puzzle, row)

    def keep_own(
        self, player: str, puzzles: Sequence[Puzzle], missed: Sequence[str], origin: str
    ) -> None:
        """Store puzzles from a player's match; what they missed there is theirs to try again."""
        with self.database.write() as cursor:
            self._keep(cursor, puzzles, origin)
            self._lock(cursor, player)
            for puzzle_id in missed:
                attempt = self._attempt(cursor, player, puzzle_id)
                row = ATTEMPTS.write(replace(attempt, own=True), player_id=player)
                self.database.run(cursor, self._set_attempt, row)

    def entries(self, player: str | None, game: str | None) -> list[Entry]:
        """What one may choose from: what ships, and fresh ones that the player has not tried.

        Levels are those of visitors where enough have tried a puzzle.
        """
        values = {"player": player or "", "source": FRESH, "most": MAX_OFFERED, "after": 0}
        with self.database.read() as cursor:
            run = self.database.run
            known = {
                score.id: nearest_level(score.rating)
                for score in map(
                    SCORES.read, run(cursor, KNOWN_SCORES, {"least": MIN_TRIES}).fetchall()
                )
                if score.is_known
            }
            if game is None:
                rows = run(cursor, SUPPLY, values).fetchall()
            else:
                prefix = {"game_prefix": f"{game}%"}
                rows = run(cursor, SUPPLY_OF_GAME, values | prefix).fetchall()
        found = [*map(entry_of, shipped_puzzles()), *(Entry(*row) for row in rows)]
        return [replace(each, level=known.get(each.id, each.level)) for each in found]

    def own(self, player: str) -> list[Entry]:
        """The puzzles from a player's matches."""
        ids = [row[0] for row in self.database.fetch(OWN, player=player)]
        shipped = (shipped_puzzle(each) for each in ids)
        stored = self.database.fetch(OWN_ENTRIES, player=player)
        return [entry_of(each) for each in shipped if each] + [Entry(*row) for row in stored]

    def count_own(self, player: str) -> int:
        """How many puzzles are from a player's matches."""
        ((count,),) = self.database.fetch(COUNT_OWN, player=player)
        return int(count)

    def tried(self, player: str) -> set[str]:
        """The ids of the puzzles that a player has answered."""
        return {row[0] for row in self.database.fetch(TRIED, player=player)}

    def due(self, player: str, now: float) -> list[str]:
        """The ids of puzzles that are asked again, the longest due first, of those there are:
        another release may ship others."""
        rows = self.database.fetch(DUE, player=player, now=int(now))
        return [tried for tried, kept in rows if kept is not None or shipped_puzzle(tried)]

    def next_due(self, player: str) -> tuple[int | None, int]:
        """When the next one is asked again, and how many are in all."""
        ((when, count),) = self.database.fetch(NEXT_DUE, player=player)
        return when, count

    def latest(self, player: str, most: int) -> tuple[Attempt, ...]:
        """A player's latest answers, the oldest first."""
        rows = self.database.fetch(LATEST, player=player, most=most, after=0)
        return tuple(map(ATTEMPTS.read, reversed(rows)))

    def progress(self, player: str | None) -> Progress:
        """A player's progress; that of a newcomer without any."""
        rows = self.database.fetch(FIND_PROGRESS, player=player or "")
        return PROGRESS.read(rows[0]) if rows else Progress(player or "")

    def standing(self, player: str | None, puzzle: Puzzle) -> Standing:
        """A player and a puzzle, as they stand now."""
        with self.database.read() as cursor:
            values = {"player": player or "", "which": puzzle.id}
            run = self.database.run
            rows = run(cursor, FIND_PROGRESS, {"player": player or ""}).fetchall()
            tries = run(cursor, FIND_ATTEMPT, values).fetchall()
            scores = run(cursor, FIND_SCORE, {"which": puzzle.id}).fetchall()
        return Standing(
            PROGRESS.read(rows[0]) if rows else Progress(player or ""),
            ATTEMPTS.read(tries[0]) if tries else Attempt(puzzle.id),
            SCORES.read(scores[0]) if scores else PuzzleScore.prior(puzzle),
        )

    def change(self, player: str, puzzle: Puzzle, decide: Decide) -> Standing:
        """Read, decide and write in one transaction."""
        with self.database.write() as cursor:
            run = self.database.run
            progress = self._lock(cursor, player)
            run(cursor, self._add_score, SCORES.write(PuzzleScore.prior(puzzle)))
            score = SCORES.read(run(cursor, LOCK_SCORE, {"which": puzzle.id}).fetchall()[0])
            before = Standing(progress, self._attempt(cursor, player, puzzle.id), score)
            after = decide(before)
            self._write(cursor, UPDATE_PROGRESS, "player", PROGRESS.write(after.progress))
            if after.score != before.score:
                self._write(cursor, UPDATE_SCORE, "which", SCORES.write(after.score))
            row = ATTEMPTS.write(after.attempt, player_id=player)
            run(cursor, self._set_attempt, row)
            if after.progress.tried > MAX_ATTEMPTS:
                bound = {"player": player, "most": 100, "after": MAX_ATTEMPTS}
                run(cursor, DELETE_OLDEST, bound)
        return after

    def begin_sprint(self, player: str, decide: Callable[[Progress], Progress]) -> Progress:
        """Change a player's progress alone."""
        with self.database.write() as cursor:
            after = decide(self._lock(cursor, player))
            self._write(cursor, UPDATE_PROGRESS, "player", PROGRESS.write(after))
        return after

    def _write(self, cursor: DBAPICursor, statement: Any, key: str, row: Mapping[str, Any]) -> None:
        values = {name: value for name, value in row.items() if name != "id"}
        self.database.run(cursor, statement, values | {key: row["id"]})

    def _lock(self, cursor: DBAPICursor, player: str) -> Progress:
        """A player's progress, made if there is none, and theirs alone until the commit."""
        row = PROGRESS.write(Progress(player, updated=int(self._clock())))
        self.database.run(cursor, self._add_progress, row)
        found = self.database.run(cursor, LOCK_PROGRESS, {"player": player}).fetchall()
        return PROGRESS.read(found[0])

    def _attempt(self, cursor: DBAPICursor, player: str, puzzle_id: str) -> Attempt:
        values = {"player": player, "which": puzzle_id}
        rows = self.database.run(cursor, FIND_ATTEMPT, values).fetchall()
        return ATTEMPTS.read(rows[0]) if rows else Attempt(puzzle_id)

    def attempts(self, player: str) -> tuple[Attempt, ...]:
        """All that a player has done, to take along."""
        return tuple(map(ATTEMPTS.read, self.database.fetch(OF_PLAYER, player=player)))

    def take_over(self, progress: Progress, attempts: Sequence[Attempt]) -> None:
        """Progress from another browser: taken where this one has none, for puzzles there are."""
        with self.database.write() as cursor:
            before = self._lock(cursor, progress.id)
            if not before.tried:
                self._write(cursor, UPDATE_PROGRESS, "player", PROGRESS.write(progress))
            for attempt in attempts[:MAX_ATTEMPTS]:
                which = {"which": attempt.puzzle}
                if shipped_puzzle(attempt.puzzle) is None and not (
                    self.database.run(cursor, FIND_PUZZLE, which).fetchall()
                ):
                    continue
                row = ATTEMPTS.write(attempt, player_id=progress.id)
                self.database.run(cursor, self._add_attempt, row)

    def forget(self, player: str) -> None:
        """Remove a player's progress."""
        with self.database.write() as cursor:
            self.database.run(cursor, FORGET, {"player": player})

    def supply(self) -> dict[str, tuple[int, int]]:
        """Of the fresh puzzles of each game: how many there are, and how many were tried."""
        return {
            game: (count, tried)
            for game, count, tried in self.database.fetch(COUNT_SUPPLY, source=FRESH)
        }

    def remove_unused(self, most: int) -> int:
        """Delete progress that nobody added to for a year, and after a month that of visitors who
        tried a single puzzle: without a cookie everyone is new each time. Returns how many."""
        return self._remove(DELETE_UNUSED, most, passing=int(self._clock()) - PASSING_S)

    def remove_untried(self, most: int) -> int:
        """Delete puzzles that are a year old and nobody's; returns how many."""
        return self._remove(DELETE_UNTRIED, most)

    def _remove(self, statement: Any, most: int, **others: int) -> int:
        with self.database.write() as cursor:
            values = {"before": int(self._clock()) - UNUSED_S, "most": most, "after": 0}
            return self.database.run(cursor, statement, values | others).rowcount
