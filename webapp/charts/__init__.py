"""Curves as data: where every line, label and ring stands, for a template that computes nothing.

Places are in hundredths of the drawing's width and height, so that text keeps its size on any
screen: lines are stretched, letters are not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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


TOP, BOTTOM = 7.0, 88.0  # between these stands what is drawn; below it the axis
APART = 8.0  # between the names of two lines, at least
CLEAR = 14.0  # for a name between a line and a ceiling, and as far below the line otherwise
MOST_ROWS = 60  # of the table


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: its name, what its colour means, and its points."""

    name: str
    tone: str  # first, second, win, draw, loss or muted
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Band:
    """Between which figures something lay: (step, low, high)."""

    tone: str
    points: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Press:
    """A point that can be pressed."""

    x: float
    y: float
    url: str
    label: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Landmark:
    """A single figure beside the lines, such as someone else's."""

    name: str
    tone: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line, or an area, with its name at its end."""

    name: str
    tone: str
    points: str  # of a polyline or a polygon
    end: float  # how far down its name stands


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything a chart's template prints."""

    title: str
    x_name: str
    lines: tuple[Drawn, ...]
    areas: tuple[Drawn, ...]
    ceilings: tuple[tuple[str, float], ...]  # name, how far down
    dots: tuple[tuple[float, float], ...]
    presses: tuple[Press, ...]
    across: tuple[Tick, ...]
    upwards: tuple[Tick, ...]
    columns: tuple[str, ...]  # of the table
    rows: tuple[tuple[str, ...], ...]
    summary: str  # for whoever cannot see it
    bands: tuple[tuple[str, str], ...] = ()  # tone, and the points of a polygon
    marks: tuple[Landmark, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """The two axes, and where in the drawing a point of theirs stands."""

    across: Axis
    upwards: Axis

    def down(self, y: float) -> float:
        return round(_down(self.upwards.share(y)), 2)

    def place(self, x: float, y: float) -> tuple[float, float]:
        return round(100 * self.across.share(x), 2), self.down(y)

    def path(self, points: Iterable[tuple[float, float]]) -> str:
        """The points as a polyline or a polygon has them."""
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
    presses: Sequence[Press] = (),
    bands: Sequence[Band] = (),
    marks: Sequence[Landmark] = (),
    told: bool = False,
) -> Chart:
    """A chart of one or more lines over the same steps; `presses` and `marks` are given in
    figures. Where it is told, the name of a line says the figure at its end."""
    shown = _stacked(series) if stacked else tuple(series)
    single = [*dots, *((mark.x, mark.y) for mark in marks)]
    steps = [x for line in shown for x, _ in line.points] + [x for x, _ in single]
    heights = [y for line in shown for _, y in line.points] + [y for _, y in single]
    heights += [y for _, y in ceilings]
    heights += [y for band in bands for _, *ends in band.points for y in ends]
    frame = Frame(
        Axis.over(steps, log=log), Axis.over([*heights, *[0.0] * stacked], percent=percent)
    )
    roofs = [frame.down(y) for _, y in ceilings]
    drawn = _drawn(frame, shown, roofs, stacked=stacked, told=told)
    return Chart(
        title=title,
        x_name=x_name,
        lines=() if stacked else drawn,
        areas=drawn if stacked else (),
        ceilings=tuple((name, frame.down(y)) for name, y in ceilings),
        dots=tuple(frame.place(x, y) for x, y in dots),
        presses=tuple(_pressed(frame, press) for press in presses),
        across=tuple(Tick(tick.label, round(100 * tick.at, 2)) for tick in frame.across.ticks),
        upwards=tuple(Tick(tick.label, round(_down(tick.at), 2)) for tick in frame.upwards.ticks),
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


def _down(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share


def _pressed(frame: Frame, press: Press) -> Press:
    x, y = frame.place(press.x, press.y)
    return replace(press, x=x, y=y)


def _placed(frame: Frame, mark: Landmark) -> Landmark:
    x, y = frame.place(mark.x, mark.y)
    return replace(mark, x=x, y=y)


def _drawn(
    frame: Frame, shown: Sequence[Curve], roofs: Sequence[float], *, stacked: bool, told: bool
) -> tuple[Drawn, ...]:
    """Lines as they run, their names clear of ceilings; areas down to the line below them."""
    heights = [frame.down(_middle(shown, at, stacked)) for at in range(len(shown))]
    ends = _spread(heights, [_below(height, roofs) for height in heights])
    found = []
    for at, line in enumerate(shown):
        outline = line.points
        if stacked:
            below = shown[at - 1].points if at else tuple((x, 0.0) for x, _ in line.points)
            outline = (*line.points, *reversed(below))
        figure = f" {frame.upwards.figure(line.points[-1][1])}" if told else ""
        found.append(Drawn(f"{line.name}{figure}", line.tone, frame.path(outline), ends[at]))
    return tuple(found)


def _stacked(series: Sequence[Curve]) -> tuple[Curve, ...]:
    """Each line on top of those before it."""
    total: dict[float, float] = {}
    lines = []
    for line in series:
        for x, y in line.points:
            total[x] = total.get(x, 0.0) + y
        lines.append(Curve(line.name, line.tone, tuple((x, total[x]) for x, _ in line.points)))
    return tuple(lines)


def _middle(shown: Sequence[Curve], at: int, stacked: bool) -> float:
    """The height at which a name stands: the line's end, or the middle of an area there."""
    end = shown[at].points[-1][1]
    if not stacked:
        return end
    return (end + (shown[at - 1].points[-1][1] if at else 0.0)) / 2


def _below(height: float, roofs: Sequence[float]) -> float:
    """Where a name above its line would touch a ceiling, it stands below the line."""
    touches = any(0 <= height - roof < CLEAR for roof in roofs)
    return height + CLEAR if touches else height


def _spread(heights: list[float], ends: list[float]) -> list[float]:
    """Where the names would stand, moved apart where two would stand on each other, in the order
    in which their lines end."""
    order = sorted(range(len(ends)), key=heights.__getitem__)
    placed = list(ends)
    for before, after in itertools.pairwise(order):
        placed[after] = max(placed[after], placed[before] + APART)
    lowest = max(placed, default=0.0)
    if lowest > BOTTOM:
        placed = [end - (lowest - BOTTOM) for end in placed]
    return [round(max(TOP, end), 2) for end in placed]


def _table(series: Sequence[Curve], upwards: Axis) -> tuple[tuple[str, ...], ...]:
    by_step: dict[float, dict[str, float]] = {}
    for line in series:
        for x, y in line.points:
            by_step.setdefault(x, {})[line.name] = y
    names = [line.name for line in series]
    rows = [
        (f"{x:,.0f}", *(upwards.figure(said[name]) if name in said else "–" for name in names))
        for x, said in sorted(by_step.items())
    ]
    every = max(1, -(-len(rows) // MOST_ROWS))
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
