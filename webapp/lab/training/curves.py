"""The curves of a training: one run with what it won, drew and lost; several, median and range."""

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
from webapp.lab.training.learners import told_in_full

TONES = {WON: "win", NOT_LOST: "win", "draws": "draw", "losses": "loss"}
WORDS = {WON: "won", "draws": "drawn", "losses": "lost"}
SHOWN = {WON: (WON, "draws", "losses"), NOT_LOST: (NOT_LOST, "losses")}  # by what runs go by
MOST_DRAWN, EARLY = 500, 40  # points of a line; the first of them are far apart by powers
CYCLE = ("first", "second", "win", "loss", "draw", "muted")


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that differ by their seed alone."""

    name: str
    lanes: tuple[int, ...]


def curve_of(
    plan: TrainingPlan,
    figures: TrainingFigures,
    points: Sequence[JobPoint],
    unit: str,
    *,
    log: bool,
    presses: Sequence[Press] = (),
    measure: str | None = None,
) -> Chart | None:
    """All that was measured so far; None before anything was. What is charted is what all of a
    training goes by, where only some of it is shown."""
    if not points:
        return None
    title = against(figures.reference)
    measure = measure_of(points) if measure is None else measure
    if len(plan.runs) == 1:
        games = sampled(plan.runs[0].agent)
        if games:
            counted = WORDS.get(measure, measure)
            title = f"{title}: {games} games a point, with the 95 % interval of those {counted}"
        bands = [Band(TONES[measure], intervals(points, games, measure))] if games else []
        return _single(title, points, measure, figures, unit, log=log, presses=presses, bands=bands)
    return _several(title, plan, points, measure, figures, unit, log=log)


def sampled(agent: str) -> int:
    """By how many games a point of this learner's curve was measured; 0 where it is exact."""
    try:
        return find_agent(agent.partition(":")[0]).sampled
    except ZermeloError:  # of a package that is gone
        return 0


def intervals(
    points: Sequence[JobPoint], games: int, measure: str = WON
) -> tuple[tuple[float, float, float], ...]:
    """(step, low, high): where the share of games won (or not lost) lies, with 95 % confidence."""
    found = []
    for point in points:
        if (share := figure_of(point.metrics, measure)) is not None:
            won = round(games * share)
            found.append((float(point.step), *Score(wins=won, losses=games - won).interval()))
    return tuple(found)


def against(reference: str | None) -> str:
    """What the figures are about."""
    return f"Against {reference}, over both seats" if reference else "As it learned"


def measure_of(points: Iterable[JobPoint]) -> str:
    """The one figure that runs are compared by: games won; where none was, but some were drawn
    (nobody wins against a perfect player), games not lost."""
    found = [point.metrics for point in points if point.metrics]
    if not any(WON in metrics for metrics in found):
        return next((name for metrics in found for name in metrics), WON)
    won = any(metrics.get(WON, 0.0) > NEVER for metrics in found)
    drawn = any(metrics.get("draws", 0.0) > NEVER for metrics in found)
    return NOT_LOST if drawn and not won else WON


def figure_of(metrics: Mapping[str, float], measure: str) -> float | None:
    """What was measured by that name; None where nothing was."""
    if measure == NOT_LOST:
        return metrics[WON] + metrics["draws"] if {WON, "draws"} <= metrics.keys() else None
    return metrics.get(measure)


def _single(
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
    found = {name: _line(points, name) for name in SHOWN.get(measure, (measure,))}
    lines = [
        Curve(WORDS.get(name, name), TONES.get(name, "first"), line)
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


def _line(points: Iterable[JobPoint], measure: str) -> tuple[tuple[float, float], ...]:
    found = ((float(point.step), figure_of(point.metrics, measure)) for point in points)
    return tuple((step, figure) for step, figure in found if figure is not None)


def _ceilings(figures: TrainingFigures, measure: str) -> tuple[tuple[str, float], ...]:
    """How good anyone could be by what is charted."""
    return tuple(
        (best.name, best.share) for best in figures.ceilings or () if best.measure == measure
    )


def _thinned(points: Sequence[JobPoint]) -> Sequence[JobPoint]:
    """No more than a screen can show: the early ones, some of the others, and the last."""
    every = -(-len(points) // MOST_DRAWN)
    return [
        point
        for at, point in enumerate(points)
        if at < EARLY or at % every == 0 or at == len(points) - 1
    ]


def _several(
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
    for at, group in enumerate(groups_of(plan)):
        found = spread_of(points, group.lanes, measure)
        if not found:
            continue
        tone = CYCLE[at % len(CYCLE)]
        lines.append(Curve(group.name, tone, tuple((x, mid) for x, _, mid, _ in found)))
        if len(group.lanes) > 1:
            bands.append(Band(tone, tuple((x, low, high) for x, low, _, high in found)))
    if not lines:  # no step yet that all runs of a group have passed
        return None
    how = "median and range of the seeds" if bands else "one line a run"
    what = f"games {WORDS.get(measure, measure)}" if measure in TONES else measure
    return chart(
        f"{title}: {what}, {how}",
        lines,
        x_name=unit,
        log=log,
        percent=measure in TONES,
        ceilings=_ceilings(figures, measure),
        bands=bands,
    )


def spread_of(
    points: Iterable[JobPoint], lanes: Sequence[int], measure: str
) -> list[tuple[float, float, float, float]]:
    """(step, lowest, median, highest) wherever every one of these runs has been."""
    at: dict[int, list[float]] = {}
    for point in points:
        figure = figure_of(point.metrics, measure)
        if point.lane in lanes and figure is not None:
            at.setdefault(point.step, []).append(figure)
    return [
        (float(step), min(seen), float(median(seen)), max(seen))
        for step, seen in sorted(at.items())
        if len(seen) == len(lanes)
    ]


def groups_of(plan: TrainingPlan) -> tuple[Group, ...]:
    """The runs by their parameters, named after those in which they differ."""
    lanes: dict[str, list[int]] = {}
    for lane, run in enumerate(plan.runs):
        lanes.setdefault(run.agent, []).append(lane)
    texts = {spec: told_in_full(spec) for spec in lanes}
    tried = differing(list(texts.values()))
    return tuple(
        Group(
            ", ".join(f"{name} {texts[spec].get(name, 'as usual')}" for name in tried)
            or spec.partition(":")[0],
            tuple(found),
        )
        for spec, found in lanes.items()
    )


def differing(settings: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """The parameters in which runs differ, each with its values in their order."""
    names = dict.fromkeys(name for said in settings for name in said)
    values = {name: tuple(dict.fromkeys(said.get(name, "") for said in settings)) for name in names}
    return {name: found for name, found in values.items() if len(found) > 1}
