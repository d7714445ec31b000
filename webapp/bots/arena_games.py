"""Games of an arena in which bots play: begun as matches, and stored as the arena's own games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import IntegrityError

from agents.contest.arena import Fixture
from engine import Ending, Outcome, Seat
from webapp.bots import rules
from webapp.bots.game_store import BotGameStore
from webapp.bots.models import BotRecord, BusyBotError, TimeControl, UnknownBotError
from webapp.jobs.kinds.arena import ARENA, ArenaPlan, game_key, numbers_of_bots
from webapp.jobs.leases import GAMES, IS_ACTIVE, JOBS, LeaseStore
from webapp.jobs.models import JobGame, JobRecord
from webapp.replays.models import (
    BOT_PREFIX,
    Record,
    UnknownMatchError,
    UnreadableMatchError,
    bot_id_of,
    new_record,
)
from webapp.storage.tables.jobs import JobGameRow, JobMatchRow, JobRow

MATCHES = select(JobMatchRow.pair, JobMatchRow.round, JobMatchRow.match_id).where(
    JobMatchRow.job_id == bindparam("job")
)
INSERT_MATCH = insert(JobMatchRow)
ACTIVE_WITH_BOTS = select(*JOBS.columns).where(
    IS_ACTIVE, JobRow.kind == bindparam("arena"), JobRow.parameters.like(bindparam("bots"))
)

Key = tuple[int, int]  # pair and round


class ArenaGames:
    """Plays what arenas have bots for: a bot is waited for, and no thread or worker is.

    Every game has a key, so that however often this is interrupted none is begun or counted twice.
    """

    def __init__(self, games: BotGameStore, leases: LeaseStore) -> None:
        self._games, self._leases = games, leases
        self._database = games.database
        self._add_game = self._database.insert(JobGameRow).on_conflict_do_nothing()

    def go_on(self) -> None:
        """Store the games that have ended, and begin those that can be."""
        for row in self._database.fetch(
            ACTIVE_WITH_BOTS, arena=ARENA.name, bots=f'%"{BOT_PREFIX}%'
        ):
            record = JOBS.read(row)
            self._go_on(record, ArenaPlan.of(record))

    def _go_on(self, record: JobRecord, plan: ArenaPlan) -> None:
        stored = self._leases.game_keys(record.id)
        begun = {(pair, round_): match for pair, round_, match in self._begun(record.id)}
        ended = [
            _game_of(key, match, self._seconds(match)) for key, match in self._ended(begun, stored)
        ]
        bots: dict[str, BotRecord | None] = {}
        for number in numbers_of_bots(plan.terms):
            key = game_key(plan.terms, number)
            if key in stored or key in begun or record.cancel:
                continue
            fixture = plan.terms.fixture(number)
            lost = self._absent(fixture, bots)
            if lost is not None:
                ended.append(_forfeit(key, fixture, *lost))
            else:
                self._begin(record, plan, fixture, key)
        if ended:
            self._store(record.id, ended)

    def _store(self, job_id: str, ended: list[JobGame]) -> None:
        """Write the games, unless they are there; the coordinator counts them."""
        with self._database.write() as cursor:
            for game in ended:
                self._database.run(cursor, self._add_game, GAMES.write(game, job_id=job_id))

    def _begun(self, job_id: str) -> list[Any]:
        return list(self._database.fetch(MATCHES, job=job_id))

    def _ended(self, begun: dict[Key, str], stored: frozenset[Key]) -> Iterator[tuple[Key, Record]]:
        for key, match_id in begun.items():
            if key in stored:
                continue
            try:
                match = self._games.matches.find(match_id)
                if match.outcome is not None:
                    yield key, match
            except (UnknownMatchError, UnreadableMatchError):
                continue

    def _absent(
        self, fixture: Fixture, bots: dict[str, BotRecord | None]
    ) -> tuple[Seat, str] | None:
        """The seat of a bot that is not waited for any longer, and why."""
        for seat in Seat:
            bot_id = bot_id_of(fixture.specs[seat])
            if bot_id is None:
                continue
            if bot_id not in bots:
                try:
                    bots[bot_id] = self._games.bots.find(bot_id)
                except UnknownBotError:
                    bots[bot_id] = None
            bot = bots[bot_id]
            now = self._games.now()
            why = "left" if bot is None else rules.absence(bot, self._games.started, now)
            if why is not None:
                return seat, why
        return None

    def _begin(self, record: JobRecord, plan: ArenaPlan, fixture: Fixture, key: Key) -> None:
        """Begin a game if its bots are free and here."""
        owner = next(found for spec in fixture.specs if (found := bot_id_of(spec)))
        match = replace(new_record(owner, fixture.opened(), fixture.specs), rated=True)
        seconds = plan.terms.limit.seconds
        time = TimeControl() if seconds is None else TimeControl(move_s=seconds)

        def also(cursor: DBAPICursor, stored: Record) -> None:
            row = {"job_id": record.id, "pair": key[0], "round": key[1], "match_id": stored.id}
            self._database.run(cursor, INSERT_MATCH, row)

        try:
            self._games.begin_game(match, time, also=also)
        except (BusyBotError, UnknownBotError, IntegrityError):  # another process was quicker
            return

    def _seconds(self, match: Record) -> tuple[tuple[int, float], ...]:
        """Moves of bots and what they took, by seat."""
        found = []
        for seat in Seat:
            bot_id = bot_id_of(match.seats[seat])
            logs = self._games.logs(match.id, bot_id) if bot_id else ()
            took = [
                log.took
                for log in logs
                if log.took is not None and match.match.states[log.ply - 1].to_move is seat
            ]
            found.append((len(took), sum(took)))
        return tuple(found)


def _game_of(key: Key, match: Record, seconds: tuple[tuple[int, float], ...]) -> JobGame:
    """A match that is over as a game of its arena."""
    outcome = match.outcome
    assert outcome is not None, "the match is over"
    moves = " ".join(ply.text for ply in match.plies)
    fault = match.fault
    if outcome.ending is Ending.RESIGNATION and fault is None:
        fault = "resigned"
    return _row(key, moves, outcome, fault, seconds)


def _forfeit(key: Key, fixture: Fixture, seat: Seat, why: str) -> JobGame:
    moves = " ".join(map(str, fixture.opened().moves))
    return _row(key, moves, Outcome(seat.other, Ending.RESIGNATION), why, ((0, 0.0), (0, 0.0)))


def _row(
    key: Key,
    moves: str,
    outcome: Outcome,
    fault: str | None,
    seconds: tuple[tuple[int, float], ...],
) -> JobGame:
    (first_moves, first_s), (second_moves, second_s) = seconds
    return JobGame(
        pair=key[0],
        round=key[1],
        moves=moves,
        winner=None if outcome.winner is None else int(outcome.winner),
        ending=str(outcome.ending),
        fault=fault,
        first_seconds=first_s,
        second_seconds=second_s,
        first_thoughts=first_moves,
        second_thoughts=second_moves,
    )
