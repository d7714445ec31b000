"""The pages of bots: who is here and how to join, and one bot with its games and its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from urllib.parse import urlencode

from agents.formats import counted
from engine.catalog import catalog, find_entry
from webapp.bots.leagues.page import RatingChart
from webapp.bots.models import BotGame, BotRecord, TurnLog
from webapp.bots.turns import player_title
from webapp.replays.models import Record
from webapp.replays.presence import presence_text

MAX_LOG_LINES = 400  # shown of a game
MAX_AWAY = 5  # bots that are listed though they are not here


@dataclass(frozen=True, slots=True)
class BotState:
    """A bot with what is known of it just now."""

    bot: BotRecord
    times: tuple[float, ...] = ()  # seconds of its last moves
    games: tuple[tuple[Record, BotGame], ...] = ()  # that it plays


@dataclass(frozen=True)
class BotLine:
    """A row of the table of bots."""

    state: BotState
    now: int
    mine: bool = False

    @property
    def name(self) -> str:
        return self.state.bot.name

    @property
    def url(self) -> str:
        return self.state.bot.path

    @property
    def here(self) -> bool:
        return self.state.bot.is_here(self.now)

    @property
    def plays(self) -> str:
        return self.state.bot.games_text

    @property
    def answers_in(self) -> str:
        """The median of its last moves."""
        return f"{median(self.state.times):.2f} s" if self.state.times else "–"

    @property
    def doing(self) -> tuple[tuple[str, str | None], ...]:
        """What it does, with an address where there is something to look at."""
        if not self.here:
            return ((presence_text(self.state.bot.seen, self.now) or "not here yet", None),)
        games = tuple(
            (f"against {player_title(record, game.seat.other)}", record.path)
            for record, game in self.state.games
        )
        return games or (("waiting", None),)


@dataclass(frozen=True)
class LoggedGame:
    """A game of a bot: how it ended and, for its owner, what it said."""

    record: Record
    game: BotGame
    logs: Sequence[TurnLog] = ()

    @property
    def url(self) -> str:
        return self.record.path

    @property
    def title(self) -> str:
        return find_entry(self.record.match.game.key).title

    @property
    def opponent(self) -> str:
        return player_title(self.record, self.game.seat.other)

    @property
    def result(self) -> str:
        """`Lost to Heron after 31 moves: timed out after 2.0 s, time bank empty`."""
        outcome, moves = self.record.outcome, counted(len(self.record.plies), "move", "moves")
        if outcome is None:
            return f"Plays {self.opponent}: {moves} so far"
        score = outcome.score(self.game.seat)
        how = ("Lost to", "Drew with", "Won against")[score + 1]
        why = ""
        if self.record.fault:
            lost = self.record.resigned is self.game.seat
            why = f": {'' if lost else f'{self.opponent} '}{self.record.fault}"
        return f"{how} {self.opponent} after {moves}{why}"

    @property
    def lines(self) -> str:
        """The log as text, a line for what each move took, then what it said."""
        written: list[str] = []
        for log in self.logs:
            if log.took is not None:
                written.append(f"move {log.ply:<3} took {log.took:.2f} s")
            for text in (log.error, log.log):
                written += [f"move {log.ply:<3} {line}" for line in (text or "").splitlines()]
        return "\n".join(written[-MAX_LOG_LINES:])


@dataclass(frozen=True)
class BotsPage:
    """The front page (`bots/page.html`)."""

    site: str  # scheme and host under which bots reach the server
    code: str | None  # the server's own, for its owner
    is_local: bool  # the visitor sits at the computer, where no code is needed
    states: Sequence[BotState]
    mine: frozenset[str]  # ids of the visitor's bots
    now: int

    @cached_property
    def lines(self) -> tuple[BotLine, ...]:
        """Those that are here, then the visitor's own and the last of the others that are away."""
        lines = [BotLine(state, self.now, state.bot.id in self.mine) for state in self.states]
        away = sorted((line for line in lines if not line.here), key=lambda line: not line.mine)
        return (*(line for line in lines if line.here), *away[:MAX_AWAY])

    @property
    def more(self) -> str:
        """`55 more are away.`; empty where all are listed."""
        hidden = len(self.states) - len(self.lines)
        return f"{counted(hidden, 'more is', 'more are')} away." if hidden else ""

    @property
    def run_line(self) -> str:
        """The command that runs a bot."""
        return f"python bot.py {self.site}{f' {self.code}' if self.code else ''} --name Ada"


@dataclass(frozen=True)
class BotPage:
    """The page of a bot (`bots/bot.html`)."""

    state: BotState
    games: Sequence[LoggedGame]
    is_owner: bool
    now: int
    last_error: TurnLog | None = None  # for the owner
    chart: RatingChart | None = None  # of the league it plays in

    @property
    def bot(self) -> BotRecord:
        return self.state.bot

    @property
    def line(self) -> BotLine:
        return BotLine(self.state, self.now)

    @property
    def has_ended(self) -> bool:
        return self.bot.until <= self.now

    @property
    def tally(self) -> str:
        """`3 won, 1 drawn, 2 lost`, of the games listed."""
        scores = [
            game.record.outcome.score(game.game.seat)
            for game in self.games
            if game.record.outcome is not None
        ]
        if not scores:
            return "No game is over yet"
        won, drawn, lost = (scores.count(each) for each in (1, 0, -1))
        return f"{won} won, {drawn} drawn, {lost} lost"

    @property
    def lobby_urls(self) -> tuple[tuple[str, str], ...]:
        """The games to play against it: title, and the lobby with it chosen."""
        entries = [entry for entry in catalog() if self._plays(entry.key)]
        return tuple(
            (entry.title, f"/?{urlencode({'game': entry.key, 'opponent': self.bot.seat})}")
            for entry in entries
        )

    def _plays(self, key: str) -> bool:
        plays = self.bot.plays
        return not plays or any(spec.partition(":")[0] == key for spec in plays)


def rematch_seats(
    record: Record, *, swapped: bool
) -> tuple[tuple[str, str], tuple[str | None, str | None]]:
    """Seats and holders of the same match once more."""
    (first, second), (one, other) = record.seats, record.holders
    return ((second, first), (other, one)) if swapped else ((first, second), (one, other))
