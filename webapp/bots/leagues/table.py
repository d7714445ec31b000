"""The table of a league: ratings on the scale of machines whose strength was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot

from agents.contest.ladder import difficulties
from agents.contest.ratings import Rating, Score, rate_against
from agents.contest.strength import measured_fields
from engine import Seat
from webapp.bots.leagues.models import LeagueGame, LeagueRecord, PairScore, player_name
from webapp.replays.models import bot_id_of

SCALE = 1500.0  # the mean of the machines of a game
HISTORY_POINTS = 24


@lru_cache(maxsize=64)
def machines_of(game: str) -> tuple[str, ...]:
    """The machines of a league, weakest first: easy, medium, hard and the strongest."""
    return tuple(dict.fromkeys(each.rung.spec for each in difficulties(game)))


@lru_cache(maxsize=64)
def fixed_ratings(game: str) -> Mapping[str, float]:
    """The ratings of machines that were measured in this variant."""
    field = measured_fields().get(game)
    if field is None:
        return {}
    return {spec: SCALE + field.ratings[spec] for spec in machines_of(game) if spec in field.scores}


@dataclass(frozen=True, slots=True)
class TableRow:
    """A bot or a machine in the table."""

    rank: int
    player: str  # as it is seated
    name: str
    score: Score
    rating: Rating | None = None  # None before its first game
    fixed: bool = False

    @property
    def bot_id(self) -> str | None:
        return bot_id_of(self.player)

    @property
    def reach(self) -> float:
        """Half the width of the interval."""
        return 0.0 if self.rating is None else (self.rating.high - self.rating.low) / 2


class LeagueTable:
    """All players of a league, best first, those without a game last."""

    def __init__(
        self, record: LeagueRecord, players: Iterable[str], scores: Sequence[PairScore]
    ) -> None:
        self._record = record
        self._scores = scores
        met = (player for score in scores for player in (score.first, score.second))
        self.players = tuple(dict.fromkeys((*players, *met)))

    @cached_property
    def rows(self) -> tuple[TableRow, ...]:
        ratings = self.ratings
        fixed = fixed_ratings(self._record.game)
        totals = {player: self._total(player) for player in self.players}
        rated = [player for player in self.players if player in fixed or totals[player].games]
        rated.sort(key=lambda player: -ratings[player].elo)
        others = [player for player in self.players if player not in rated]
        return tuple(
            TableRow(
                rank,
                player,
                player_name(player, self._record.game),
                totals[player],
                ratings[player] if player in rated else None,
                player in fixed,
            )
            for rank, player in enumerate((*rated, *others), start=1)
        )

    @cached_property
    def ratings(self) -> dict[str, Rating]:
        """By player."""
        place = {player: at for at, player in enumerate(self.players)}
        table = [[Score()] * len(place) for _ in place]
        for each in self._scores:
            score = Score(each.wins, each.draws, each.losses)
            one, two = place[each.first], place[each.second]
            table[one][two] += score
            table[two][one] += score.seen_by_opponent
        known = fixed_ratings(self._record.game)
        fixed = {place[player]: elo for player, elo in known.items() if player in place}
        found = rate_against(table, fixed)
        shift = 0.0 if fixed else SCALE
        return {
            player: Rating(each.elo + shift, each.low + shift, each.high + shift)
            for player, each in zip(self.players, found, strict=True)
        }

    @property
    def remark(self) -> str:
        """`Heron and Otter cannot be told apart by these games.`, of the best two bots."""
        bots = [row for row in self.rows if row.bot_id and row.rating]
        if len(bots) < 2:
            return ""
        one, two = bots[:2]
        assert one.rating is not None
        assert two.rating is not None
        if one.rating.elo - two.rating.elo > hypot(one.reach, two.reach):
            return f"{one.name} is ahead of all other bots, as far as these games tell."
        return f"{one.name} and {two.name} cannot be told apart by these games."

    def _total(self, player: str) -> Score:
        total = Score()
        for each in self._scores:
            score = Score(each.wins, each.draws, each.losses)
            if each.first == player:
                total += score
            if each.second == player:
                total += score.seen_by_opponent
        return total


def pair_scores(games: Iterable[LeagueGame]) -> tuple[PairScore, ...]:
    """The results of these games, by who moved first."""
    found: dict[tuple[str, str], list[int]] = {}
    for game in games:
        counts = found.setdefault((game.first, game.second), [0, 0, 0])
        counts[1 - game.score(Seat.FIRST)] += 1
    return tuple(PairScore(*pair, *counts) for pair, counts in found.items())


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A bot's rating after so many of its games."""

    at: float  # seconds since 1970
    games: int
    rating: Rating


def rating_history(
    record: LeagueRecord, players: Sequence[str], games: Sequence[LeagueGame], player: str
) -> tuple[HistoryPoint, ...]:
    """A bot's rating over time, from all games of the league that had ended by then."""
    own = [at for at, game in enumerate(games, start=1) if player in game.seats]
    step = max(1, -(-len(own) // HISTORY_POINTS))
    chosen = sorted({*own[step - 1 :: step], *own[-1:]})
    return tuple(
        HistoryPoint(
            games[count - 1].ended or 0.0,
            own.index(count) + 1,
            LeagueTable(record, players, pair_scores(games[:count])).ratings[player],
        )
        for count in chosen
    )
