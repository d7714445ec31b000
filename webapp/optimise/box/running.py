"""Searches on a box as its page shows them: curves, figures, and the way back through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import url_for

from agents.formats import counted
from engine.problems.entry import Box
from webapp.charts import Chart
from webapp.jobs.kinds.search import SearchPlan, lanes_of
from webapp.jobs.models import JobPoint, JobRecord
from webapp.jobs.status import JobView, job_view
from webapp.optimise.box.curves import (
    Lanes,
    RunsRow,
    box_chart,
    groups_of,
    runs_rows,
    spread_name,
)
from webapp.optimise.box.look import BoxLook
from webapp.optimise.searches import title_of
from webapp.web.forms import Choice

SPEEDS = ((1000, "a step a second"), (400, "quicker"), (150, "as quick as it goes"))


@dataclass(frozen=True, slots=True)
class CallsWalk:
    """A run played back: where one is, and the steps from there."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    count: str
    speeds: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True)
class RunView:
    """Searches on the box, as far as they are."""

    job: JobView
    chart: Chart | None
    rows: tuple[RunsRow, ...]
    spread: str  # what their figures lie between: quartiles, or of a few the range
    asked: str  # how often in all
    walk: CallsWalk | None
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
    look: BoxLook,
    box: Box,
    action: str,
    player: str | None,
) -> RunView:
    """The searches of a job."""
    plan, lanes = SearchPlan.of(record), lanes_of(record)
    measure = "diversity" if look.diversity else "best"
    job = job_view(record, player)
    steps = sorted({point.step for point in points})
    drawn = box_chart(
        plan,
        lanes,
        points,
        goal=box.goal,
        measure=measure,
        upto=None if job.is_active else look.at,
        log=not look.linear,
    )
    total = sum(figures["calls"] for figures in lanes.values())
    return RunView(
        job=job,
        chart=drawn,
        rows=runs_rows(plan, lanes, box.goal),
        spread=spread_name(max(map(len, groups_of(plan).values()))),
        asked=f"The box was asked {counted(total, 'time', 'times')} in all, "
        f"at most {plan.calls:,} times a run.",
        walk=None if job.is_active else _walk(look, steps, action),
        whose=_whose(plan, lanes, look),
        whose_fields=look.but("lane"),
        axis_url=look.url(action, linear=not look.linear),
        axis_name="Calls by powers of ten" if look.linear else "Calls evenly",
        show_url=look.url(action, diversity=not look.diversity),
        show_name="The best number" if look.diversity else "Diversity",
        csv_url=url_for("optimise.as_csv", job_id=record.id),
    )


def lane_shown(lanes: Lanes, look: BoxLook) -> int:
    if look.lane in lanes:
        return int(look.lane or 0)
    return max(lanes, key=lambda lane: (lanes[lane]["best"], -lanes[lane]["calls"]))


def _whose(plan: SearchPlan, lanes: Lanes, look: BoxLook) -> tuple[Choice, ...]:
    if not lanes:
        return ()
    chosen = lane_shown(lanes, look)
    return tuple(
        Choice(str(lane), f"{run_name(plan, lane)}: {figures['best']:.3f}", chosen=lane == chosen)
        for lane, figures in sorted(lanes.items())
    )


def run_name(plan: SearchPlan, lane: int) -> str:
    run = plan.runs[lane]
    return f"{title_of(run.search)}, seed {run.seed}"


def _walk(look: BoxLook, steps: list[int], action: str) -> CallsWalk | None:
    """Nothing to walk along where there is but one point."""
    if len(steps) < 2:
        return None
    place = len(steps) - 1
    if look.at is not None:
        place = max((at for at, step in enumerate(steps) if step <= look.at), default=0)

    def to(at: int) -> str:
        return look.url(action, at=None if at == len(steps) - 1 else steps[at])

    last = len(steps) - 1
    return CallsWalk(
        first=to(0) if place else None,
        previous=to(place - 1) if place else None,
        next=to(place + 1) if place < last else None,
        last=to(last) if place < last else None,
        count=f"after {counted(steps[place], 'call', 'calls')}",
        speeds=tuple((pause, name, at == 0) for at, (pause, name) in enumerate(SPEEDS)),
    )
