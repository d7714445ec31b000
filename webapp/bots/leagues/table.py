"""The table of a league: ratings on the scale of machines whose strength was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot

import numpy as np
from numpy.typing import NDArray

from agents.contest.ladder import difficulties
from agents.contest.ratings import Rating, Score, rate_points
from agents.contest.strength import measured_fields
from webapp.bots.leagues.models import LeagueRecord, PairScore, Result, player_name
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
        totals = self._totals()
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
        points = np.zeros((len(place), len(place)))
        for each in self._scores:
            one, two = place[each.first], place[each.second]
            points[one, two] += each.wins + each.draws / 2
            points[two, one] += each.losses + each.draws / 2
        rated = rate_players(self._record.game, self.players, points)
        return dict(zip(self.players, rated, strict=True))

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

    def _totals(self) -> dict[str, Score]:
        """Each player's record against all others."""
        totals = dict.fromkeys(self.players, Score())
        for each in self._scores:
            score = Score(each.wins, each.draws, each.losses)
            totals[each.first] += score
            totals[each.second] += score.seen_by_opponent
        return totals


def rate_players(
    game: str,
    players: Sequence[str],
    points: NDArray[np.float64],
    near: Sequence[Rating] | None = None,
) -> tuple[Rating, ...]:
    """Ratings by points[i, j], those of i against j, on the scale of the game's machines."""
    known = fixed_ratings(game)
    fixed = {at: known[player] for at, player in enumerate(players) if player in known}
    shift = 0.0 if fixed else SCALE
    if near is not None:
        near = [_shifted(each, -shift) for each in near]
    return tuple(_shifted(each, shift) for each in rate_points(points, fixed, near))


def _shifted(rating: Rating, by: float) -> Rating:
    return Rating(rating.elo + by, rating.low + by, rating.high + by)


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A bot's rating after so many of its games."""

    at: float  # seconds since 1970
    games: int
    rating: Rating


def rating_history(
    record: LeagueRecord, players: Sequence[str], games: Sequence[Result], player: str
) -> tuple[HistoryPoint, ...]:
    """A bot's rating over time, from all games of the league that had ended by then."""
    own = [at for at, game in enumerate(games, start=1) if player in game[:2]]
    step = max(1, -(-len(own) // HISTORY_POINTS))
    chosen = sorted({*own[step - 1 :: step], *own[-1:]})
    players = tuple(dict.fromkeys((*players, *(name for game in games for name in game[:2]))))
    place = {name: at for at, name in enumerate(players)}
    points = np.zeros((len(players), len(players)))
    found: list[HistoryPoint] = []
    counted, near = 0, None
    for count in chosen:
        for first, second, winner, _ in games[counted:count]:
            one, two = place[first], place[second]
            points[one, two] += 0.5 if winner is None else 1 - winner
            points[two, one] += 0.5 if winner is None else winner
        counted, near = count, rate_players(record.game, players, points, near)
        found.append(
            HistoryPoint(games[count - 1].ended, own.index(count) + 1, near[place[player]])
        )
    return tuple(found)
