"""The page of a training: progress, chart, ancestors to play, and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import time
from urllib.parse import urlencode

from flask import url_for

from agents.formats import counted
from agents.roster import agent_title
from agents.training.opponents import SELF
from engine import load_game
from engine.catalog import variant_title
from webapp.charts import Chart, Press
from webapp.jobs.kinds.training import TrainingFigures, TrainingPlan
from webapp.jobs.models import JobPoint, JobRecord
from webapp.jobs.status import JobView, job_view, span, unit_of
from webapp.lab.training.curves import (
    METRIC_WORDS,
    TONES,
    chart_measure,
    metric_value,
    run_groups,
    training_chart,
    varied_settings,
)
from webapp.lab.training.learners import OPPONENT, all_settings, set_options

PLAYBACK_SECONDS = (20, 40, 60)  # duration of the playback
ROUND_DIGITS = ("1", "2", "5")
MAX_STOPS = 60  # of the playback: each is a request


@dataclass(frozen=True, slots=True)
class TrainingQuery:
    """The query string of a training's page."""

    linear: bool = False
    at: int | None = None  # step whose brain is chosen
    upto: int | None = None  # number of points shown during playback
    present: bool = False  # for a projector

    def url(self, job_id: str, **changes: object) -> str:
        fields = {
            "axis": "linear" if self.linear else None,
            "at": self.at,
            "upto": self.upto,
            "present": 1 if self.present else None,
        }
        query = urlencode({k: v for k, v in (fields | changes).items() if v is not None})
        address = url_for("jobs.show", job_id=job_id)
        return f"{address}?{query}" if query else address


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A brain stored on the way, to be played."""

    step: int
    after: str  # `10,000 games`
    won: str  # `51 %`
    drawn: str
    lost: str
    url: str  # of the page with this step chosen
    current: bool


@dataclass(frozen=True, slots=True)
class CurvePlayback:
    """Playing back the stored curve: links to other points."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    count: str
    speeds: tuple[tuple[int, str, bool], ...]  # milliseconds per stop, label, default


@dataclass(frozen=True, slots=True)
class RunRow:
    """One of several runs."""

    number: int  # from 1
    name: str  # its varied settings
    seed: int
    reached: str  # `51.2 %`, when it was last measured
    begun: bool  # it has a brain to keep


@dataclass(frozen=True, slots=True)
class TrainingView:
    """A training (`lab/_training.html`, root id `training`)."""

    job: JobView
    title: str
    about: str
    game: str
    chart: Chart | None
    waiting: str
    axis_url: str | None  # None: generations are always on a linear axis
    axis_name: str
    csv_url: str
    ancestors: tuple[Ancestor, ...]
    slider: int  # index of the chosen one
    chosen: Ancestor | None
    play_url: str
    settings: tuple[str, ...]
    again_url: str
    ask_url: str | None  # to ask a class how soon it learned
    walk: CurvePlayback | None
    poll_url: str | None
    opening_url: str
    present: bool
    present_url: str  # switches projector mode
    single: bool
    unit: str
    latest: int  # step of the last point
    between: int  # points whose brain has to be recomputed
    keep_url: str
    runs: tuple[RunRow, ...]  # of several
    measure: str  # `won`: what the runs are compared by
    with_draws: bool


def training_view(
    record: JobRecord,
    points: tuple[JobPoint, ...],
    kept: frozenset[str],
    query: TrainingQuery,
    player: str | None,
    ask_url: str | None = None,
) -> TrainingView:
    plan, figures = TrainingPlan.of(record), TrainingFigures.of(record)
    unit = unit_of(record)
    single = len(plan.runs) == 1
    measure = chart_measure(points)
    shown = points if query.upto is None or not single else points[: max(1, query.upto)]
    ancestors = _ancestors(record, shown, kept, query, unit) if single else ()
    job = job_view(record, player)
    chosen = next((each for each in ancestors if each.current), None)
    presses = [_press(each, shown, measure) for each in ancestors]
    powers = unit == "games"
    drawn = training_chart(
        plan,
        figures,
        shown,
        unit,
        log=powers and not query.linear,
        presses=[press for press in presses if press],
        measure=measure,
    )
    return TrainingView(
        job=job,
        title=record.title,
        about=_about(record, plan),
        game=plan.game,
        chart=drawn,
        waiting="Nothing has been measured yet: its first games are under way."
        if job.is_active
        else "Nothing was measured.",
        axis_url=query.url(record.id, axis=None if query.linear else "linear") if powers else None,
        axis_name="Steps by powers of ten" if query.linear else "Steps evenly",
        csv_url=url_for("train.as_csv", job_id=record.id),
        ancestors=ancestors,
        slider=ancestors.index(chosen) if chosen else 0,
        chosen=chosen,
        play_url=url_for("train.play", job_id=record.id),
        settings=settings_texts(plan.runs[0].agent) if single else (),
        again_url=f"{url_for('train.form')}?{urlencode(form_fields(plan))}",
        ask_url=ask_url,
        walk=_playback(record, points, query) if single and not job.is_active else None,
        poll_url=query.url(record.id, known=chosen.step if chosen else 0)
        if job.is_active
        else None,
        opening_url=url_for("train.opening", job_id=record.id),
        present=query.present,
        present_url=query.url(record.id, present=None if query.present else 1),
        single=single,
        unit=unit,
        latest=shown[-1].step if shown else 0,
        between=sum(each.digest not in kept for each in shown if each.digest) if single else 0,
        keep_url=url_for("train.keep", job_id=record.id),
        runs=() if single else _runs(plan, figures, measure),
        measure=METRIC_WORDS.get(measure, measure),
        with_draws=any(point.metrics.get("draws") for point in points),
    )


def _about(record: JobRecord, plan: TrainingPlan) -> str:
    """`By playing itself. At it for 14 s. Seed 7: whoever starts it again gets the same.`"""
    variant = variant_title(plan.game)
    title = load_game(plan.game).title
    parts = [] if variant == title else [f"{title}: {variant}."]
    if opponent := _opponent_text(plan):
        parts.append(f"By playing {opponent}.")
    if record.begun is not None:
        lasted = (record.ended or time()) - record.begun
        word = "It took" if record.ended else "At it for"
        parts.append(f"{word} {span(lasted)}.")
    if len(plan.runs) == 1:
        parts.append(f"Seed {plan.runs[0].seed}: whoever starts it again gets the same.")
    return " ".join(parts)


def _opponent_text(plan: TrainingPlan) -> str | None:
    """`itself`, `against Random`: the opponent of all runs; None if they differ or have none."""
    opponents = {all_settings(run.agent).get(OPPONENT) for run in plan.runs}
    if len(opponents) > 1 or (opponent := opponents.pop()) is None:
        return None
    return "itself" if opponent == SELF else f"against {agent_title(opponent, plan.game)}"


def settings_texts(spec: str) -> tuple[str, ...]:
    """`alpha 0.5`, `opponent self`: every training option."""
    return tuple(f"{name.replace('_', ' ')} {text}" for name, text in all_settings(spec).items())


def form_fields(plan: TrainingPlan) -> dict[str, str]:
    """Fields of the form that starts the same training."""
    first = plan.runs[0]
    key, groups = first.agent.partition(":")[0], run_groups(plan)
    tried = varied_settings([all_settings(plan.runs[group.lanes[0]].agent) for group in groups])
    fields = {
        "game": plan.game,
        "learner": key,
        "length": str(plan.length),
        "seed": str(first.seed),
        "seeds": str(len(groups[0].lanes)),
        "grid": " ".join(f"{name}={','.join(texts)}" for name, texts in tried.items()),
    }
    settings = {
        f"{key}.{name}": text
        for name, text in set_options(first.agent).items()
        if name not in tried
    }
    defaults = {"seeds": "1", "grid": ""}
    return {name: text for name, text in fields.items() if defaults.get(name) != text} | settings


def _ancestors(
    record: JobRecord,
    points: tuple[JobPoint, ...],
    kept: frozenset[str],
    query: TrainingQuery,
    unit: str,
) -> tuple[Ancestor, ...]:
    found = [point for point in points if point.digest in kept]
    steps = [point.step for point in found]
    wanted = max((step for step in steps if query.at is None or step <= query.at), default=None)
    return tuple(
        Ancestor(
            point.step,
            counted(point.step, unit.removesuffix("s"), unit),
            _share(point, "wins"),
            _share(point, "draws"),
            _share(point, "losses"),
            query.url(record.id, at=point.step),
            point.step == wanted,
        )
        for point in found
    )


def _metric_text(figure: float, measure: str) -> str:
    return f"{100 * figure:.1f} %" if measure in TONES else f"{figure:.3g}"


def _share(point: JobPoint, name: str) -> str:
    return f"{100 * point.metrics[name]:.0f} %" if name in point.metrics else ""


def _press(ancestor: Ancestor, points: tuple[JobPoint, ...], measure: str) -> Press | None:
    point = next(point for point in points if point.step == ancestor.step)
    height = metric_value(point.metrics, measure)
    if height is None:
        return None
    label = f"After {ancestor.after}: what it thought, and play it"
    return Press(point.step, height, ancestor.url, label, ancestor.current)


def _playback(
    record: JobRecord, points: tuple[JobPoint, ...], query: TrainingQuery
) -> CurvePlayback | None:
    """Playback of the curve; None with a single point."""
    if len(points) < 2:
        return None
    at = len(points) if query.upto is None else min(max(1, query.upto), len(points))
    stops = playback_stops([point.step for point in points])
    before, after = [stop for stop in stops if stop < at], [stop for stop in stops if stop > at]

    def to(upto: int) -> str:
        return query.url(record.id, upto=None if upto >= len(points) else upto)

    every = [
        (1000 * seconds // (len(stops) - 1), f"in {seconds} s") for seconds in PLAYBACK_SECONDS
    ]
    return CurvePlayback(
        first=to(stops[0]) if before else None,
        previous=to(before[-1]) if before else None,
        next=to(after[0]) if after else None,
        last=to(stops[-1]) if after else None,
        count=f"{at} of {len(points)} points",
        speeds=tuple((pause, name, place == 0) for place, (pause, name) in enumerate(every)),
    )


def playback_stops(steps: Sequence[int]) -> list[int]:
    """Numbers of points at which playback stops, at most MAX_STOPS.

    All of a short curve; of a long one the first, those at round steps (1, 2, 5, 10, 20 …), some
    evenly between, the last.
    """
    count = len(steps)
    if count <= MAX_STOPS:
        return list(range(1, count + 1))
    round_ones = [at for at, step in enumerate(steps, 1) if str(step).rstrip("0") in ROUND_DIGITS]
    early = {1, *round_ones[: MAX_STOPS // 2]}
    rest = MAX_STOPS - len(early)
    return sorted(early | {count * at // rest for at in range(1, rest + 1)})


def _runs(plan: TrainingPlan, figures: TrainingFigures, measure: str) -> tuple[RunRow, ...]:
    rows = []
    for group in run_groups(plan):
        for lane in group.lanes:
            share = metric_value(figures.lanes.get(str(lane), {}), measure)
            reached = "–" if share is None else _metric_text(share, measure)
            begun = str(lane) in figures.digests
            rows.append(RunRow(lane + 1, group.name, plan.runs[lane].seed, reached, begun))
    return tuple(rows)
