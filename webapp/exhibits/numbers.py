"""A learner's numbers: how much, and how sure, and how it came by them."""

from __future__ import annotations

from dataclasses import dataclass
from math import log1p

from agents.exhibits import LearnedNumber, Numbers
from agents.formats import counted, signed
from webapp.charts import Chart
from webapp.exhibits.exhibit import Stand, course_chart

FIRST = 12  # moves that are shown at once
FAINTEST = 0.25  # of a number that was tried but once


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One move: its number as a bar from the middle, the stronger the more it was tried."""

    move: str
    value: str
    tries: str
    tone: str  # win, draw or loss; never for one that was not tried
    left: float  # where its bar begins, of 1
    width: float
    strength: float  # 0 to 1
    chosen: bool


@dataclass(frozen=True, slots=True)
class NumbersView:
    """Every move with its number, the one it plays first, and the learning curve."""

    name: str
    says: str
    known: str
    never: str
    rows: tuple[NumberRow, ...]
    rest: tuple[NumberRow, ...]  # behind a press
    chart: Chart | None
    title: str = "What it has learned"
    template: str = "exhibits/numbers.html"
    sheets: tuple[str, ...] = ("charts/chart",)
    press: str | None = None


def numbers_view(shown: Numbers, stand: Stand) -> NumbersView:
    most = max(number.tries for number in shown.numbers)
    ordered = sorted(shown.numbers, key=lambda number: not stand.plays((number.move,)))
    rows = tuple(
        _row(number, shown.high, most, chosen=stand.plays((number.move,))) for number in ordered
    )
    untried = sum(number.value is None for number in shown.numbers)
    return NumbersView(
        name=shown.name,
        says=shown.says,
        known=shown.known,
        never=_never(untried, len(shown.numbers)),
        rows=rows[:FIRST],
        rest=rows[FIRST:],
        chart=None if shown.course is None else course_chart(shown.course),
    )


def _never(untried: int, moves: int) -> str:
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
        tries=f"{number.tries:,}",
        tone=tone,
        left=round(0.5 + min(share, 0.0), 4),
        width=round(max(abs(share), 0.005), 4),
        strength=round(FAINTEST + (1 - FAINTEST) * log1p(number.tries) / log1p(most), 2),
        chosen=chosen,
    )
