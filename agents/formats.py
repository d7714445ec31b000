"""Numbers and evaluations as text."""

from __future__ import annotations

from typing import Any

from agents.core import Analysis, Candidate, Measure

NOTHING = "–"  # for a move without a figure


def decimal(value: float, places: int = 2) -> str:
    """`0.95`, `−0.30`, `0.00`: with U+2212 as minus sign, and no negative zero."""
    rounded = round(value, places) + 0.0  # -0.0 + 0.0 is 0.0
    return f"{rounded:,.{places}f}".replace("-", "−")


def signed(value: float) -> str:
    """`+0.95`, `−0.30`, `0.00`."""
    return f"+{decimal(value)}" if round(value, 2) > 0 else decimal(value)


def end_in_sight(value: float, plies: int | None) -> str:
    """`win in 5`, `draw`, `loss`: a proven value for the side to move."""
    if value == 0:
        return "draw"
    word = "win" if value > 0 else "loss"
    return word if plies is None else f"{word} in {plies}"


def portion(share: float) -> str:
    """`57%`; shares near 0 or 1 are not rounded to them: `99.7%`, `under 0.1%`."""
    if 0 < share < 0.0005 or 0.9995 < share < 1:
        return "under 0.1%" if share < 0.5 else "over 99.9%"
    close = 0 < share < 0.005 or 0.995 <= share < 1
    return f"{share:.1%}" if close else f"{share:.0%}"


def counted(number: int, one: str, many: str) -> str:
    """`1 ply`, `1,234 plies`."""
    return f"{number:,} {one if number == 1 else many}"


def told(analysis: Analysis[Any], candidate: Candidate[Any]) -> str:
    """A candidate's value, else its measure, in its own unit if it has one."""
    if candidate.value is not None:
        proven, plies = candidate.proven, candidate.plies
        return end_in_sight(candidate.value, plies) if proven else decimal(candidate.value)
    if candidate.figure is not None:
        pays = analysis.measure is Measure.PAY
        return signed(candidate.figure) if pays else f"{candidate.figure:,g}".replace("-", "−")
    extent = analysis.extent(candidate)
    return NOTHING if extent is None else portion(extent)
