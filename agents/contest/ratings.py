"""Scores, and Elo ratings by maximum likelihood from a table of scores.

The model is Bradley and Terry's (1952) on Elo's scale: 400 points are odds of ten to one, a draw
is half a win and half a loss. A weak prior, one drawn game of every player against an imagined
one at the mean of the field, keeps the rating of a clean sweep finite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from agents.formats import counted

CONFIDENCE = 1.959963984540054  # standard deviations of a two-sided 95 % interval
ELO = 400 / log(10)  # Elo points for one unit of log odds
PRIOR = 1.0  # games drawn against the imagined player
MAX_NEWTON_STEPS = 100
TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class Score:
    """One player's record; a draw is half a point."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, result: int) -> Score:
        """The record of a single game: won (+1), drawn (0) or lost (-1)."""
        return cls(wins=int(result > 0), draws=int(result == 0), losses=int(result < 0))

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        low, high = self.interval()
        won = f"{counted(self.wins, 'win', 'wins')}, {counted(self.draws, 'draw', 'draws')}"
        lost = counted(self.losses, "loss", "losses")
        points = f"{100 * self.rate:.1f} % of the points ({100 * low:.1f} to {100 * high:.1f})"
        return f"{won}, {lost}: {points}"

    @property
    def seen_by_opponent(self) -> Score:
        return Score(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points per game, 0 to 1; one half without games."""
        return self.points / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the rate: Wilson's (1927).

        It stays within 0 to 1 and, unlike p ± 1.96 s, has a width after a clean sweep. Points
        count as successes; as draws vary less than wins and losses, it is conservative with many
        draws.
        """
        if not self.games:
            return 0.0, 1.0
        weight = CONFIDENCE**2 / self.games
        centre = (self.rate + weight / 2) / (1 + weight)
        spread = self.rate * (1 - self.rate) / self.games + weight / (4 * self.games)
        reach = CONFIDENCE * sqrt(spread) / (1 + weight)
        # Exactly 0 or 1 after a clean sweep, without rounding errors.
        low = 0.0 if not self.points else centre - reach
        high = 1.0 if self.points == self.games else centre + reach
        return low, high


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating relative to the field, whose mean is 0, and its 95 % interval."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.elo:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


@dataclass(frozen=True, slots=True)
class RatedField:
    """The ratings of a field, and which pairs differ significantly."""

    ratings: tuple[Rating, ...]
    apart: tuple[tuple[bool, ...], ...]  # [i][j]: differ at 95 % confidence


def rate(table: Sequence[Sequence[Score | None]]) -> tuple[Rating, ...]:
    """The ratings of a field; `table[i][j]` is the record of i against j."""
    return rate_field(table).ratings


def rate_field(table: Sequence[Sequence[Score | None]]) -> RatedField:
    """The ratings, and which pairs differ significantly.

    Intervals may overlap although a difference is significant, as ratings are correlated; so the
    deviation of each difference is computed.
    """
    points = np.array([[score.points if score else 0.0 for score in row] for row in table])
    points = points.reshape(len(table), len(table))
    np.fill_diagonal(points, 0.0)
    games = points + points.T
    strength = _most_likely(points, games, np.zeros(len(table)), np.arange(len(table)))
    # Only differences are determined, so ratings and covariance are centred on the mean.
    centred = np.eye(len(table)) - 1 / max(len(table), 1)
    covariance = centred @ np.linalg.inv(_curvature(strength, games)) @ centred
    elo = ELO * (centred @ strength)
    reach = ELO * CONFIDENCE * np.sqrt(np.diag(covariance).clip(0))
    ratings = tuple(
        Rating(float(middle), float(middle - width), float(middle + width))
        for middle, width in zip(elo, reach, strict=True)
    )
    own = np.diag(covariance)
    spread = (own[:, None] + own[None, :] - 2 * covariance).clip(0)
    apart = np.abs(elo[:, None] - elo[None, :]) > ELO * CONFIDENCE * np.sqrt(spread)
    np.fill_diagonal(apart, val=False)
    return RatedField(ratings, tuple(map(tuple, apart.tolist())))


def rate_against(
    table: Sequence[Sequence[Score | None]], fixed: Mapping[int, float]
) -> tuple[Rating, ...]:
    """Ratings on the scale of players whose own, by index, are known; these have no interval.

    Without one, those of `rate`. The imagined player of the prior stands at their mean.
    """
    points = np.array([[score.points if score else 0.0 for score in row] for row in table])
    return rate_points(points.reshape(len(table), len(table)), fixed)


def rate_points(
    points: NDArray[np.float64],
    fixed: Mapping[int, float],
    near: Sequence[Rating] | None = None,
) -> tuple[Rating, ...]:
    """The same from points[i, j], those of i against j; `near` are ratings to begin with.

    Ratings after a few more games are found in a step or two from those before them.
    """
    points = points.copy()
    np.fill_diagonal(points, 0.0)
    games = points + points.T
    middle = sum(fixed.values()) / len(fixed) if fixed else 0.0
    strength = np.zeros(len(points))
    if near is not None:
        strength[:] = [(each.elo - middle) / ELO for each in near]
    for at, elo in fixed.items():
        strength[at] = (elo - middle) / ELO
    free = np.array([at for at in range(len(points)) if at not in fixed], dtype=int)
    strength = _most_likely(points, games, strength, free)
    covariance = np.linalg.inv(_curvature(strength, games)[np.ix_(free, free)])
    if not fixed:  # only differences are determined: centred on the mean
        centred = np.eye(len(points)) - 1 / max(len(points), 1)
        covariance = centred @ covariance @ centred
        strength = centred @ strength
    reach = np.zeros(len(points))
    reach[free] = ELO * CONFIDENCE * np.sqrt(np.diag(covariance).clip(0))
    return tuple(
        Rating(float(elo), float(elo - width), float(elo + width))
        for elo, width in zip(ELO * strength + middle, reach, strict=True)
    )


def expected(difference: float) -> float:
    """The expected score of a player that many Elo points ahead."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def _most_likely(
    points: NDArray[np.float64],
    games: NDArray[np.float64],
    start: NDArray[np.float64],
    free: NDArray[np.int_],
) -> NDArray[np.float64]:
    """The log strengths of maximum likelihood, by Newton's method; only `free` ones change.

    The log likelihood is concave; steps are limited to one unit, so as not to overshoot.
    """
    strength = start.copy()
    for _ in range(MAX_NEWTON_STEPS if len(free) else 0):
        chance = _chance(strength)
        own = _logistic(strength)  # to beat the imagined player, whose strength is 0
        slope = points.sum(axis=1) - (games * chance).sum(axis=1) + PRIOR * (0.5 - own)
        step = np.linalg.solve(_curvature(strength, games)[np.ix_(free, free)], slope[free])
        strength[free] += step / max(1.0, np.abs(step).max(initial=0.0))
        if np.abs(step).max(initial=0.0) < TOLERANCE:
            break
    return strength


def _curvature(strength: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minus the Hessian of the log likelihood: the Fisher information."""
    chance = _chance(strength)
    own = _logistic(strength)
    information = games * chance * (1 - chance)
    across: NDArray[np.float64] = np.diag(information.sum(axis=1) + PRIOR * own * (1 - own))
    return across - information


def _chance(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """[i, j] -> the chance that i beats j."""
    return _logistic(strength[:, None] - strength[None, :])


def _logistic(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float64)
