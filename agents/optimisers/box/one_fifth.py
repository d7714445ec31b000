"""The one-fifth rule (Rechenberg 1973): mutate more while more than a fifth of children are better
than their parent, and less while fewer are."""

from __future__ import annotations

SPEED = 1.5
MOST = 0.25


def adapted(rate: float, better: float, bits: int) -> float:
    """The next mutation rate, given the share of children that were better."""
    # At one success in five the two cancel out.
    factor = float(SPEED ** (better - (1 - better) / 4))
    return min(MOST, max(1 / bits, rate * factor))
