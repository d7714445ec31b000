"""Charts of a training: one run with wins, draws and losses; several as median and range."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from agents.contest.ratings import Score
from agents.roster import find_agent
from agents.training.curves import NEVER, NOT_LOST, WON
from engine.errors import ZermeloError
from webapp.charts import Band, Chart, Curve, Press, chart
from webapp.jobs.kinds.training import TrainingFigures, TrainingPlan
from webapp.jobs.models import JobPoint
from webapp.lab.training.learners import all_settings

TONES = {WON: "win", NOT_LOST: "win", "draws": "draw", "losses": "loss"}
METRIC_WORDS = {WON: "won", "draws": "drawn", "losses": "lost"}
PLOTTED_METRICS = {WON: (WON, "draws", "losses"), NOT_LOST: (NOT_LOST, "losses")}  # by measure
MAX_POINTS, EARLY_POINTS = 500, 40  # drawn per curve; the early ones are far apart on a log axis
TONE_CYCLE = ("first", "second", "win", "loss", "draw", "muted")


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that differ only by their seed."""

    name: str
    lanes: tuple[int, ...]


def training_chart(
    plan: TrainingPlan,
    figures: TrainingFigures,
    points: Sequence[JobPoint],
    unit: str,
    *,
    log: bool,
    presses: Sequence[Press] = (),
    measure: str | None = None,
) -> Chart | None:
    """The chart of all points measured so far; None without any. `measure` overrides the metric."""
    if not points:
        return None
    title = chart_title(figures.reference)
    measure = chart_measure(points) if measure is None else measure
    if len(plan.runs) == 1:
        games = games_per_point(plan.runs[0].agent)
        if games:
            counted = METRIC_WORDS.get(measure, measure)
            title = f"{title}: {games} games a point, with the 95 % interval of those {counted}"
        bands = [Band(TONES[measure], intervals(points, games, measure))] if games else []
        return _single_run_chart(
            title, points, measure, figures, unit, log=log, presses=presses, bands=bands
        )
    return _multi_run_chart(title, plan, points, measure, figures, unit, log=log)


def games_per_point(agent: str) -> int:
    """Games by which a point of this learner's curve is measured; 0 if exact."""
    try:
        return find_agent(agent.partition(":")[0]).sampled
    except ZermeloError:  # of an uninstalled plug-in
        return 0


def intervals(
    points: Sequence[JobPoint], games: int, measure: str = WON
) -> tuple[tuple[float, float, float], ...]:
    """(step, low, high): 95 % confidence interval of the measure at each point."""
    found = []
    for point in points:
        if (share := metric_value(point.metrics, measure)) is not None:
            won = round(games * share)
            found.append((float(point.step), *Score(wins=won, losses=games - won).interval()))
    return tuple(found)


def chart_title(reference: str | None) -> str:
    return f"Against {reference}, over both seats" if reference else "As it learned"


def chart_measure(points: Iterable[JobPoint]) -> str:
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


def _single_run_chart(
    title: str,
    points: Sequence[JobPoint],
    measure: str,
    figures: TrainingFigures,
    unit: str,
    *,
    log: bool,
    presses: Sequence[Press],
    bands: Sequence[Band],
) -> Chart | None:
    points = _thinned(points)
    found = {name: _curve(points, name) for name in PLOTTED_METRICS.get(measure, (measure,))}
    lines = [
        Curve(METRIC_WORDS.get(name, name), TONES.get(name, "first"), line)
        for name, line in found.items()
        if line
    ]
    if not lines:
        return None
    return chart(
        title,
        lines,
        x_name=unit,
        log=log,
        percent=measure in TONES,
        ceilings=_ceilings(figures, measure),
        presses=presses,
        bands=bands,
        told=True,
    )


def _curve(points: Iterable[JobPoint], measure: str) -> tuple[tuple[float, float], ...]:
    found = ((float(point.step), metric_value(point.metrics, measure)) for point in points)
    return tuple((step, figure) for step, figure in found if figure is not None)


def _ceilings(figures: TrainingFigures, measure: str) -> tuple[tuple[str, float], ...]:
    """The best possible results by this measure."""
    return tuple(
        (best.name, best.share) for best in figures.ceilings or () if best.measure == measure
    )


def _thinned(points: Sequence[JobPoint]) -> Sequence[JobPoint]:
    """At most MAX_POINTS points: the early ones, some of the others, and the last."""
    every = -(-len(points) // MAX_POINTS)
    return [
        point
        for at, point in enumerate(points)
        if at < EARLY_POINTS or at % every == 0 or at == len(points) - 1
    ]


def _multi_run_chart(
    title: str,
    plan: TrainingPlan,
    points: Sequence[JobPoint],
    measure: str,
    figures: TrainingFigures,
    unit: str,
    *,
    log: bool,
) -> Chart | None:
    lines, bands = [], []
    for at, group in enumerate(run_groups(plan)):
        found = run_spread(points, group.lanes, measure)
        if not found:
            continue
        tone = TONE_CYCLE[at % len(TONE_CYCLE)]
        lines.append(Curve(group.name, tone, tuple((x, mid) for x, _, mid, _ in found)))
        if len(group.lanes) > 1:
            bands.append(Band(tone, tuple((x, low, high) for x, low, _, high in found)))
    if not lines:  # no step that all runs of a group have reached
        return None
    how = "median and range of the seeds" if bands else "one line a run"
    what = f"games {METRIC_WORDS.get(measure, measure)}" if measure in TONES else measure
    return chart(
        f"{title}: {what}, {how}",
        lines,
        x_name=unit,
        log=log,
        percent=measure in TONES,
        ceilings=_ceilings(figures, measure),
        bands=bands,
    )


def run_spread(
    points: Iterable[JobPoint], lanes: Sequence[int], measure: str
) -> list[tuple[float, float, float, float]]:
    """(step, lowest, median, highest) at the steps that all of these runs have reached."""
    at: dict[int, list[float]] = {}
    for point in points:
        figure = metric_value(point.metrics, measure)
        if point.lane in lanes and figure is not None:
            at.setdefault(point.step, []).append(figure)
    return [
        (float(step), min(seen), float(median(seen)), max(seen))
        for step, seen in sorted(at.items())
        if len(seen) == len(lanes)
    ]


def run_groups(plan: TrainingPlan) -> tuple[Group, ...]:
    """Runs grouped by parameters, named after those that differ."""
    lanes: dict[str, list[int]] = {}
    for lane, run in enumerate(plan.runs):
        lanes.setdefault(run.agent, []).append(lane)
    texts = {spec: all_settings(spec) for spec in lanes}
    tried = varied_settings(list(texts.values()))
    return tuple(
        Group(
            ", ".join(f"{name} {texts[spec].get(name, 'as usual')}" for name in tried)
            or spec.partition(":")[0],
            tuple(found),
        )
        for spec, found in lanes.items()
    )


def varied_settings(settings: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """The parameters in which runs differ, with their values."""
    names = dict.fromkeys(name for each in settings for name in each)
    values = {name: tuple(dict.fromkeys(each.get(name, "") for each in settings)) for name in names}
    return {name: found for name, found in values.items() if len(found) > 1}
