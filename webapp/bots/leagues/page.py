"""The pages of leagues: all of them with the form of a new one, one with its table, a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agents.contest.ratings import Rating
from agents.formats import counted
from engine import Seat
from engine.catalog import all_variants, find_entry, variant_title
from webapp.bots.leagues import rules
from webapp.bots.leagues.forms import default_days
from webapp.bots.leagues.models import Activity, LeagueGame, LeagueRecord, player_name
from webapp.bots.leagues.query import LeagueQuery
from webapp.bots.leagues.report import Report
from webapp.bots.leagues.table import HistoryPoint, LeagueTable, TableRow
from webapp.bots.models import BotRecord
from webapp.web.forms import Choice
from webapp.web.messages import Message

MAX_BEST = 8  # lines on the front page of bots
MAX_PRESENTED = 10  # lines of the table on a projector
MAX_PRESENTED_GAMES = 4
CHART_WIDTH, CHART_HEIGHT, CHART_EDGE = 320, 140, 8


@dataclass(frozen=True)
class LeaguesPage:
    """All leagues (`bots/leagues/page.html`)."""

    leagues: Sequence[LeagueRecord]
    now: float
    may_make: bool
    fields: Mapping[str, str]
    message: Message | None = None

    @property
    def variants(self) -> tuple[Choice, ...]:
        chosen = self.fields.get("game", "quixo")
        return tuple(
            Choice(
                game.spec,
                f"{find_entry(game.key).title} · {variant_title(game.spec)}",
                game.spec == chosen,
            )
            for game in all_variants()
        )

    @property
    def values(self) -> dict[str, str]:
        """Of the fields of the form."""
        first, last = default_days(self.now)
        usual = {"title": "", "move": "2", "bank": "30", "code": "", "from": first, "until": last}
        return {name: self.fields.get(name, text) for name, text in usual.items()}


@dataclass(frozen=True)
class LeagueLine:
    """A row of the table, as it is written."""

    row: TableRow
    here: bool
    mine: bool
    url: str | None  # of a bot's page

    @property
    def rating(self) -> str:
        return "–" if self.row.rating is None else f"{self.row.rating.elo:.0f}"

    @property
    def interval(self) -> str:
        """`±61`, or `fixed`."""
        if self.row.rating is None:
            return ""
        return "fixed" if self.row.fixed else f"±{self.row.reach:.0f}"


@dataclass(frozen=True)
class GameLine:
    """A game of the list."""

    game: LeagueGame
    spec: str

    @property
    def players(self) -> tuple[str, str]:
        one, two = (player_name(player, self.spec) for player in self.game.seats)
        return one, two

    @property
    def result(self) -> str:
        """`Ada won after 12 moves: Eve timed out …`."""
        game = self.game
        if game.ended is None:
            return "is being played"
        moves = counted(game.plies, "move", "moves")
        if game.winner is None:
            return f"drawn after {moves}"
        winner, loser = self.players[game.winner], self.players[1 - game.winner]
        why = f": {loser} {game.fault}" if game.fault else ""
        return f"{winner} won after {moves}{why}"


@dataclass(frozen=True)  # no slots: cached properties
class LeaguePage:
    """A league (`bots/leagues/league.html`)."""

    record: LeagueRecord
    table: LeagueTable
    bots: Sequence[BotRecord]
    activity: Mapping[str, Activity]
    games: Sequence[LeagueGame]
    now: float
    is_owner: bool
    mine: frozenset[str]  # ids of the visitor's bots
    site: str
    query: LeagueQuery = field(default_factory=LeagueQuery)

    @property
    def present_url(self) -> str:
        return self.query.toggled(self.record.path, "present")

    @property
    def poll_url(self) -> str:
        return self.query.url(self.record.path)

    @cached_property
    def lines(self) -> tuple[LeagueLine, ...]:
        known = {bot.seat: bot for bot in self.bots}
        return tuple(
            LeagueLine(
                row,
                row.player in known and known[row.player].is_here(self.now),
                row.bot_id in self.mine,
                known[row.player].path if row.player in known else None,
            )
            for row in self.table.rows
        )

    @property
    def best_lines(self) -> tuple[LeagueLine, ...]:
        """The first ones, and the visitor's own."""
        return tuple(line for at, line in enumerate(self.lines) if at < MAX_BEST or line.mine)

    @property
    def shown_lines(self) -> tuple[LeagueLine, ...]:
        """All of them; of a long table the first on a projector."""
        return self.lines[:MAX_PRESENTED] if self.query.present else self.lines

    @property
    def more(self) -> str:
        """`17 more players.`, where a projector does not show all."""
        hidden = len(self.lines) - len(self.shown_lines)
        return f"{counted(hidden, 'more player', 'more players')}." if hidden else ""

    @property
    def last_games(self) -> tuple[GameLine, ...]:
        shown = self.games[:MAX_PRESENTED_GAMES] if self.query.present else self.games
        return tuple(GameLine(game, self.record.game) for game in shown)

    @property
    def status(self) -> str:
        """When games are played, and how soon."""
        if self.now >= self.record.ends:
            return "This league is over."
        if self.now < self.record.begins:
            return "It has not begun yet: bots can join already."
        here = [bot for bot in self.bots if bot.is_here(self.now)]
        if not here:
            return "No bot is here now."
        own = [self.activity.get(bot.seat, Activity()) for bot in here]
        playing = sum(each.open > 0 for each in own)
        wait = rules.next_round_s(own, self.record.begins, self.now)
        soon = f" Next round in {max(1, round(wait or 0))} s." if wait is not None else ""
        bots = counted(len(here), "bot is", "bots are")
        return f"{bots} here, {playing or 'none'} of them playing.{soon}"

    @property
    def clock(self) -> str:
        return f"{self.record.move_s:g} s a move and {self.record.bank_s:g} s for the game"

    @property
    def run_line(self) -> str:
        return f"python bot.py {self.site} {self.record.code} --name Ada"


@dataclass(frozen=True)
class ReportPage:
    """A bot in a league (`bots/leagues/report.html`)."""

    record: LeagueRecord
    bot: BotRecord
    report: Report
    games: Sequence[LeagueGame]
    row: TableRow | None

    @property
    def lines(self) -> tuple[GameLine, ...]:
        return tuple(GameLine(game, self.record.game) for game in self.games)

    @property
    def rating(self) -> str:
        return rating_text(self.row.rating if self.row else None)

    @property
    def forfeits(self) -> tuple[tuple[str, int], ...]:
        return tuple(
            (cause, self.report.forfeits[cause])
            for cause in rules.CAUSES
            if self.report.forfeits[cause]
        )

    @property
    def blunders(self) -> str:
        """`4 of 120 moves`; that it is not known."""
        if self.report.blunders is None:
            return "unknown: the exact values of this game are not known here"
        count, moves = self.report.blunders
        return f"{count:,} of {counted(moves, 'move', 'moves')} gave away a win or a draw"

    @property
    def by_seat(self) -> tuple[tuple[str, str], ...]:
        """`moving first: 3 won, 1 drawn, 2 lost`."""
        found = []
        for seat, text in ((Seat.FIRST, "moving first"), (Seat.SECOND, "moving second")):
            own = [game for game in self.report.games if game.seat_of(self.bot.seat) is seat]
            scores = [game.score(seat) for game in own]
            won, drawn, lost = (scores.count(each) for each in (1, 0, -1))
            found.append((text, f"{won} won, {drawn} drawn, {lost} lost"))
        return tuple(found)


def rating_text(rating: Rating | None) -> str:
    """`1742 ± 61`."""
    if rating is None:
        return "not rated yet"
    return (
        f"{rating.elo:.0f}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{(rating.high - rating.low) / 2:.0f}"
    )


@dataclass(frozen=True)  # no slots: cached properties
class RatingChart:
    """A bot's rating over time with its interval, as an SVG."""

    record: LeagueRecord
    points: Sequence[HistoryPoint]

    width, height = CHART_WIDTH, CHART_HEIGHT

    @cached_property
    def _scale(self) -> tuple[float, float]:
        low = min(point.rating.low for point in self.points)
        return low, max(point.rating.high for point in self.points) - low or 1.0

    def _x(self, at: int) -> float:
        span = max(1, len(self.points) - 1)
        return round(CHART_EDGE + (CHART_WIDTH - 2 * CHART_EDGE) * at / span, 1)

    def _y(self, elo: float) -> float:
        low, span = self._scale
        return round(
            CHART_HEIGHT - CHART_EDGE - (CHART_HEIGHT - 2 * CHART_EDGE) * (elo - low) / span, 1
        )

    @property
    def band(self) -> str:
        """The interval, as the points of a polygon."""
        there = [f"{self._x(at)},{self._y(p.rating.high)}" for at, p in enumerate(self.points)]
        back = [f"{self._x(at)},{self._y(p.rating.low)}" for at, p in enumerate(self.points)]
        return " ".join((*there, *reversed(back)))

    @property
    def line(self) -> str:
        return " ".join(
            f"{self._x(at)},{self._y(point.rating.elo)}" for at, point in enumerate(self.points)
        )

    @property
    def text(self) -> str:
        """What the curve shows, in words."""
        first, last = self.points[0], self.points[-1]
        return (
            f"{rating_text(first.rating)} after {counted(first.games, 'game', 'games')}, "
            f"{rating_text(last.rating)} after {counted(last.games, 'game', 'games')}"
        )
