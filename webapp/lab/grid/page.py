"""The page of a validation grid: progress, the best from fresh seeds, heat map, ranked table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from urllib.parse import urlencode

from agents.formats import counted
from agents.grid import AS_GIVEN, FRESH_SEEDS, Axis, Fresh, Grid, Ranked
from agents.runs import read_learner
from agents.training.brains import Point
from agents.training.trainer import length_of
from engine import load_game
from webapp.jobs.kinds.grid import grid_of, metrics_of
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView
from webapp.lab.query import GridQuery
from webapp.lab.training.forms import set_options

SHOWN_ROWS = 25  # of the ranked table, until all are asked for
HEAT_LEVELS = 10


@dataclass(frozen=True, slots=True)
class Row:
    """A setting: rank, parameters, score, score from fresh seeds, and a link to train it."""

    rank: str
    values: tuple[str, ...]
    score: str
    fresh: str
    url: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of the heat map; empty before its runs have ended."""

    text: str
    level: int  # 0 to HEAT_LEVELS - 1
    label: str


class GridPage:
    """A grid (`lab/_grid.html`, root id `grid`)."""

    fresh_seeds = FRESH_SEEDS

    def __init__(
        self,
        path: str,
        record: JobRecord,
        points: Sequence[Point],
        query: GridQuery,
        player: str | None,
        train_url: str,
    ) -> None:
        self.path, self.record, self.query, self.player = path, record, query, player
        self.train_url = train_url
        self.grid, self.found = grid_of(record), metrics_of(points)
        self.is_active = not record.state.is_over
        self.axes = tuple(axis for axis in self.grid.axes if len(axis.values) > 1)

    @cached_property
    def job(self) -> JobView:
        return JobView(self.record, self.player)

    @property
    def poll_url(self) -> str | None:
        return self.query.url(self.path) if self.is_active else None

    @property
    def about(self) -> str:
        """How long each learns, from which seeds, and what the score is."""
        game = load_game(self.grid.game)
        _, _, options = read_learner(self.grid.agent, game)
        unit = length_of(options)
        length = counted(self.grid.length, unit.removesuffix("s"), unit)
        seeds = counted(self.grid.seeds, "seed", "seeds")
        score = (
            " The score is the share of the points, where a draw is half." if self._games else ""
        )
        return f"Each setting learns from {length}, with {seeds}.{score}"

    @cached_property
    def _games(self) -> bool:
        return any("wins" in metrics for metrics in self.found.values())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.grid.axes)

    @cached_property
    def ranking(self) -> tuple[Ranked, ...]:
        return self.grid.ranking(self.found)

    @cached_property
    def _fresh(self) -> Mapping[int, Fresh]:
        return self.grid.fresh(self.found)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        shown = self.ranking if self.query.all else self.ranking[:SHOWN_ROWS]
        return tuple(self._row(str(rank), each.number, each.score) for rank, each in _ranks(shown))

    @property
    def more(self) -> int:
        """Settings that the table leaves out."""
        return len(self.ranking) - len(self.rows)

    @property
    def finalists(self) -> tuple[Row, ...]:
        """The settings trained again, best by the fresh seeds first."""
        scores = {each.number: (rank, each.score) for rank, each in _ranks(self.ranking)}
        order = sorted(self._fresh, key=lambda number: -self._fresh[number].mean)
        return tuple(
            self._row("as given", number, None)
            if number == AS_GIVEN
            else self._row(str(scores[number][0]), number, scores[number][1])
            for number in order
        )

    @property
    def lesson(self) -> str:
        """What the fresh seeds say of the setting that the grid put first."""
        if not self.ranking or self.ranking[0].number not in self._fresh:
            return ""
        best, given = self._fresh[self.ranking[0].number], self._fresh.get(AS_GIVEN)
        drop = self.ranking[0].score - best.mean
        luck = (
            "about what it had in the grid"
            if abs(drop) < (best.high - best.low) / 2
            else f"{'less' if drop > 0 else 'more'} than in the grid, where chance helped choose it"
        )
        text = f"The first of the table scores {self._text(best.mean)} from fresh seeds: {luck}."
        if given is None:
            return text
        if best.low > given.high:
            return f"{text} It beats the setting given, which scores {self._text(given.mean)}."
        if best.high < given.low:
            return f"{text} The setting given is better: {self._text(given.mean)}."
        return f"{text} That is no clear difference to the setting given: {self._text(given.mean)}."

    def _row(self, rank: str, number: int, score: float | None) -> Row:
        parameters, fresh = self.grid.parameters(number), self._fresh.get(number)
        return Row(
            rank,
            tuple(parameters[name] for name in self.names),
            "" if score is None else self._text(score),
            "" if fresh is None else self._fresh_text(fresh),
            self._train_url(number),
        )

    def _text(self, score: float) -> str:
        return f"{100 * score:.1f} %" if self._games else f"{score:.4g}"

    def _fresh_text(self, fresh: Fresh) -> str:
        margin = fresh.high - fresh.mean
        if self._games:
            return f"{100 * fresh.mean:.1f} ± {100 * margin:.1f} %"
        return f"{fresh.mean:.4g} ± {margin:.2g}"

    def _train_url(self, number: int) -> str:
        """The form of a training with this setting."""
        key = self.grid.agent.partition(":")[0]
        fields = {
            "game": self.grid.game,
            "learner": key,
            "length": str(self.grid.length),
            **{f"{key}.{name}": text for name, text in set_options(self.grid.spec(number)).items()},
        }
        return f"{self.train_url}?{urlencode(fields)}"

    @property
    def again_url(self) -> str:
        """The form with the same grid."""
        axes = " ".join(f"{axis.name}={','.join(axis.values)}" for axis in self.grid.axes)
        more = {"grid": axes, "seed": self.grid.seed, "seeds": self.grid.seeds}
        return f"{self._train_url(AS_GIVEN)}&{urlencode(more)}"

    @cached_property
    def across(self) -> Axis:
        """The parameter of the columns."""
        named = {axis.name: axis for axis in self.axes}
        return named.get(self.query.across or "", self.axes[0])

    @cached_property
    def down(self) -> Axis | None:
        """The parameter of the rows; None where only one was tried."""
        named = {axis.name: axis for axis in self.axes if axis is not self.across}
        return named.get(self.query.down or "", next(iter(named.values()), None))

    @property
    def others(self) -> str:
        """`epsilon`: what a field of the map takes together."""
        used = (self.across, self.down)
        return " and ".join(axis.name for axis in self.axes if axis not in used)

    @cached_property
    def heat(self) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
        """(value of the row's parameter, its cells): mean or best score of all that share both."""
        scores: dict[tuple[str, str], list[float]] = {}
        for each in self.ranking:
            row = each.parameters[self.down.name] if self.down else ""
            scores.setdefault((row, each.parameters[self.across.name]), []).append(each.score)
        taken = {
            place: (max if self.query.best else fmean)(found) for place, found in scores.items()
        }
        order = sorted(taken.values()) or [0.0]
        low, high = order[len(order) // 10], order[-1]  # a bad tenth would pale all the rest
        return tuple(
            (
                row,
                tuple(
                    self._cell(row, column, taken.get((row, column)), low, high)
                    for column in self.across.values
                ),
            )
            for row in (self.down.values if self.down else ("",))
        )

    def _cell(self, row: str, column: str, score: float | None, low: float, high: float) -> Cell:
        if score is None:
            return Cell("", 0, "not yet")
        share = max(0.0, score - low) / (high - low) if high > low else 1.0
        text = f"{100 * score:.1f}" if self._games else f"{score:.3g}"
        place = f"{self.across.name} {column}"
        label = f"{self.down.name} {row}, {place}" if self.down else place
        return Cell(text, min(HEAT_LEVELS - 1, int(share * HEAT_LEVELS)), label)


def _ranks(ranking: Sequence[Ranked]) -> Sequence[tuple[int, Ranked]]:
    return list(enumerate(ranking, 1))


def csv_rows(
    grid: Grid, found: Mapping[int, Mapping[str, float]]
) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """(header, rows) of the ranked table."""
    ranking, fresh = grid.ranking(found), grid.fresh(found)
    names = list(dict.fromkeys(name for each in ranking for name in each.metrics))
    header = ("rank", *(axis.name for axis in grid.axes), "score", *names)
    rows: list[tuple[object, ...]] = []
    for rank, each in _ranks(ranking):
        again = fresh.get(each.number)
        figures = ("",) * 3 if again is None else tuple(map(repr, again[:3]))
        values = (each.parameters[axis.name] for axis in grid.axes)
        metrics = (repr(each.metrics.get(name, "")) for name in names)
        rows.append((rank, *values, repr(each.score), *metrics, *figures))
    return (*header, "fresh", "fresh_low", "fresh_high"), rows
