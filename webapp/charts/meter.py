"""The strength meter: five steps, a bar and a text."""

from __future__ import annotations

from dataclasses import dataclass

from agents.contest.strength import STEPS, Strength
from agents.formats import counted, portion


@dataclass(frozen=True, slots=True)
class Meter:
    """A measured strength (`charts/meter.html`)."""

    step: int  # 1 to 5
    steps: tuple[bool, ...]  # filled or not
    share: float  # of the points, 0 to 1
    points: str  # 31%
    label: str  # Strength 2 of 5
    description: str  # Won 31% of the points against 11 others (24% to 39%, 110 games)


def strength_meter(strength: Strength | None) -> Meter | None:
    """The meter of a strength; None if it was not measured."""
    if strength is None:
        return None
    low, high = strength.score.interval()
    others = counted(strength.opponents, "other", "others")
    games = counted(strength.score.games, "game", "games")
    points = portion(strength.rate)
    description = (
        f"Won {points} of the points against {others} ({portion(low)} to {portion(high)}, {games})"
    )
    return Meter(
        step=strength.step,
        steps=tuple(step < strength.step for step in range(STEPS)),
        share=round(strength.rate, 4),
        points=points,
        label=f"Strength {strength.step} of {STEPS}",
        description=description,
    )
