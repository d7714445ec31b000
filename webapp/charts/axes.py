"""An axis: from which figure to which it goes, and where its marks stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

MARKS = 5  # about, on a straight axis
EPSILON = 1e-9


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark with its figure; `at` is a share of the axis, or where it stands in the drawing."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Axis:
    """A stretch of figures, straight or by powers of ten."""

    low: float
    high: float
    log: bool = False
    percent: bool = False

    @classmethod
    def over(cls, figures: Iterable[float], *, log: bool = False, percent: bool = False) -> Axis:
        """As long as these figures need it; a little beyond them where it is not by powers."""
        found = list(figures)
        low, high = min(found), max(found)
        if low == high:
            low, high = low - (0 if log else 1), high * 10 if log else high + 1
        if log:
            return cls(low, high, log=True)
        return cls(low, high, percent=percent)

    def share(self, figure: float) -> float:
        """How far along the axis a figure stands, 0 to 1."""
        if self.log:
            return (log10(figure) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (figure - self.low) / (self.high - self.low)

    def figure(self, value: float) -> str:
        """A value as it is written beside this axis."""
        if self.percent:
            return f"{100 * value:.1f} %"
        return _plain(round(value, 3))

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """Round figures within the axis."""
        marks = self._powers() if self.log else self._steps()
        return tuple(Tick(self._label(mark), self.share(mark)) for mark in marks)

    def _powers(self) -> list[float]:
        first, last = floor(log10(self.low)), floor(log10(self.high))
        return [10.0**power for power in range(first, last + 1) if 10.0**power >= self.low]

    def _steps(self) -> list[float]:
        rough = (self.high - self.low) / MARKS
        unit = 10 ** floor(log10(rough))
        step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
        first, last = ceil(self.low / step - EPSILON), floor(self.high / step + EPSILON)
        return [step * at for at in range(first, last + 1)]

    def _label(self, mark: float) -> str:
        if self.percent:
            return f"{100 * mark:.0f} %"
        return _short(mark) if self.log else _plain(mark)


def _short(power: float) -> str:
    """`1,000`, `10k`, `1M`: seven powers of ten stand beside each other on a phone."""
    for unit, letter in ((10**6, "M"), (10**3, "k")):
        if power >= max(unit, 10**4):
            return f"{power / unit:,.0f}{letter}"
    return _plain(power)


def _plain(figure: float) -> str:
    """`1,000,000`, `0.5`, `−3`."""
    text = f"{figure:,.0f}" if figure == round(figure) else f"{figure:,.4g}"
    return text.replace("-", "−")
