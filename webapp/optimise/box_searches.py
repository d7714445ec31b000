"""Runs of searches on a box: chart, table and playback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from statistics import median
from typing import Any

from agents.formats import counted
from agents.optimisers.black_box.course import PUBLISHED, Published
from agents.training.brains import Point
from engine.options import parse_spec
from engine.problems.black_box import BlackBox
from engine.problems.catalog import MAX_PROBLEM_CHARS, load_problem
from engine.problems.entry import Box
from webapp.charts import Chart, Landmark
from webapp.charts.curves import (
    MIN_QUARTILE_RUNS,
    Playback,
    Row,
    Spread,
    median_and_quartiles,
    playback,
    run_lines,
    spread_chart,
    spread_rows,
    tone_at,
)
from webapp.jobs.kinds.optimisation import SearchPlan, lane_figures
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView
from webapp.optimise.query import BoxQuery
from webapp.optimise.searches import search_title
from webapp.web.forms import Choice
from webapp.workers.searches import BoxRequest

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


class SearchRuns:
    """A job of searches on a box (`optimise/_run.html`)."""

    def __init__(
        self,
        record: JobRecord,
        points: Sequence[Point],
        query: BoxQuery,
        path: str,
        player: str | None,
        problem: str | None = None,
    ) -> None:
        """`problem`: of a job on several boxes, the runs on this one alone."""
        self.record, self.points, self.path, self.player = record, points, path, player
        self.plan = SearchPlan.of(record)
        self.problem = problem or self.plan.problem
        every = problem is None and len(self.plan.problems) > 1
        self.query = replace(query, problem=self.plan.problem, all=every)
        self.box: Box = load_problem(self.problem)
        self.figures: Mapping[int, Mapping[str, Any]] = {  # latest of each run
            lane: figures
            for lane, figures in lane_figures(record).items()
            if every or self.plan.problem_of(lane) == self.problem
        }
        self.is_active = not record.state.is_over

    @cached_property
    def parts(self) -> tuple[SearchRuns, ...]:
        """The runs on each of several boxes."""
        if not self.query.all:
            return ()
        return tuple(
            SearchRuns(self.record, self.points, self.query, self.path, self.player, problem)
            for problem in self.plan.problems
        )

    @property
    def title(self) -> str:
        return f"Box {parse_spec(self.problem, MAX_PROBLEM_CHARS)[1].get('groups', '1')}"

    @cached_property
    def job(self) -> JobView:
        return JobView(self.record, self.player)

    @cached_property
    def by_search(self) -> dict[str, list[int]]:
        """Runs that differ only by their seed, grouped by search."""
        found: dict[str, list[int]] = {}
        for lane, run in enumerate(self.plan.runs):
            if self.query.all or self.plan.problem_of(lane) == self.problem:
                found.setdefault(run.search, []).append(lane)
        return found

    def _tone(self, search: str) -> str:
        return tone_at(list(self.by_search).index(search))

    @cached_property
    def chart(self) -> Chart | None:
        """The best value or the diversity of all points, or up to the chosen call."""
        measure = "diversity" if self.query.diversity else "best"
        found = {search: self._rows(runs, measure) for search, runs in self.by_search.items()}
        found = {search: rows for search, rows in found.items() if rows}
        if not found:
            return None
        best = measure == "best"
        end = max(rows[-1][0] for rows in found.values())
        spreads = [
            Spread(
                search_title(search),
                self._tone(search),
                len(self.by_search[search]),
                self._extended(search, rows, end) if best else rows,
            )
            for search, rows in found.items()
        ]
        seeds = max(each.runs for each in spreads)
        what = "The best number so far" if best else "How different the population is"
        how = f", median and {spread_name(seeds)} of {seeds} seeds" if seeds > 1 else ""
        return spread_chart(
            f"{what}{how}",
            spreads,
            x_name="times asked",
            log=not self.query.linear,
            percent=False,
            ceilings=[(f"at most {self.box.goal:g}", self.box.goal)] if best else (),
            marks=self._marks() if best else (),
        )

    def _rows(self, runs: Sequence[int], measure: str) -> list[Row]:
        """The spread as far as all of these runs have come; one that has ended keeps its value."""
        lines = run_lines(self.points, runs, lambda metrics: metrics.get(measure))
        if not all(lines):
            return []
        by_lane = zip(runs, lines, strict=True)
        going = [line[-1][0] for lane, line in by_lane if not self._has_ended(lane)]
        upto = None if self.is_active else self.query.at
        last = min(min(going, default=inf), inf if upto is None else upto)
        first = max(line[0][0] for line in lines)
        steps = sorted({x for line in lines for x, _ in line if first <= x <= last})
        return spread_rows(lines, steps, median_and_quartiles)

    def _has_ended(self, lane: int) -> bool:
        return bool(self.figures.get(lane, {}).get("ended"))

    def _extended(self, search: str, rows: list[Row], end: float) -> list[Row]:
        """The rows, drawn on to the end of the longest once all runs of the search have ended."""
        over = all(self._has_ended(lane) for lane in self.by_search[search])
        return [*rows, (end, *rows[-1][1:])] if over and rows[-1][0] < end else rows

    def _marks(self) -> list[Landmark]:
        found: dict[Published, Landmark] = {}
        for search in self.by_search:
            if (theirs := published_for(self.problem, search)) is not None:
                name = f"published: {theirs.best}"
                mark = Landmark(name, self._tone(search), theirs.calls, float(theirs.best))
                found.setdefault(theirs, mark)
        return list(found.values())

    @cached_property
    def rows(self) -> tuple[RunsRow, ...]:
        """The table of all searches."""
        return tuple(self._row(search, runs) for search, runs in self.by_search.items())

    def _row(self, search: str, runs: list[int]) -> RunsRow:
        found = [self.figures[lane] for lane in runs if lane in self.figures]
        theirs = published_for(self.problem, search)
        name, tone = search_title(search), self._tone(search)
        published = "–" if theirs is None else str(theirs)
        if not found:
            return RunsRow(name, tone, "–", "–", "–", "–", published)
        low, middle, high = median_and_quartiles([one["best"] for one in found])
        reached = sum(one["best"] >= self.box.goal for one in found)
        return RunsRow(
            name,
            tone,
            f"{middle:.3f}",
            f"{low:.3f} to {high:.3f}" if len(found) >= min(MIN_QUARTILE_RUNS, len(runs)) else "–",
            f"{median(one['calls'] for one in found):,.0f}",
            f"{reached} of {len(runs)}",
            published,
        )

    @property
    def spread(self) -> str:
        return spread_name(max(map(len, self.by_search.values())))

    @property
    def asked(self) -> str:
        """Calls in total."""
        total = sum(figures["calls"] for figures in self.figures.values())
        what = "The boxes were" if self.parts else "The box was"
        return (
            f"{what} asked {counted(total, 'time', 'times')} in all, "
            f"at most {self.plan.calls:,} times a run."
        )

    @cached_property
    def playback(self) -> Playback | None:
        """Playback by the number of calls; None with a single point."""
        steps = sorted({point.step for point in self.points})
        if self.is_active or len(steps) < 2 or self.parts:
            return None
        at = steps[-1]
        if self.query.at is not None:
            at = max((step for step in steps if step <= self.query.at), default=steps[0])

        def to(step: int) -> str:
            return self.query.url(self.path, at=None if step == steps[-1] else step)

        return playback(steps, at, to, f"after {counted(at, 'call', 'calls')}", SPEEDS)

    @cached_property
    def lane(self) -> int | None:
        """The run whose genome is shown: the chosen one, else the best; none of several boxes."""
        if self.parts:
            return None
        if not self.figures or self.query.lane in self.figures:
            return self.query.lane if self.figures else None
        figures = self.figures
        return max(figures, key=lambda lane: (figures[lane]["best"], -figures[lane]["calls"]))

    @property
    def past_request(self) -> BoxRequest | None:
        """What to ask a worker before the page is made: that run, up to the chosen call."""
        at, lane = self.query.at, self.lane
        if lane is None or at is None or not isinstance(self.box, BlackBox):
            return None
        if at >= self.figures[lane]["calls"]:
            return None
        run = self.plan.runs[lane]
        return BoxRequest(self.problem, run.search, run.seed, at)

    @cached_property
    def whose(self) -> tuple[Choice, ...]:
        return tuple(
            Choice(str(lane), f"{self.name(lane)}: {found['best']:.3f}", chosen=lane == self.lane)
            for lane, found in sorted(self.figures.items())
        )

    def name(self, lane: int) -> str:
        run = self.plan.runs[lane]
        return f"{search_title(run.search)}, seed {run.seed}"


def spread_name(seeds: int) -> str:
    """What is shown around the median: quartiles, or the range of a few seeds."""
    return "quartiles" if seeds >= MIN_QUARTILE_RUNS else "range"


def published_for(problem: str, search: str) -> Published | None:
    """The published result of this search on this box; None for a sealed box."""
    key, texts = parse_spec(problem, MAX_PROBLEM_CHARS)
    if key != "black-box" or texts.get("sealed") == "yes":
        return None
    return PUBLISHED.get(parse_spec(search)[0], {}).get(int(texts.get("groups", "1")))
