"""Curves of runs: several as a median with its range, and any played back step by step."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median, quantiles
from typing import Any

from agents.training.brains import Point
from webapp.charts import Band, Chart, Curve, chart

TONES = ("first", "second", "win", "loss", "draw", "muted")  # of the lines of a comparison
MIN_QUARTILE_RUNS = 3

Line = Sequence[tuple[int, float]]  # (step, figure) of one run
Row = tuple[float, float, float, float]  # step, lowest (or lower quartile), median, highest


@dataclass(frozen=True, slots=True)
class Spread:
    """Runs that differ only by their seed, as one line and the range around it."""

    name: str
    tone: str
    runs: int
    rows: Sequence[Row]


def lanes_by(keys: Iterable[str]) -> dict[str, list[int]]:
    """Numbers of the runs that differ only by their seed, by what they share."""
    found: dict[str, list[int]] = {}
    for lane, key in enumerate(keys):
        found.setdefault(key, []).append(lane)
    return found


def tone_at(place: int) -> str:
    """The tone of a line of a comparison."""
    return TONES[place % len(TONES)]


def run_lines(
    points: Iterable[Point],
    lanes: Iterable[int],
    figure: Callable[[Mapping[str, float]], float | None],
) -> list[list[tuple[int, float]]]:
    """A line for each of these runs, of a figure of its points where they have it."""
    lines: dict[int, list[tuple[int, float]]] = {lane: [] for lane in lanes}
    for point in points:
        if point.lane in lines and (value := figure(point.metrics)) is not None:
            lines[point.lane].append((point.step, value))
    return list(lines.values())


def spread_rows(
    lines: Sequence[Line],
    steps: Iterable[int],
    summary: Callable[[Sequence[float]], tuple[float, float, float]],
) -> list[Row]:
    """Summarise runs at these steps; each has the figure of its last point until then."""
    return [(float(step), *summary([_figure_at(line, step) for line in lines])) for step in steps]


def _figure_at(line: Line, step: int) -> float:
    return line[bisect_right(line, (step, inf)) - 1][1]


def median_and_range(figures: Sequence[float]) -> tuple[float, float, float]:
    return min(figures), float(median(figures)), max(figures)


def median_and_quartiles(figures: Sequence[float]) -> tuple[float, float, float]:
    """The median between the quartiles, or within the range of a few runs."""
    if len(figures) < MIN_QUARTILE_RUNS:
        return median_and_range(figures)
    low, middle, high = quantiles(figures, n=4, method="inclusive")
    return low, middle, high


def spread_chart(title: str, spreads: Iterable[Spread], **options: Any) -> Chart:
    """The chart of a comparison: a line for each spread, a band around those of several runs."""
    found = list(spreads)
    lines = [Curve(one.name, one.tone, tuple((x, y) for x, _, y, _ in one.rows)) for one in found]
    bands = [
        Band(one.tone, tuple((x, low, high) for x, low, _, high in one.rows))
        for one in found
        if one.runs > 1
    ]
    return chart(title, lines, bands=bands, **options)


@dataclass(frozen=True, slots=True)
class Playback:
    """Links to other moments of a run, and how fast they follow each other."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    count: str  # where one stands
    speeds: tuple[tuple[int, str, bool], ...]  # milliseconds a stop, label, default


def playback(
    stops: Sequence[int],
    at: int,
    url: Callable[[int], str],
    count: str,
    speeds: Iterable[tuple[int, str]],
) -> Playback:
    """Links from here to the stops around; the first of the speeds is the default."""
    before, after = bisect_left(stops, at), bisect_right(stops, at)
    further = after < len(stops)
    return Playback(
        first=url(stops[0]) if before else None,
        previous=url(stops[before - 1]) if before else None,
        next=url(stops[after]) if further else None,
        last=url(stops[-1]) if further else None,
        count=count,
        speeds=tuple((pause, name, place == 0) for place, (pause, name) in enumerate(speeds)),
    )
