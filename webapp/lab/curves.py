"""The curves of a training: one run with what it won, drew and lost; several, median and range."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from agents.contest.scores import Score
from agents.roster import find_agent
from engine.errors import ZermeloError
from webapp.charts import Band, Chart, Curve, Press, chart
from webapp.jobs.records import JobPoint
from webapp.jobs.training import TrainingFigures, TrainingPlan
from webapp.lab.learners import told_in_full

TONES = {"wins": "win", "draws": "draw", "losses": "loss"}
WORDS = {"wins": "won", "draws": "drawn", "losses": "lost"}
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
) -> Chart | None:
    """All that was measured so far; None before anything was."""
    if not points:
        return None
    title = against(figures.reference)
    if len(plan.runs) == 1:
        games = sampled(plan.runs[0].agent)
        if games:
            title = f"{title}: {games} games a point, with the 95 % interval of those won"
        bands = [Band(TONES["wins"], intervals(points, games))] if games else []
        return _single(title, points, figures, unit, log=log, presses=presses, bands=bands)
    return _several(title, plan, points, figures, unit, log=log)


def sampled(agent: str) -> int:
    """By how many games a point of this learner's curve was measured; 0 where it is exact."""
    try:
        return find_agent(agent.partition(":")[0]).sampled
    except ZermeloError:  # of a package that is gone
        return 0


def intervals(points: Sequence[JobPoint], games: int) -> tuple[tuple[float, float, float], ...]:
    """(step, low, high): where the share of games won lies, with 95 % confidence."""
    found = []
    for point in points:
        if "wins" in point.metrics:
            won = round(games * point.metrics["wins"])
            found.append((float(point.step), *Score(wins=won, losses=games - won).interval()))
    return tuple(found)


def against(reference: str | None) -> str:
    """What the figures are about."""
    return f"Against {reference}, over both seats" if reference else "As it learned"


def measure_of(points: Iterable[JobPoint]) -> str:
    """The one figure that runs are compared by."""
    names = [name for point in points for name in point.metrics]
    return "wins" if "wins" in names else names[0]


def _single(
    title: str,
    points: Sequence[JobPoint],
    figures: TrainingFigures,
    unit: str,
    *,
    log: bool,
    presses: Sequence[Press],
    bands: Sequence[Band],
) -> Chart:
    points = _thinned(points)
    names = [name for name in points[-1].metrics if name in TONES] or list(points[-1].metrics)[:1]
    shares = names[0] in TONES
    return chart(
        title,
        [
            Curve(
                WORDS.get(name, name),
                TONES.get(name, "first"),
                tuple((p.step, p.metrics[name]) for p in points if name in p.metrics),
            )
            for name in names
        ],
        x_name=unit,
        log=log,
        percent=shares,
        ceilings=(figures.ceilings or ()) if shares else (),
        presses=presses,
        bands=bands,
        told=True,
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
    figures: TrainingFigures,
    unit: str,
    *,
    log: bool,
) -> Chart | None:
    measure = measure_of(points)
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
    said = f"{title}: games won, {how}" if measure == "wins" else f"{title}: {measure}, {how}"
    return chart(
        said,
        lines,
        x_name=unit,
        log=log,
        percent=measure in TONES,
        ceilings=(figures.ceilings or ()) if measure == "wins" else (),
        bands=bands,
    )


def spread_of(
    points: Iterable[JobPoint], lanes: Sequence[int], measure: str
) -> list[tuple[float, float, float, float]]:
    """(step, lowest, median, highest) wherever every one of these runs has been."""
    at: dict[int, list[float]] = {}
    for point in points:
        if point.lane in lanes and measure in point.metrics:
            at.setdefault(point.step, []).append(point.metrics[measure])
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
