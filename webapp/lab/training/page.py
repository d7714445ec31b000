"""The page of a training: progress, chart, ancestors to play, and runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import time

from agents.formats import counted
from agents.roster import agent_title
from agents.training.brains import Point
from agents.training.opponents import SELF
from engine import load_game
from engine.catalog import variant_title
from webapp.charts import Chart, ChartLink
from webapp.charts.curves import Playback, playback
from webapp.jobs.kinds.training import TrainingFigures, TrainingPlan
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView, duration_text, unit_of
from webapp.lab.query import TrainingQuery
from webapp.lab.training.charts import (
    METRIC_WORDS,
    TONES,
    chart_measure,
    metric_value,
    run_groups,
    training_chart,
    varied_settings,
)
from webapp.lab.training.forms import OPPONENT, all_settings, set_options, setting_texts
from webapp.lab.updates.query import UpdatesQuery

PLAYBACK_SECONDS = (20, 40, 60)  # duration of the playback
JUST_ENDED_S = 15.0
ROUND_DIGITS = ("1", "2", "5")
MAX_STOPS = 60  # of the playback: each is a request


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A brain stored on the way, to be played."""

    step: int
    digest: str
    after: str  # `10,000 games`
    figures: tuple[str, ...]  # `51 %`, in the order of the page's columns
    url: str  # of the page with this step chosen
    current: bool


# One of several runs: number, name, seed, `51.2 %` when last measured, whether it has a brain.
RunRow = tuple[int, str, int, str, bool]


class TrainingPage:
    """A training (`lab/_training.html`, root id `training`)."""

    def __init__(
        self,
        path: str,
        record: JobRecord,
        points: tuple[Point, ...],
        kept: frozenset[str],
        query: TrainingQuery,
        player: str | None = None,
        ask_url: str | None = None,
    ) -> None:
        self.path, self.record, self.kept, self.player = path, record, kept, player
        self.ask_url = ask_url  # to ask a class how soon it learned
        self.points = points
        self.plan, self.figures = TrainingPlan.of(record), TrainingFigures.of(record)
        self.single = len(self.plan.runs) == 1
        self.is_active = not record.state.is_over
        at = query.at if query.place is None else self._step_at(query.place)
        self.query = replace(query, at=at, place=None, known=None)
        self.shown = points[: query.upto] if self.single else points
        self.latest = self.shown[-1].step if self.shown else 0
        lost = (each for each in self.shown if each.digest and each.digest not in kept)
        self.between = self.single and any(lost)  # brains of some points have to be recomputed

    def _step_at(self, place: int) -> int | None:
        """The step of a position of the slider."""
        steps = sorted({point.step for point in self.points if point.digest in self.kept})
        return steps[min(place, len(steps) - 1)] if steps else None

    @cached_property
    def job(self) -> JobView:
        return JobView(self.record, self.player)

    @cached_property
    def unit(self) -> str:
        return unit_of(self.record)

    @property
    def about(self) -> str:
        """`By playing itself. At it for 14 s. Seed 7: the same seed gives the same result.`"""
        title, variant = load_game(self.plan.game).title, variant_title(self.plan.game)
        parts = [] if variant == title else [f"{title}: {variant}."]
        if opponent := _opponent_text(self.plan):
            parts.append(f"By playing {opponent}.")
        if self.record.begun is not None:
            lasted = (self.record.ended or time()) - self.record.begun
            word = "It took" if self.record.ended else "At it for"
            parts.append(f"{word} {duration_text(lasted)}.")
        if self.single:
            parts.append(f"Seed {self.plan.runs[0].seed}: the same seed gives the same result.")
        return " ".join(parts)

    @cached_property
    def _measure(self) -> str:
        return chart_measure(self.points)

    @property
    def measure(self) -> str:
        """`won`: what the runs are compared by."""
        return METRIC_WORDS.get(self._measure, self._measure)

    @cached_property
    def chart(self) -> Chart | None:
        presses = (self._press(each) for each in self.ancestors)
        return training_chart(
            self.plan,
            self.figures,
            self.shown,
            self.unit,
            log=self.unit == "games" and not self.query.linear,
            presses=[press for press in presses if press],
            measure=self._measure,
        )

    def _press(self, ancestor: Ancestor) -> ChartLink | None:
        point = next(point for point in self.shown if point.step == ancestor.step)
        height = metric_value(point.metrics, self._measure)
        if height is None:
            return None
        label = f"After {ancestor.after}: what it thought, and play it"
        return ChartLink(point.step, height, ancestor.url, label, ancestor.current)

    @cached_property
    def ancestors(self) -> tuple[Ancestor, ...]:
        if not self.single:
            return ()
        found = [(point, point.digest) for point in self.shown if point.digest in self.kept]
        at = self.query.at
        steps = [point.step for point, _ in found if at is None or point.step <= at]
        chosen = max(steps, default=None)
        return tuple(
            Ancestor(
                point.step,
                str(digest),
                counted(point.step, self.unit.removesuffix("s"), self.unit),
                tuple(_share(point, name) for name, _ in self.columns),
                self.query.url(self.path, at=point.step),
                point.step == chosen,
            )
            for point, digest in found
        )

    @cached_property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """(metric, its word) of what was measured; draws only if there were any."""
        found = {name for point in self.points for name in point.metrics}
        if not any(point.metrics.get("draws") for point in self.points):
            found.discard("draws")
        return tuple((name, word) for name, word in METRIC_WORDS.items() if name in found)

    @cached_property
    def chosen(self) -> Ancestor | None:
        return next((each for each in self.ancestors if each.current), None)

    @property
    def chosen_spec(self) -> str | None:
        """The agent with the brain of the chosen step."""
        return f"{learner_key(self.plan)}:brain={self.chosen.digest}" if self.chosen else None

    @property
    def survived(self) -> str:
        """The opponent that the curve is measured against, if the chosen brain never lost to it."""
        reference, chosen = self.figures.reference, self.chosen
        measured = [each for each in self.points if chosen and each.digest == chosen.digest]
        unbeaten = any(each.metrics.get("losses") == 0 for each in measured)
        return agent_title(reference, self.plan.game) if reference and unbeaten else ""

    @property
    def updates_query(self) -> UpdatesQuery | None:
        """Its next game update by update, from the chosen step; None unless it keeps Q."""
        if self.chosen_spec is None or learner_key(self.plan) != "qlearning":
            return None
        return UpdatesQuery(game=self.plan.game, agent=self.chosen_spec, step=1)

    @property
    def slider(self) -> int:
        """Index of the chosen ancestor."""
        return self.ancestors.index(self.chosen) if self.chosen else 0

    @property
    def settings(self) -> tuple[str, ...]:
        """`Alpha 0.5`, `Opponent self`: every training option of a single run that has a value."""
        found = all_settings(self.plan.runs[0].agent) if self.single else {}
        return setting_texts(learner_key(self.plan), found)

    @property
    def again_fields(self) -> dict[str, str]:
        """Fields of the form that starts the same training."""
        first = self.plan.runs[0]
        key, groups = learner_key(self.plan), run_groups(self.plan)
        agents = [self.plan.runs[lanes[0]].agent for lanes in groups.values()]
        tried = varied_settings([all_settings(agent) for agent in agents])
        fields = {
            "game": self.plan.game,
            "learner": key,
            "length": str(self.plan.length),
            "seed": str(first.seed),
            "seeds": str(len(self.plan.runs) // len(groups)),
            "grid": " ".join(f"{name}={','.join(texts)}" for name, texts in tried.items()),
        }
        settings = {
            f"{key}.{name}": text
            for name, text in set_options(first.agent).items()
            if name not in tried
        }
        defaults = {"seeds": "1", "grid": ""}
        return {
            name: text for name, text in fields.items() if defaults.get(name) != text
        } | settings

    @cached_property
    def playback(self) -> Playback | None:
        """Playback of the curve; None with a single point, and before the end."""
        count = len(self.points)
        if not self.single or self.is_active or count < 2:
            return None
        at = min(self.query.upto or count, count)
        stops = playback_stops([point.step for point in self.points])

        def to(upto: int) -> str:
            return self.query.url(self.path, upto=None if upto >= count else upto)

        speeds = [(1000 * s // (len(stops) - 1), f"in {s} s") for s in PLAYBACK_SECONDS]
        return playback(stops, at, to, f"{at} of {count} points", speeds)

    @property
    def replays_itself(self) -> bool:
        """Whether the playback starts unasked: it has just ended, too fast to be watched."""
        begun, ended = self.record.begun, self.record.ended
        if self.playback is None or self.query.upto is not None or begun is None or ended is None:
            return False
        return ended - begun < PLAYBACK_SECONDS[0] and time() - ended < JUST_ENDED_S

    @property
    def poll_url(self) -> str | None:
        if not self.is_active:
            return None
        return self.query.url(self.path, known=self.chosen.step if self.chosen else 0)

    @property
    def runs(self) -> tuple[RunRow, ...]:
        """The runs of a comparison."""
        if self.single:
            return ()
        return tuple(
            self._run(lane, name) for name, lanes in run_groups(self.plan).items() for lane in lanes
        )

    def _run(self, lane: int, name: str) -> RunRow:
        figure = metric_value(self.figures.lanes.get(str(lane), {}), self._measure)
        if figure is None:
            reached = "–"
        else:
            reached = f"{100 * figure:.1f} %" if self._measure in TONES else f"{figure:.3g}"
        begun = str(lane) in self.figures.digests
        return lane + 1, name, self.plan.runs[lane].seed, reached, begun


def learner_key(plan: TrainingPlan) -> str:
    """The roster's key of who learns."""
    return plan.runs[0].agent.partition(":")[0]


def _opponent_text(plan: TrainingPlan) -> str | None:
    """`itself`, `against Random`: the opponent of all runs; None if they differ or have none."""
    opponents = {all_settings(run.agent).get(OPPONENT) for run in plan.runs}
    if len(opponents) > 1 or (opponent := opponents.pop()) is None:
        return None
    return "itself" if opponent == SELF else f"against {agent_title(opponent, plan.game)}"


def _share(point: Point, name: str) -> str:
    return f"{100 * point.metrics[name]:.0f} %" if name in point.metrics else ""


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
