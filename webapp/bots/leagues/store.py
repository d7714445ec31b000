"""The store of leagues and their games: its SQL, and the methods that run it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import time
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, or_, select, update
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import IntegrityError

from webapp.bots.leagues.models import (
    Activity,
    LeagueGame,
    LeagueRecord,
    ManyLeaguesError,
    PairScore,
    Result,
    TakenCodeError,
    UnknownLeagueError,
)
from webapp.bots.models import DAY_S, Admission
from webapp.storage.database import Database
from webapp.storage.rows import RowMapper
from webapp.storage.tables.bots import LeagueGameRow, LeagueRow

CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"
CODE_CHARS = 5  # a class's has four, the server's six
MAX_OPEN, MAX_OPEN_EACH = 100, 5  # leagues at a time, of everyone but the server's owner
KEPT_DAYS = 365  # after its end
LEAGUES = RowMapper(LeagueRecord, LeagueRow)
GAMES = RowMapper(LeagueGame, LeagueGameRow)

FIND = select(*LEAGUES.columns).where(LeagueRow.id == bindparam("wanted"))
BY_CODE = select(*LEAGUES.columns).where(
    LeagueRow.code == bindparam("wanted"), LeagueRow.ends > bindparam("now")
)
OPEN = select(*LEAGUES.columns).where(
    LeagueRow.begins <= bindparam("now"), LeagueRow.ends > bindparam("now")
)
COUNT_UNENDED = (
    select(LeagueRow.owner, func.count())
    .where(LeagueRow.ends > bindparam("now"))
    .group_by(LeagueRow.owner)
)
LATEST = (
    select(*LEAGUES.columns)
    .order_by(LeagueRow.ends.desc(), LeagueRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
INSERT_LEAGUE, INSERT_GAME = insert(LeagueRow), insert(LeagueGameRow)
UPDATE_LEAGUE = update(LeagueRow).where(LeagueRow.id == bindparam("wanted"))
OF_LEAGUE = LeagueGameRow.league_id == bindparam("league")
HAS_ENDED = LeagueGameRow.ended.is_not(None)
SCORES = (
    select(LeagueGameRow.first, LeagueGameRow.second, LeagueGameRow.winner, func.count())
    .where(OF_LEAGUE, HAS_ENDED)
    .group_by(LeagueGameRow.first, LeagueGameRow.second, LeagueGameRow.winner)
)
ACTIVITY = [
    select(
        column,
        func.count(),
        func.max(LeagueGameRow.begun),
        func.count() - func.count(LeagueGameRow.ended),
    )
    .where(OF_LEAGUE)
    .group_by(column)
    for column in (LeagueGameRow.first, LeagueGameRow.second)
]
UNENDED = select(*GAMES.columns).where(LeagueGameRow.ended.is_(None))
LAST = (
    select(*GAMES.columns)
    .where(OF_LEAGUE)
    .order_by(LeagueGameRow.number.desc())
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
ALL_ENDED = select(*GAMES.columns).where(OF_LEAGUE, HAS_ENDED).order_by(LeagueGameRow.ended)
RESULTS = (
    select(LeagueGameRow.first, LeagueGameRow.second, LeagueGameRow.winner, LeagueGameRow.ended)
    .where(OF_LEAGUE, HAS_ENDED)
    .order_by(LeagueGameRow.ended)
)
OF_PLAYER = LAST.where(
    or_(LeagueGameRow.first == bindparam("player"), LeagueGameRow.second == bindparam("player"))
)
HIGHEST = select(func.max(LeagueGameRow.number)).where(OF_LEAGUE)
COUNT_OPEN = select(func.count()).where(
    OF_LEAGUE,
    LeagueGameRow.ended.is_(None),
    or_(LeagueGameRow.first == bindparam("player"), LeagueGameRow.second == bindparam("player")),
)
IS_GAME = (OF_LEAGUE, LeagueGameRow.number == bindparam("which"))
END_GAME = update(LeagueGameRow).where(*IS_GAME, LeagueGameRow.ended.is_(None))
DELETE_GAME = delete(LeagueGameRow).where(*IS_GAME)
SOME_OVER = (
    select(LeagueRow.id)
    .where(LeagueRow.ends < bindparam("before"))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
DELETE_OVER = delete(LeagueRow).where(LeagueRow.id.in_(SOME_OVER))
RESULT_COLUMNS = ("ended", "winner", "plies", "fault", "first_blunders", "second_blunders")


class LeagueStore:
    """The store of leagues."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        self.database = database
        self.now = clock

    def make(self, record: LeagueRecord, *, bounded: bool = True) -> LeagueRecord:
        """Store a new league under an unguessable id; raises TakenCodeError or ManyLeaguesError."""
        code = record.code or "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_CHARS))
        made = replace(record, id=secrets.token_urlsafe(9), code=code, created=int(self.now()))
        try:
            with self.database.write_counted() as cursor:
                if bounded:
                    self._check_room(cursor, record.owner)
                self.database.run(cursor, INSERT_LEAGUE, LEAGUES.write(made))
        except IntegrityError as error:
            raise TakenCodeError(f"another league has the code {code}: choose one") from error
        return made

    def _check_room(self, cursor: DBAPICursor, owner: str) -> None:
        """Raises ManyLeaguesError: every league that is not over is looked at in each round."""
        values = {"now": int(self.now())}
        counts = dict(map(tuple, self.database.run(cursor, COUNT_UNENDED, values).fetchall()))
        if counts.get(owner, 0) >= MAX_OPEN_EACH:
            raise ManyLeaguesError(f"you have {MAX_OPEN_EACH} leagues: end one of them first")
        if sum(counts.values()) >= MAX_OPEN:
            raise ManyLeaguesError("too many leagues are played here: ask the server's owner")

    def find(self, league_id: str) -> LeagueRecord:
        """A league by its id; raises UnknownLeagueError."""
        rows = self.database.fetch(FIND, wanted=league_id) if league_id.isprintable() else ()
        if not rows:
            raise UnknownLeagueError("there is no such league: its address may be mistyped")
        return LEAGUES.read(rows[0])

    def admission(self, code: str) -> Admission | None:
        """What a league's code gives: a token that lasts as long as the league."""
        rows = self.database.fetch(BY_CODE, wanted=code, now=int(self.now()))
        if not rows:
            return None
        league = LEAGUES.read(rows[0])
        return Admission(league.ends, league_id=league.id, game=league.game)

    def open_now(self) -> tuple[LeagueRecord, ...]:
        """Leagues in which games are begun."""
        return tuple(map(LEAGUES.read, self.database.fetch(OPEN, now=int(self.now()))))

    def latest(self, most: int, after: int = 0) -> tuple[LeagueRecord, ...]:
        """All leagues, those that last longest first."""
        return tuple(map(LEAGUES.read, self.database.fetch(LATEST, most=most, after=after)))

    def end(self, league_id: str) -> None:
        """End a league now; games that are being played still count."""
        with self.database.write() as cursor:
            self.database.run(cursor, UPDATE_LEAGUE, {"wanted": league_id, "ends": int(self.now())})

    def scores(self, league_id: str) -> tuple[PairScore, ...]:
        """The results of every pair, by who moved first."""
        found: dict[tuple[str, str], list[int]] = {}
        for first, second, winner, count in self.database.fetch(SCORES, league=league_id):
            place = 1 if winner is None else 2 * winner
            found.setdefault((first, second), [0, 0, 0])[place] += count
        return tuple(PairScore(*pair, *counts) for pair, counts in found.items())

    def activity(self, league_id: str) -> dict[str, Activity]:
        """What each player has begun."""
        found: dict[str, Activity] = {}
        for statement in ACTIVITY:
            for player, games, last, unended in self.database.fetch(statement, league=league_id):
                so_far = found.get(player, Activity())
                found[player] = Activity(
                    so_far.games + games, max(so_far.last, last), so_far.open + unended
                )
        return found

    def last_games(self, league_id: str, most: int, after: int = 0) -> tuple[LeagueGame, ...]:
        rows = self.database.fetch(LAST, league=league_id, most=most, after=after)
        return tuple(map(GAMES.read, rows))

    def games_of(self, league_id: str, player: str, most: int = 10_000) -> tuple[LeagueGame, ...]:
        """A player's games, the latest first."""
        values = {"league": league_id, "player": player, "most": most, "after": 0}
        return tuple(map(GAMES.read, self.database.fetch(OF_PLAYER, **values)))

    def ended_games(self, league_id: str) -> tuple[LeagueGame, ...]:
        """All that have ended, in the order they did."""
        return tuple(map(GAMES.read, self.database.fetch(ALL_ENDED, league=league_id)))

    def results(self, league_id: str) -> list[Result]:
        """Of all that have ended, in the order they did."""
        return list(map(Result._make, self.database.fetch(RESULTS, league=league_id)))

    def unended(self) -> tuple[LeagueGame, ...]:
        """The games of all leagues whose end was not noted yet."""
        return tuple(map(GAMES.read, self.database.fetch(UNENDED)))

    def plays(self, cursor: DBAPICursor, league_id: str, player: str) -> bool:
        """Whether a player has a game in this league, within a transaction."""
        values = {"league": league_id, "player": player}
        ((count,),) = self.database.run(cursor, COUNT_OPEN, values).fetchall()
        return bool(count)

    def add(self, cursor: DBAPICursor, game: LeagueGame) -> None:
        """Store a game under the next number, within a transaction."""
        ((highest,),) = self.database.run(cursor, HIGHEST, {"league": game.league_id}).fetchall()
        row = GAMES.write(replace(game, number=(highest or 0) + 1))
        self.database.run(cursor, INSERT_GAME, row)

    def note_end(self, game: LeagueGame) -> None:
        """Store the result of a game, once."""
        row = GAMES.write(game)
        values = {name: row[name] for name in RESULT_COLUMNS}
        self._change(END_GAME, game, values)

    def drop(self, game: LeagueGame) -> None:
        """Forget a game whose match is gone."""
        self._change(DELETE_GAME, game, {})

    def remove_over(self, most: int) -> int:
        """Delete leagues that ended long ago; their matches stay. Returns how many."""
        before = int(self.now()) - KEPT_DAYS * DAY_S
        with self.database.write() as cursor:
            values = {"before": before, "most": most, "after": 0}
            return self.database.run(cursor, DELETE_OVER, values).rowcount

    def _change(self, statement: Any, game: LeagueGame, values: dict[str, Any]) -> None:
        key = {"league": game.league_id, "which": game.number}
        with self.database.write() as cursor:
            self.database.run(cursor, statement, key | values)


def scores_by_pair(scores: tuple[PairScore, ...]) -> Iterator[tuple[tuple[str, str], int]]:
    """Games by (first, second)."""
    for each in scores:
        yield (each.first, each.second), each.wins + each.draws + each.losses
