"""Line charts as data: coordinates of every line, label and tick, for a template to print.

Coordinates are per cent of the chart's width and height, so that lines stretch with the screen
but text keeps its size.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import TypeVar

TICK_COUNT = 5  # approximate, on a linear axis
EPSILON = 1e-9
TOP, BOTTOM = 7.0, 88.0  # of the plot; the x axis is below
MIN_LABEL_GAP = 8.0  # between the names of two lines, of one line of text
MIN_WRAPPED_GAP = 14.0  # of two
PROJECTED_GAP = 21.0  # of two on a projector, where up to MAX_PROJECTED names have it
MAX_PROJECTED = 4
MAX_NAME_CHARS = 12  # in a line of text; a longer name takes two
NAME_WIDTHS = (6, 9, 12, 16, 24)  # characters for which room is kept beside the plot
MAX_TABLE_ROWS = 60


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick with its label; `at` is a share of the axis, or a coordinate of the chart."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear or logarithmic axis."""

    low: float
    high: float
    log: bool = False
    percent: bool = False

    @classmethod
    def over(cls, figures: Iterable[float], *, log: bool = False, percent: bool = False) -> Axis:
        """The axis that covers these figures."""
        values = list(figures)
        low, high = min(values), max(values)
        if low == high:
            low, high = low - (0 if log else 1), high * 10 if log else high + 1
        if log:
            return cls(low, high, log=True)
        return cls(low, high, percent=percent)

    def share(self, figure: float) -> float:
        """The position of a figure on the axis, 0 to 1."""
        if self.log:
            return (log10(figure) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (figure - self.low) / (self.high - self.low)

    def figure(self, value: float) -> str:
        """Format a value in the unit of this axis."""
        if self.percent:
            return f"{100 * value:.1f} %"
        return _plain(round(value, 3))

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """Ticks at round figures within the axis."""
        marks = self._powers() if self.log else self._steps()
        return tuple(Tick(self._label(mark), self.share(mark)) for mark in marks)

    def _powers(self) -> list[float]:
        first, last = floor(log10(self.low)), floor(log10(self.high))
        return [10.0**power for power in range(first, last + 1) if 10.0**power >= self.low]

    def _steps(self) -> list[float]:
        rough = (self.high - self.low) / TICK_COUNT
        unit = 10 ** floor(log10(rough))
        step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough)
        first, last = ceil(self.low / step - EPSILON), floor(self.high / step + EPSILON)
        return [step * at for at in range(first, last + 1)]

    def _label(self, mark: float) -> str:
        if self.percent:
            return f"{100 * mark:.0f} %"
        return _short(mark) if self.log else _plain(mark)


@dataclass(frozen=True, slots=True)
class Curve:
    """A line to plot: name, colour and points."""

    name: str
    tone: str  # first, second, win, draw, loss or muted
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Band:
    """A range to plot: (step, low, high)."""

    tone: str
    points: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class ChartLink:
    """A point that is a link."""

    x: float
    y: float
    url: str
    label: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Landmark:
    """A single labelled point, such as a published figure."""

    name: str
    tone: str
    x: float
    y: float


Point = TypeVar("Point", ChartLink, Landmark)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A drawn line or area with its name."""

    name: str
    tone: str
    points: str  # of a polyline or a polygon
    end: float  # y of its name, which stands outside the plot

    @property
    def name_lines(self) -> tuple[str, ...]:
        """The name in one line of text or two."""
        return _wrapped(self.name)


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that the template of a chart prints."""

    title: str
    x_name: str
    lines: tuple[ChartLine, ...]
    areas: tuple[ChartLine, ...]
    ceilings: tuple[tuple[str, float], ...]  # name, y
    dots: tuple[tuple[float, float], ...]
    presses: tuple[ChartLink, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    columns: tuple[str, ...]  # of the table
    rows: tuple[tuple[str, ...], ...]
    summary: str  # for screen readers
    bands: tuple[tuple[str, str], ...] = ()  # tone, and the points of a polygon
    marks: tuple[Landmark, ...] = ()

    @property
    def room(self) -> int:
        """The characters for which there is room beside the plot: a class of the template."""
        drawn = (*self.lines, *self.areas)
        widest = max((len(text) for line in drawn for text in line.name_lines), default=0)
        return next((room for room in NAME_WIDTHS if room >= widest), NAME_WIDTHS[-1])


@dataclass(frozen=True, slots=True)
class Frame:
    """The two axes, which map figures to coordinates of the chart."""

    across: Axis
    upwards: Axis

    def down(self, y: float) -> float:
        return round(_y_percent(self.upwards.share(y)), 2)

    def place(self, x: float, y: float) -> tuple[float, float]:
        return round(100 * self.across.share(x), 2), self.down(y)

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """The attribute `points` of a polyline or polygon."""
        places = (self.place(x, y) for x, y in points)
        return " ".join(f"{x:g},{y:g}" for x, y in places)


def chart(
    title: str,
    series: Sequence[Curve],
    *,
    x_name: str,
    log: bool = False,
    percent: bool = True,
    stacked: bool = False,
    ceilings: Sequence[tuple[str, float]] = (),
    dots: Sequence[tuple[float, float]] = (),
    presses: Sequence[ChartLink] = (),
    bands: Sequence[Band] = (),
    marks: Sequence[Landmark] = (),
    told: bool = False,
) -> Chart:
    """Build a chart of lines over the same steps; `presses` and `marks` are given in figures.

    With `told` the name of a line includes its last figure.
    """
    shown = _stacked(series) if stacked else tuple(series)
    single = [*dots, *((mark.x, mark.y) for mark in marks)]
    steps = [x for line in shown for x, _ in line.points] + [x for x, _ in single]
    heights = [y for line in shown for _, y in line.points] + [y for _, y in single]
    heights += [y for _, y in ceilings]
    heights += [y for band in bands for _, *ends in band.points for y in ends]
    frame = Frame(
        Axis.over(steps, log=log), Axis.over([*heights, *[0.0] * stacked], percent=percent)
    )
    drawn = _chart_lines(frame, shown, stacked=stacked, told=told)
    return Chart(
        title=title,
        x_name=x_name,
        lines=() if stacked else drawn,
        areas=drawn if stacked else (),
        ceilings=tuple((name, frame.down(y)) for name, y in ceilings),
        dots=tuple(frame.place(x, y) for x, y in dots),
        presses=tuple(_placed(frame, press) for press in presses),
        across=tuple(Tick(tick.label, round(100 * tick.at, 2)) for tick in frame.across.ticks),
        upwards=tuple(
            Tick(tick.label, round(_y_percent(tick.at), 2)) for tick in frame.upwards.ticks
        ),
        columns=(x_name, *(line.name for line in series)),
        rows=_table(series, frame.upwards),
        summary=_summary(series, frame.upwards, ceilings, x_name, marks),
        bands=tuple((band.tone, _outline(frame, band)) for band in bands),
        marks=tuple(_placed(frame, mark) for mark in marks),
    )


def _outline(frame: Frame, band: Band) -> str:
    upper = [(x, high) for x, _, high in band.points]
    lower = [(x, low) for x, low, _ in reversed(band.points)]
    return frame.path(upper + lower)


def _y_percent(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share


def _placed(frame: Frame, point: Point) -> Point:
    x, y = frame.place(point.x, point.y)
    return replace(point, x=x, y=y)


def _chart_lines(
    frame: Frame, shown: Sequence[Curve], *, stacked: bool, told: bool
) -> tuple[ChartLine, ...]:
    """Lines with their names apart from each other, or areas down to the line below."""
    heights = [frame.down(_label_height(shown, at, stacked)) for at in range(len(shown))]
    names = [
        f"{line.name} {frame.upwards.figure(line.points[-1][1])}" if told else line.name
        for line in shown
    ]
    ends = _spread_labels(heights, [len(_wrapped(name)) for name in names])
    drawn = []
    for at, line in enumerate(shown):
        outline = line.points
        if stacked:
            below = shown[at - 1].points if at else tuple((x, 0.0) for x, _ in line.points)
            outline = (*line.points, *reversed(below))
        drawn.append(ChartLine(names[at], line.tone, frame.path(outline), ends[at]))
    return tuple(drawn)


def _stacked(series: Sequence[Curve]) -> tuple[Curve, ...]:
    """Stack each line on those before it."""
    total: dict[float, float] = {}
    lines = []
    for line in series:
        for x, y in line.points:
            total[x] = total.get(x, 0.0) + y
        lines.append(Curve(line.name, line.tone, tuple((x, total[x]) for x, _ in line.points)))
    return tuple(lines)


def _label_height(shown: Sequence[Curve], at: int, stacked: bool) -> float:
    """The figure at which a name is placed: the line's last, or the middle of its area there."""
    end = shown[at].points[-1][1]
    if not stacked:
        return end
    return (end + (shown[at - 1].points[-1][1] if at else 0.0)) / 2


def _wrapped(name: str) -> tuple[str, ...]:
    """The name in one line, or where it is long in two of nearly the same length."""
    if len(name) <= MAX_NAME_CHARS or " " not in name:
        return (name,)
    words = name.split(" ")
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(cuts, key=lambda cut: max(map(len, cut)))


def _spread_labels(heights: list[float], lines: list[int]) -> list[float]:
    """The y of each name: as its line ends, but apart, in that order and within the chart."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = [min(max(TOP, height), BOTTOM) for height in heights]
    wrapped = PROJECTED_GAP if len(lines) <= MAX_PROJECTED else MIN_WRAPPED_GAP

    def gap(one: int, other: int) -> float:
        return (MIN_LABEL_GAP, wrapped)[max(lines[one], lines[other]) > 1]

    for before, after in itertools.pairwise(order):
        placed[after] = max(placed[after], placed[before] + gap(before, after))
    if order and placed[order[-1]] > BOTTOM:
        placed[order[-1]] = BOTTOM
        for after, before in itertools.pairwise(reversed(order)):
            placed[before] = min(placed[before], placed[after] - gap(before, after))
    return [round(end, 2) for end in placed]


def _table(series: Sequence[Curve], upwards: Axis) -> tuple[tuple[str, ...], ...]:
    by_step: dict[float, dict[str, float]] = {}
    for line in series:
        for x, y in line.points:
            by_step.setdefault(x, {})[line.name] = y
    names = [line.name for line in series]
    rows = [
        (f"{x:,.0f}", *(upwards.figure(row[name]) if name in row else "–" for name in names))
        for x, row in sorted(by_step.items())
    ]
    every = max(1, -(-len(rows) // MAX_TABLE_ROWS))
    return tuple(row for at, row in enumerate(rows) if at % every == 0 or at == len(rows) - 1)


def _summary(
    series: Sequence[Curve],
    upwards: Axis,
    ceilings: Sequence[tuple[str, float]],
    x_name: str,
    marks: Sequence[Landmark],
) -> str:
    parts = []
    for line in series:
        (first, low), (last, high) = line.points[0], line.points[-1]
        parts.append(
            f"{line.name}: {upwards.figure(low)} at {first:,.0f} {x_name}, "
            f"{upwards.figure(high)} at {last:,.0f}"
        )
    parts += [f"{name}: {upwards.figure(y)}" for name, y in ceilings]
    parts += [f"{mark.name}: {upwards.figure(mark.y)} at {mark.x:,.0f}" for mark in marks]
    return "; ".join(parts) + "."


def _short(power: float) -> str:
    """`100`, `1k`, `1M`: short enough for seven ticks on a phone."""
    for unit, letter in ((10**6, "M"), (10**3, "k")):
        if power >= unit:
            return f"{power / unit:,.0f}{letter}"
    return _plain(power)


def _plain(figure: float) -> str:
    """`1,000,000`, `0.5`, `−3`."""
    text = f"{figure:,.0f}" if figure == round(figure) else f"{figure:,.4g}"
    return text.replace("-", "−")
