"""What a league says of each of its bots: games, forfeits by cause, blunders by exact value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from agents.contest.ratings import Score
from webapp.bots.leagues.models import LeagueGame
from webapp.bots.leagues.rules import CAUSES, forfeit_cause
from webapp.bots.leagues.table import LeagueTable, TableRow

CSV_HEADER = (
    *("rank", "bot", "id", "rating", "low", "high", "games", "wins", "draws", "losses"),
    *(f"forfeits: {cause}" for cause in CAUSES),
    *("moves", "blunders", "moves with a known value"),
)


@dataclass(frozen=True)  # no slots: cached properties
class Report:
    """A bot's games that have ended, counted."""

    player: str
    games: Sequence[LeagueGame]

    @property
    def score(self) -> Score:
        scores = (Score.of(game.score(game.seat_of(self.player))) for game in self.games)
        return sum(scores, Score())

    @cached_property
    def forfeits(self) -> Counter[str]:
        """How often it has lost a game by itself, by cause."""
        return Counter(
            forfeit_cause(game.fault)
            for game in self.games
            if game.fault and game.score(game.seat_of(self.player)) < 0
        )

    @property
    def moves(self) -> int:
        return sum(game.moves_of(game.seat_of(self.player)) for game in self.games)

    @property
    def blunders(self) -> tuple[int, int] | None:
        """Moves that gave away a win or a draw, of so many whose value is known; None: of none."""
        found = [
            (count, game.moves_of(seat))
            for game in self.games
            for seat in [game.seat_of(self.player)]
            if (count := game.blunders(seat)) is not None
        ]
        if not found:
            return None
        return sum(count for count, _ in found), sum(moves for _, moves in found)


def reports(games: Iterable[LeagueGame]) -> dict[str, Report]:
    """The report of each player."""
    found: dict[str, list[LeagueGame]] = {}
    for game in games:
        for player in game.seats:
            found.setdefault(player, []).append(game)
    return {player: Report(player, own) for player, own in found.items()}


def csv_rows(table: LeagueTable, games: Iterable[LeagueGame]) -> Iterable[Sequence[object]]:
    """A line for each bot, for an instructor's spreadsheet."""
    told = reports(games)
    for row in table.rows:
        if row.bot_id is not None:
            yield _csv_row(row, told.get(row.player) or Report(row.player, ()))


def _csv_row(row: TableRow, report: Report) -> Sequence[object]:
    rating = ("", "", "")
    if row.rating is not None:
        low, high = row.rating.low, row.rating.high
        rating = (f"{row.rating.elo:.0f}", f"{low:.0f}", f"{high:.0f}")
    score, blunders = report.score, report.blunders
    return (
        *(row.rank, row.name, row.bot_id, *rating),
        *(score.games, score.wins, score.draws, score.losses),
        *(report.forfeits[cause] for cause in CAUSES),
        *(report.moves, *(("", "") if blunders is None else blunders)),
    )
