"""Runs of searches on a box: chart, table and playback."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median, quantiles
from typing import Any

from flask import url_for

from agents.formats import counted
from agents.optimisers.black_box.published import PUBLISHED, Published
from engine.options import parse_spec
from engine.problems.catalog import LONGEST_PROBLEM
from engine.problems.entry import Box
from webapp.charts import Band, Chart, Curve, Landmark, chart
from webapp.jobs.kinds.search import SearchPlan, lanes_of
from webapp.jobs.models import JobPoint, JobRecord
from webapp.jobs.status import JobView, job_view
from webapp.optimise.black_box.query import BoxQuery
from webapp.optimise.searches import search_title
from webapp.web.forms import Choice

TONES = ("first", "second", "win", "loss", "draw", "muted")
Lanes = Mapping[int, Mapping[str, Any]]  # latest figures of each run
Row = tuple[float, float, float, float]  # calls, lower quartile (or lowest), median, upper
MIN_QUARTILE_SEEDS = 3
SPEEDS = (
    (1000, "a step a second"),
    (400, "quicker"),
    (150, "as quick as it goes"),
)  # milliseconds, label


@dataclass(frozen=True, slots=True)
class RunsRow:
    """One search over its seeds, in the table."""

    name: str
    tone: str
    best: str  # median
    spread: str  # quartiles, or the range of a few seeds
    calls: str  # median
    reached: str  # `4 of 5` found the best there is
    published: str


def lanes_by_search(plan: SearchPlan) -> dict[str, list[int]]:
    """Runs that differ only by their seed, grouped by search."""
    found: dict[str, list[int]] = {}
    for lane, run in enumerate(plan.runs):
        found.setdefault(run.search, []).append(lane)
    return found


def search_tone(plan: SearchPlan, search: str) -> str:
    return TONES[list(lanes_by_search(plan)).index(search) % len(TONES)]


def box_chart(
    plan: SearchPlan,
    lanes: Lanes,
    points: Sequence[JobPoint],
    *,
    goal: float,
    measure: str = "best",
    upto: int | None = None,
    log: bool = True,
) -> Chart | None:
    """The chart of all points, or up to some number of calls; None without any."""
    found = {
        search: run_spread(members, lanes, points, measure, upto)
        for search, members in lanes_by_search(plan).items()
    }
    found = {search: rows for search, rows in found.items() if rows}
    if measure == "best":
        found = {search: _extended(plan, lanes, search, found) for search in found}
    lines, bands, seeds = [], [], 1
    for search, rows in found.items():
        tone, members = search_tone(plan, search), lanes_by_search(plan)[search]
        lines.append(Curve(search_title(search), tone, tuple((x, mid) for x, _, mid, _ in rows)))
        seeds = max(seeds, len(members))
        if len(members) > 1:
            bands.append(Band(tone, tuple((x, low, high) for x, low, _, high in rows)))
    if not lines:
        return None
    what = "The best number so far" if measure == "best" else "How much those who live differ"
    how = f", median and {spread_name(seeds)} of {seeds} seeds" if bands else ""
    best = measure == "best"
    return chart(
        f"{what}{how}",
        lines,
        x_name="times asked",
        log=log,
        percent=False,
        ceilings=[(f"at most {goal:g}", goal)] if best else (),
        bands=bands,
        marks=_marks(plan) if best else (),
    )


def _extended(
    plan: SearchPlan, lanes: Lanes, search: str, found: Mapping[str, list[Row]]
) -> list[Row]:
    """The rows of a search, drawn on to the end of the longest once all its runs have ended."""
    rows, end = found[search], max(rows[-1][0] for rows in found.values())
    over = all(lanes[lane]["ended"] for lane in lanes_by_search(plan)[search])
    return [*rows, (end, *rows[-1][1:])] if over and rows[-1][0] < end else rows


def run_spread(
    members: Sequence[int],
    lanes: Lanes,
    points: Sequence[JobPoint],
    measure: str,
    upto: int | None,
) -> list[Row]:
    """(calls, lower quartile, median, upper quartile) as far as all of these runs have come.

    A run that has ended keeps its last value.
    """
    series: dict[int, list[tuple[int, float]]] = {lane: [] for lane in members}
    for point in points:
        if point.lane in series and measure in point.metrics:
            series[point.lane].append((point.step, point.metrics[measure]))
    if not all(series.values()):
        return []
    open_ends = [series[lane][-1][0] for lane in members if not lanes.get(lane, {}).get("ended")]
    last = min(min(open_ends, default=inf), inf if upto is None else upto)
    first = max(series[lane][0][0] for lane in members)
    steps = sorted({x for found in series.values() for x, _ in found if first <= x <= last})
    rows: list[Row] = []
    for step in steps:
        seen = [_at(series[lane], step) for lane in members]
        low, middle, high = _quartiles(seen)
        rows.append((float(step), low, middle, high))
    return rows


def _at(found: list[tuple[int, float]], step: int) -> float:
    """The value at the last point up to this step."""
    return found[bisect_right(found, (step, inf)) - 1][1]


def spread_name(seeds: int) -> str:
    """What is shown around the median: quartiles, or the range of a few seeds."""
    return "quartiles" if seeds >= MIN_QUARTILE_SEEDS else "range"


def _quartiles(seen: Sequence[float]) -> tuple[float, float, float]:
    if len(seen) < MIN_QUARTILE_SEEDS:
        return min(seen), float(median(seen)), max(seen)
    low, middle, high = quantiles(seen, n=4, method="inclusive")
    return low, middle, high


def published_for(problem: str, search: str) -> Published | None:
    """The published result of this search on this box; None for a sealed box."""
    key, texts = parse_spec(problem, LONGEST_PROBLEM)
    if key != "black-box" or texts.get("sealed") == "yes":
        return None
    return PUBLISHED.get(parse_spec(search)[0], {}).get(int(texts.get("groups", "1")))


def _marks(plan: SearchPlan) -> list[Landmark]:
    found: dict[Published, Landmark] = {}
    for search in lanes_by_search(plan):
        if (theirs := published_for(plan.problem, search)) is not None:
            tone = search_tone(plan, search)
            name = f"published: {theirs.best}"
            found.setdefault(theirs, Landmark(name, tone, theirs.calls, float(theirs.best)))
    return list(found.values())


def runs_rows(plan: SearchPlan, lanes: Lanes, goal: float) -> tuple[RunsRow, ...]:
    """The table of all searches."""
    return tuple(
        _row(plan, lanes, goal, search, runs) for search, runs in lanes_by_search(plan).items()
    )


def _row(plan: SearchPlan, lanes: Lanes, goal: float, search: str, runs: list[int]) -> RunsRow:
    found = [lanes[lane] for lane in runs if lane in lanes]
    theirs = published_for(plan.problem, search)
    name, tone = search_title(search), search_tone(plan, search)
    published = "–" if theirs is None else str(theirs)
    if not found:
        return RunsRow(name, tone, "–", "–", "–", "–", published)
    low, middle, high = _quartiles([one["best"] for one in found])
    reached = sum(one["best"] >= goal for one in found)
    return RunsRow(
        name,
        tone,
        f"{middle:.3f}",
        f"{low:.3f} to {high:.3f}" if len(found) >= min(MIN_QUARTILE_SEEDS, len(runs)) else "–",
        f"{median(one['calls'] for one in found):,.0f}",
        f"{reached} of {len(runs)}",
        published,
    )


@dataclass(frozen=True, slots=True)
class PlaybackLinks:
    """Playback of a run: links to other numbers of calls."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    count: str
    speeds: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """A job of searches on the box."""

    job: JobView
    chart: Chart | None
    rows: tuple[RunsRow, ...]
    spread: str  # `quartiles` or `range`
    asked: str  # calls in total
    walk: PlaybackLinks | None
    whose: tuple[Choice, ...]
    whose_fields: tuple[tuple[str, str], ...]
    axis_url: str
    axis_name: str
    show_url: str
    show_name: str
    csv_url: str


def run_view(
    record: JobRecord,
    points: Sequence[JobPoint],
    query: BoxQuery,
    box: Box,
    action: str,
    player: str | None,
) -> RunView:
    plan, lanes = SearchPlan.of(record), lanes_of(record)
    measure = "diversity" if query.diversity else "best"
    job = job_view(record, player)
    steps = sorted({point.step for point in points})
    drawn = box_chart(
        plan,
        lanes,
        points,
        goal=box.goal,
        measure=measure,
        upto=None if job.is_active else query.at,
        log=not query.linear,
    )
    total = sum(figures["calls"] for figures in lanes.values())
    return RunView(
        job=job,
        chart=drawn,
        rows=runs_rows(plan, lanes, box.goal),
        spread=spread_name(max(map(len, lanes_by_search(plan).values()))),
        asked=f"The box was asked {counted(total, 'time', 'times')} in all, "
        f"at most {plan.calls:,} times a run.",
        walk=None if job.is_active else _playback(query, steps, action),
        whose=_whose(plan, lanes, query),
        whose_fields=query.fields_except("lane"),
        axis_url=query.url(action, linear=not query.linear),
        axis_name="Calls by powers of ten" if query.linear else "Calls evenly",
        show_url=query.url(action, diversity=not query.diversity),
        show_name="The best number" if query.diversity else "Diversity",
        csv_url=url_for("optimise.as_csv", job_id=record.id),
    )


def shown_lane(lanes: Lanes, query: BoxQuery) -> int:
    if query.lane in lanes:
        return int(query.lane or 0)
    return max(lanes, key=lambda lane: (lanes[lane]["best"], -lanes[lane]["calls"]))


def _whose(plan: SearchPlan, lanes: Lanes, query: BoxQuery) -> tuple[Choice, ...]:
    if not lanes:
        return ()
    chosen = shown_lane(lanes, query)
    return tuple(
        Choice(str(lane), f"{run_name(plan, lane)}: {figures['best']:.3f}", chosen=lane == chosen)
        for lane, figures in sorted(lanes.items())
    )


def run_name(plan: SearchPlan, lane: int) -> str:
    run = plan.runs[lane]
    return f"{search_title(run.search)}, seed {run.seed}"


def _playback(query: BoxQuery, steps: list[int], action: str) -> PlaybackLinks | None:
    """Playback links; None with a single point."""
    if len(steps) < 2:
        return None
    place = len(steps) - 1
    if query.at is not None:
        place = max((at for at, step in enumerate(steps) if step <= query.at), default=0)

    def to(at: int) -> str:
        return query.url(action, at=None if at == len(steps) - 1 else steps[at])

    last = len(steps) - 1
    return PlaybackLinks(
        first=to(0) if place else None,
        previous=to(place - 1) if place else None,
        next=to(place + 1) if place < last else None,
        last=to(last) if place < last else None,
        count=f"after {counted(steps[place], 'call', 'calls')}",
        speeds=tuple((pause, name, at == 0) for at, (pause, name) in enumerate(SPEEDS)),
    )
