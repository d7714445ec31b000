"""The learned numbers of a position: value, number of tries, and the learning curve."""

from __future__ import annotations

from dataclasses import dataclass
from math import log1p

from agents.exhibits import LearnedNumber, Numbers
from agents.formats import counted, signed
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, course_chart

MAX_OPEN_ROWS = 12  # the rest is collapsed
MIN_OPACITY = 0.25  # of a number that was tried once


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A move with its number as a bar from the middle, the more opaque the more it was tried."""

    move: str
    value: str
    tries: str
    tone: str  # win, draw or loss; `never` if it was not tried
    left: float  # of its bar, 0 to 1
    width: float
    strength: float  # opacity, 0 to 1
    chosen: bool


class NumbersView(ExhibitView):
    """Every move with its number, the choice first, and the learning curve."""

    title = "What it has learned"
    template = "exhibits/numbers.html"
    sheets = ("charts/chart",)

    def __init__(self, exhibit: Numbers, context: ExhibitContext) -> None:
        most = max(number.tries for number in exhibit.numbers)
        ordered = sorted(exhibit.numbers, key=lambda number: not context.plays((number.move,)))
        rows = tuple(
            _row(number, exhibit.high, most, chosen=context.plays((number.move,)))
            for number in ordered
        )
        untried = sum(number.value is None for number in exhibit.numbers)
        self.name = exhibit.name
        self.counted = most > 0  # tries, of every move
        self.says = exhibit.says
        self.known = exhibit.known
        self.never = _untried_text(untried, len(exhibit.numbers))
        self.rows, self.rest = rows[:MAX_OPEN_ROWS], rows[MAX_OPEN_ROWS:]  # the rest is collapsed
        self.chart = None if exhibit.course is None else course_chart(exhibit.course)


def _untried_text(untried: int, moves: int) -> str:
    if untried == moves:
        return "It never met this position: it has no number for any move."
    return f"{counted(untried, 'move was', 'moves were')} never tried here." if untried else ""


def _row(number: LearnedNumber, high: float, most: int, *, chosen: bool) -> NumberRow:
    if number.value is None:
        return NumberRow(number.move, "never tried", "", "never", 0.0, 1.0, 1.0, chosen)
    share = max(-1.0, min(1.0, number.value / high)) / 2
    tone = "win" if share > 0 else "loss" if share < 0 else "draw"
    return NumberRow(
        move=number.move,
        value=signed(number.value),
        tries=f"{number.tries:,}" if most else "",
        tone=tone,
        left=round(0.5 + min(share, 0.0), 4),
        width=round(max(abs(share), 0.005), 4),
        strength=_strength(number.tries, most),
        chosen=chosen,
    )


def _strength(tries: int, most: int) -> float:
    """Full where nothing was counted."""
    share = log1p(tries) / log1p(most) if most else 1.0
    return round(MIN_OPACITY + (1 - MIN_OPACITY) * share, 2)
