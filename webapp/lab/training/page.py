"""A training as its page shows it: how far it is, its curve, its past, and what can be done."""

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
    TONES,
    WORDS,
    curve_of,
    differing,
    figure_of,
    groups_of,
    measure_of,
)
from webapp.lab.training.learners import OPPONENT, texts_of, told_in_full

SPEEDS = (20, 40, 60)  # seconds in which a curve is played back
ROUND = ("1", "2", "5")
MOST_STOPS = 60  # on the way: each is a page that is asked for


@dataclass(frozen=True, slots=True)
class TrainingLook:
    """What of a training is looked at: the axis, a step of its past, and how much of its curve."""

    linear: bool = False
    at: int | None = None  # a step, for what it then thought
    upto: int | None = None  # so many points of the curve: played back
    present: bool = False  # on a projector

    def url(self, job_id: str, **changes: object) -> str:
        said = {
            "axis": "linear" if self.linear else None,
            "at": self.at,
            "upto": self.upto,
            "present": 1 if self.present else None,
        }
        query = urlencode({k: v for k, v in (said | changes).items() if v is not None})
        address = url_for("jobs.show", job_id=job_id)
        return f"{address}?{query}" if query else address


@dataclass(frozen=True, slots=True)
class PastBrain:
    """A brain on the way, kept to be played."""

    step: int
    after: str  # `10,000 games`
    won: str  # `51 %`
    drawn: str
    lost: str
    url: str  # to look what it thought
    current: bool


@dataclass(frozen=True, slots=True)
class CurveWalk:
    """Playing the stored curve back: where one is, and the steps from there."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    count: str
    speeds: tuple[tuple[int, str, bool], ...]  # milliseconds a stop, `in 20 s`, the usual


@dataclass(frozen=True, slots=True)
class RunRow:
    """One of several runs."""

    number: int  # from 1
    name: str  # the parameters in which it differs
    seed: int
    reached: str  # `51.2 %`, when it was last measured
    begun: bool  # it has learned something that can be kept


@dataclass(frozen=True, slots=True)
class TrainingView:
    """Everything `lab/_training.html` prints (root id `training`)."""

    job: JobView
    title: str
    about: str
    game: str
    chart: Chart | None
    waiting: str
    axis_url: str | None  # None: generations are few, and stand evenly
    axis_name: str
    csv_url: str
    ancestors: tuple[PastBrain, ...]
    slider: int  # the chosen one of them, from 0
    chosen: PastBrain | None
    play_url: str
    settings: tuple[str, ...]
    again_url: str
    ask_url: str | None  # where a class is asked how soon it learned
    walk: CurveWalk | None
    poll_url: str | None
    opening_url: str
    present: bool
    present_url: str  # the same on a projector, or back from there
    single: bool
    unit: str
    latest: int  # the step of the last point
    between: int  # points that are worked out again before they are played
    keep_url: str
    runs: tuple[RunRow, ...]  # of several
    measure: str  # `won`: what they have reached
    with_draws: bool  # some game ended so


def training_view(
    record: JobRecord,
    points: tuple[JobPoint, ...],
    kept: frozenset[str],
    look: TrainingLook,
    player: str | None,
    ask_url: str | None = None,
) -> TrainingView:
    """All of it."""
    plan, figures = TrainingPlan.of(record), TrainingFigures.of(record)
    unit = unit_of(record)
    single = len(plan.runs) == 1
    measure = measure_of(points)
    shown = points if look.upto is None or not single else points[: max(1, look.upto)]
    ancestors = _ancestors(record, shown, kept, look, unit) if single else ()
    job = job_view(record, player)
    chosen = next((each for each in ancestors if each.current), None)
    presses = [_press(each, shown, measure) for each in ancestors]
    powers = unit == "games"
    drawn = curve_of(
        plan,
        figures,
        shown,
        unit,
        log=powers and not look.linear,
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
        axis_url=look.url(record.id, axis=None if look.linear else "linear") if powers else None,
        axis_name="Steps by powers of ten" if look.linear else "Steps evenly",
        csv_url=url_for("train.as_csv", job_id=record.id),
        ancestors=ancestors,
        slider=ancestors.index(chosen) if chosen else 0,
        chosen=chosen,
        play_url=url_for("train.play", job_id=record.id),
        settings=settings_of_run(plan.runs[0].agent) if single else (),
        again_url=f"{url_for('train.form')}?{urlencode(again(plan))}",
        ask_url=ask_url,
        walk=_walk(record, points, look) if single and not job.is_active else None,
        poll_url=look.url(record.id, known=chosen.step if chosen else 0) if job.is_active else None,
        opening_url=url_for("train.opening", job_id=record.id),
        present=look.present,
        present_url=look.url(record.id, present=None if look.present else 1),
        single=single,
        unit=unit,
        latest=shown[-1].step if shown else 0,
        between=sum(each.digest not in kept for each in shown if each.digest) if single else 0,
        keep_url=url_for("train.keep", job_id=record.id),
        runs=() if single else _runs(plan, figures, measure),
        measure=WORDS.get(measure, measure),
        with_draws=any(point.metrics.get("draws") for point in points),
    )


def _about(record: JobRecord, plan: TrainingPlan) -> str:
    """`By playing itself. At it for 14 s. Seed 7: whoever starts it again gets the same.`"""
    variant = variant_title(plan.game)
    title = load_game(plan.game).title
    parts = [] if variant == title else [f"{title}: {variant}."]
    if rival := _rival(plan):
        parts.append(f"By playing {rival}.")
    if record.begun is not None:
        lasted = (record.ended or time()) - record.begun
        word = "It took" if record.ended else "At it for"
        parts.append(f"{word} {span(lasted)}.")
    if len(plan.runs) == 1:
        parts.append(f"Seed {plan.runs[0].seed}: whoever starts it again gets the same.")
    return " ".join(parts)


def _rival(plan: TrainingPlan) -> str | None:
    """`itself`, `against Random`: whom all of its runs learn from; None where they differ, or
    where nobody is chosen to play against."""
    said = {told_in_full(run.agent).get(OPPONENT) for run in plan.runs}
    if len(said) > 1 or (rival := said.pop()) is None:
        return None
    return "itself" if rival == SELF else f"against {agent_title(rival, plan.game)}"


def settings_of_run(spec: str) -> tuple[str, ...]:
    """`alpha 0.5`, `opponent self`: how it learns, every parameter of it."""
    return tuple(f"{name.replace('_', ' ')} {text}" for name, text in told_in_full(spec).items())


def again(plan: TrainingPlan) -> dict[str, str]:
    """The fields of the form that asks for the same, all of its runs."""
    first = plan.runs[0]
    key, groups = first.agent.partition(":")[0], groups_of(plan)
    tried = differing([told_in_full(plan.runs[group.lanes[0]].agent) for group in groups])
    fields = {
        "game": plan.game,
        "learner": key,
        "length": str(plan.length),
        "seed": str(first.seed),
        "seeds": str(len(groups[0].lanes)),
        "grid": " ".join(f"{name}={','.join(texts)}" for name, texts in tried.items()),
    }
    said = {
        f"{key}.{name}": text for name, text in texts_of(first.agent).items() if name not in tried
    }
    usual = {"seeds": "1", "grid": ""}
    return {name: text for name, text in fields.items() if usual.get(name) != text} | said


def _ancestors(
    record: JobRecord,
    points: tuple[JobPoint, ...],
    kept: frozenset[str],
    look: TrainingLook,
    unit: str,
) -> tuple[PastBrain, ...]:
    found = [point for point in points if point.digest in kept]
    steps = [point.step for point in found]
    wanted = max((step for step in steps if look.at is None or step <= look.at), default=None)
    return tuple(
        PastBrain(
            point.step,
            counted(point.step, unit.removesuffix("s"), unit),
            _share(point, "wins"),
            _share(point, "draws"),
            _share(point, "losses"),
            look.url(record.id, at=point.step),
            point.step == wanted,
        )
        for point in found
    )


def _told(figure: float, measure: str) -> str:
    return f"{100 * figure:.1f} %" if measure in TONES else f"{figure:.3g}"


def _share(point: JobPoint, name: str) -> str:
    return f"{100 * point.metrics[name]:.0f} %" if name in point.metrics else ""


def _press(ancestor: PastBrain, points: tuple[JobPoint, ...], measure: str) -> Press | None:
    point = next(point for point in points if point.step == ancestor.step)
    height = figure_of(point.metrics, measure)
    if height is None:
        return None
    label = f"After {ancestor.after}: what it thought, and play it"
    return Press(point.step, height, ancestor.url, label, ancestor.current)


def _walk(record: JobRecord, points: tuple[JobPoint, ...], look: TrainingLook) -> CurveWalk | None:
    """Nothing to walk along where there is but one point."""
    if len(points) < 2:
        return None
    at = len(points) if look.upto is None else min(max(1, look.upto), len(points))
    stops = stops_along([point.step for point in points])
    before, after = [stop for stop in stops if stop < at], [stop for stop in stops if stop > at]

    def to(upto: int) -> str:
        return look.url(record.id, upto=None if upto >= len(points) else upto)

    every = [(1000 * seconds // (len(stops) - 1), f"in {seconds} s") for seconds in SPEEDS]
    return CurveWalk(
        first=to(stops[0]) if before else None,
        previous=to(before[-1]) if before else None,
        next=to(after[0]) if after else None,
        last=to(stops[-1]) if after else None,
        count=f"{at} of {len(points)} points",
        speeds=tuple((pause, name, place == 0) for place, (pause, name) in enumerate(every)),
    )


def stops_along(steps: Sequence[int]) -> list[int]:
    """After how many points a curve is stopped at as it is played back: all of a short one; of a
    long one the first, those at round steps (1, 2, 5, 10, 20 …), some evenly between, the last."""
    count = len(steps)
    if count <= MOST_STOPS:
        return list(range(1, count + 1))
    round_ones = [at for at, step in enumerate(steps, 1) if str(step).rstrip("0") in ROUND]
    early = {1, *round_ones[: MOST_STOPS // 2]}
    room = MOST_STOPS - len(early)
    return sorted(early | {count * at // room for at in range(1, room + 1)})


def _runs(plan: TrainingPlan, figures: TrainingFigures, measure: str) -> tuple[RunRow, ...]:
    rows = []
    for group in groups_of(plan):
        for lane in group.lanes:
            share = figure_of(figures.lanes.get(str(lane), {}), measure)
            reached = "–" if share is None else _told(share, measure)
            begun = str(lane) in figures.digests
            rows.append(RunRow(lane + 1, group.name, plan.runs[lane].seed, reached, begun))
    return tuple(rows)
