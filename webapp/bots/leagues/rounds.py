"""The rounds of leagues: bots that are here are paired, and the ends of their games noted."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from sqlalchemy.engine.interfaces import DBAPICursor

from agents.errors import TooLargeError, UnsolvedError
from agents.perfect import quixo4
from agents.perfect.oracles import Oracle, Quixo4Oracle, oracle_for
from engine import Match, load_game
from webapp.bots.game_store import BotGameStore
from webapp.bots.leagues import rules
from webapp.bots.leagues.models import Activity, LeagueGame, LeagueRecord
from webapp.bots.leagues.store import LeagueStore, scores_by_pair
from webapp.bots.leagues.table import LeagueTable, machines_of
from webapp.bots.models import BusyBotError, UnknownBotError
from webapp.replays.models import Record, UnknownMatchError, UnreadableMatchError, new_record


class LeagueRounds:
    """Goes on with every league; several processes may do so at once."""

    def __init__(self, games: BotGameStore, leagues: LeagueStore) -> None:
        self._games, self._leagues = games, leagues

    def go_on(self) -> None:
        """Note the games that have ended, and pair whoever is due."""
        for game in self._leagues.unended():
            self._note(game)
        for league in self._leagues.open_now():
            self._pair(league)

    def _note(self, game: LeagueGame) -> None:
        try:
            record = self._games.matches.find(game.match_id)
            outcome = record.outcome
        except (UnknownMatchError, UnreadableMatchError):
            self._leagues.drop(game)
            return
        if outcome is None:
            return
        counts = _blunders(record)
        self._leagues.note_end(
            replace(
                game,
                ended=self._games.now(),
                winner=None if outcome.winner is None else int(outcome.winner),
                plies=len(record.plies),
                fault="resigned"
                if record.resigned is not None and not record.fault
                else record.fault,
                first_blunders=None if counts is None else counts[0],
                second_blunders=None if counts is None else counts[1],
            )
        )

    def _pair(self, league: LeagueRecord) -> None:
        now, game = self._games.now(), load_game(league.game)
        bots = self._games.bots.of_league(league.id)
        here = [bot for bot in bots if bot.is_here(now) and bot.can_play(game)]
        if not here:
            return
        activity = self._leagues.activity(league.id)
        none = Activity()
        due = [
            bot for bot in here if rules.is_due(activity.get(bot.seat, none), league.begins, now)
        ]
        if not due:
            return
        scores = self._leagues.scores(league.id)
        machines = machines_of(league.game)
        ratings = LeagueTable(league, (*(bot.seat for bot in bots), *machines), scores).ratings

        def contender(player: str) -> rules.Contender:
            games = activity.get(player, none).games
            return rules.Contender(player, ratings[player].elo, games)

        pairs = rules.pairings(
            [contender(bot.seat) for bot in due],
            [contender(machine) for machine in machines],
            dict(scores_by_pair(scores)),
        )
        for seats in pairs:
            self._begin(league, seats)

    def _begin(self, league: LeagueRecord, seats: tuple[str, str]) -> None:
        """Begin a game if its bots are free, and have none in this league already."""
        match = Match.begin(load_game(league.game))
        record = replace(new_record(league.id, match, seats), rated=True)
        now = self._games.now()

        def also(cursor: DBAPICursor, stored: Record) -> None:
            for seat in stored.bots:
                if self._leagues.plays(cursor, league.id, stored.seats[seat]):
                    raise BusyBotError("it plays in this league already")
            self._leagues.add(cursor, LeagueGame(league.id, 0, *stored.seats, stored.id, now))

        try:
            self._games.begin_game(record, league.time, also=also)
        except (BusyBotError, UnknownBotError):
            return


def _blunders(record: Record) -> tuple[int, int] | None:
    oracle = _oracle(record.game)
    return None if oracle is None else rules.blunders(record.match, oracle)


@lru_cache(maxsize=16)
def _oracle(game: str) -> Oracle | None:
    """The source of exact values, where there is one that needs no long computation."""
    try:
        oracle = oracle_for(load_game(game))
    except (TooLargeError, UnsolvedError):
        return None
    return None if isinstance(oracle, Quixo4Oracle) and not quixo4.is_built() else oracle
