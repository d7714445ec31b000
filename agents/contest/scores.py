"""Results added up: wins, draws and losses, the points they make, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from agents.formats import counted

CONFIDENCE = 1.959963984540054  # standard deviations either side that hold 95 %


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
        """Points per game, 0 to 1; one half where nothing was played."""
        return self.points / self.games if self.games else 0.5

    def interval(self) -> tuple[float, float]:
        """Where the true rate lies, with 95 % confidence: Wilson's interval (1927).

        Stays within 0 to 1 and keeps a width after a clean sweep, where the textbook's p ± 1.96 s
        has none. It takes points for successes; as a draw varies less than a win or a loss, it is
        on the cautious side where draws are many.
        """
        if not self.games:
            return 0.0, 1.0
        weight = CONFIDENCE**2 / self.games
        centre = (self.rate + weight / 2) / (1 + weight)
        spread = self.rate * (1 - self.rate) / self.games + weight / (4 * self.games)
        reach = CONFIDENCE * sqrt(spread) / (1 + weight)
        # A clean sweep ends at 0 or 1 exactly; rounding must not put it just inside.
        low = 0.0 if not self.points else centre - reach
        high = 1.0 if self.points == self.games else centre + reach
        return low, high
