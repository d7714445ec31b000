"""Charts of a training: one run with wins, draws and losses; several as median and range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agents.contest.ratings import Score
from agents.roster import agent_title, find_agent
from agents.training.brains import Point
from agents.training.curve_exhibit import NEVER, NOT_LOST, WON
from engine.errors import ZermeloError
from webapp.charts import Band, Chart, ChartLink, Curve, chart
from webapp.charts.curves import (
    Spread,
    lanes_by,
    median_and_range,
    run_lines,
    spread_chart,
    spread_rows,
    tone_at,
)
from webapp.jobs.kinds.training import TrainingFigures, TrainingPlan
from webapp.lab.training.forms import all_settings

TONES = {
    WON: "win",
    NOT_LOST: "win",
    "draws": "draw",
    "losses": "loss",
    "right": "second",
    "searched": "first",
}
SAMPLED_METRICS = (WON, NOT_LOST)  # measured by games, where a learner counts any
METRIC_WORDS = {
    WON: "won",
    "draws": "drawn",
    "losses": "lost",
    "right": "right alone",
    "searched": "right with search",
}
PLOTTED_METRICS = {  # by measure
    WON: (WON, "draws", "losses"),
    NOT_LOST: (NOT_LOST, "losses"),
    "right": ("right", "searched"),
}
MAX_POINTS, EARLY_POINTS = 500, 40  # drawn per curve; the early ones are far apart on a log axis

Measured = tuple[int, Mapping[str, float]]  # a step, and the metrics at it


def training_chart(
    plan: TrainingPlan,
    figures: TrainingFigures,
    points: Sequence[Point],
    unit: str,
    *,
    log: bool,
    presses: Sequence[ChartLink] = (),
    measure: str | None = None,
) -> Chart | None:
    """The chart of all points measured so far; None without any. `measure` overrides the metric."""
    if not points:
        return None
    measure = chart_measure(points) if measure is None else measure
    chart_of = _run_chart if len(plan.runs) == 1 else _comparison_chart
    return chart_of(
        chart_title(figures.reference, plan.game),
        plan,
        points,
        measure,
        presses,
        x_name=unit,
        log=log,
        percent=measure in TONES,
        ceilings=[
            (best.name, best.share) for best in figures.ceilings or () if best.measure == measure
        ],
    )


def _run_chart(
    title: str,
    plan: TrainingPlan,
    points: Sequence[Point],
    measure: str,
    presses: Sequence[ChartLink],
    **options: Any,
) -> Chart | None:
    bands = []
    if measure in SAMPLED_METRICS and (games := games_per_point(plan.runs[0].agent)):
        measured = METRIC_WORDS.get(measure, measure)
        title = f"{title}: {games} games a point, with the 95 % interval of those {measured}"
        bands = [Band(TONES[measure], intervals(points, games, measure))]
    curve = [(point.step, point.metrics) for point in _thinned(points)]
    lines = metric_lines(curve, PLOTTED_METRICS.get(measure, (measure,)))
    if not lines:
        return None
    return chart(title, lines, bands=bands, presses=presses, told=True, **options)


def _comparison_chart(
    title: str,
    plan: TrainingPlan,
    points: Sequence[Point],
    measure: str,
    presses: Sequence[ChartLink],
    **options: Any,
) -> Chart | None:
    spreads = list(_spreads(plan, points, measure))
    if not spreads:  # no step that all runs of a group have reached
        return None
    several = any(spread.runs > 1 for spread in spreads)
    how = "median and range of the seeds" if several else "one line a run"
    what = (
        "positions played right"
        if measure == "right"
        else f"games {METRIC_WORDS.get(measure, measure)}"
        if measure in TONES
        else measure
    )
    return spread_chart(f"{title}: {what}, {how}", spreads, presses=presses, **options)


def games_per_point(agent: str) -> int:
    """Games by which a point of this learner's curve is measured; 0 if exact."""
    try:
        return find_agent(agent.partition(":")[0]).sampled
    except ZermeloError:  # of an uninstalled plug-in
        return 0


def intervals(
    points: Sequence[Point], games: int, measure: str = WON
) -> tuple[tuple[float, float, float], ...]:
    """(step, low, high): 95 % confidence interval of the measure at each point."""
    found = []
    for point in points:
        if (share := metric_value(point.metrics, measure)) is not None:
            won = round(games * share)
            found.append((float(point.step), *Score(wins=won, losses=games - won).interval()))
    return tuple(found)


def chart_title(reference: str | None, game: str) -> str:
    """`Against Random · by heap, over both seats`."""
    if not reference:
        return "As it learned"
    return f"Against {agent_title(reference, game)}, over both seats"


def chart_measure(points: Iterable[Point]) -> str:
    """The metric by which runs are compared: wins, or games not lost if none was won.

    Nobody wins against a perfect player.
    """
    found = [point.metrics for point in points if point.metrics]
    if not any(WON in metrics for metrics in found):
        return next((name for metrics in found for name in metrics), WON)
    won = any(metrics.get(WON, 0.0) > NEVER for metrics in found)
    drawn = any(metrics.get("draws", 0.0) > NEVER for metrics in found)
    return NOT_LOST if drawn and not won else WON


def metric_value(metrics: Mapping[str, float], measure: str) -> float | None:
    """A metric of a point, or None."""
    if measure == NOT_LOST:
        return metrics[WON] + metrics["draws"] if {WON, "draws"} <= metrics.keys() else None
    return metrics.get(measure)


def metric_lines(curve: Sequence[Measured], names: Iterable[str]) -> list[Curve]:
    """A line for each of these metrics that was measured; of draws only where there are any."""
    found = {name: _line(curve, name) for name in names}
    return [
        Curve(METRIC_WORDS.get(name, name), TONES.get(name, "first"), tuple(line))
        for name, line in found.items()
        if line and (name != "draws" or any(share > NEVER for _, share in line))
    ]


def _line(curve: Iterable[Measured], measure: str) -> list[tuple[int, float]]:
    found = ((step, metric_value(metrics, measure)) for step, metrics in curve)
    return [(step, figure) for step, figure in found if figure is not None]


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """At most MAX_POINTS points: the early ones, some of the others, and the last."""
    every = -(-len(points) // MAX_POINTS)
    return [
        point
        for at, point in enumerate(points)
        if at < EARLY_POINTS or at % every == 0 or at == len(points) - 1
    ]


def _spreads(plan: TrainingPlan, points: Sequence[Point], measure: str) -> Iterator[Spread]:
    """Each group of runs, at the steps that all of them have reached."""
    for at, (name, lanes) in enumerate(run_groups(plan).items()):
        lines = run_lines(points, lanes, lambda metrics: metric_value(metrics, measure))
        steps = set.intersection(*({step for step, _ in line} for line in lines))
        if rows := spread_rows(lines, sorted(steps), median_and_range):
            yield Spread(name, tone_at(at), len(lines), rows)


def run_groups(plan: TrainingPlan) -> dict[str, list[int]]:
    """Numbers of the runs with the same parameters, by the names of those that differ."""
    lanes = lanes_by(run.agent for run in plan.runs)
    texts = {spec: all_settings(spec) for spec in lanes}
    tried = varied_settings(list(texts.values()))
    return {
        ", ".join(f"{name} {texts[spec].get(name, 'as usual')}" for name in tried)
        or spec.partition(":")[0]: found
        for spec, found in lanes.items()
    }


def varied_settings(settings: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """The parameters in which runs differ, with their values."""
    names = dict.fromkeys(name for each in settings for name in each)
    values = {name: tuple(dict.fromkeys(each.get(name, "") for each in settings)) for name in names}
    return {name: found for name, found in values.items() if len(found) > 1}
