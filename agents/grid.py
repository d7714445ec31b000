"""A validation grid: a learner trained with every combination of some parameters, ranked by score.

The best of a thousand is partly lucky, so the first few are trained again from seeds that the grid
did not use, beside the setting that it began with. A run is independent of all others, so a grid
can be cut anywhere and resumed to the same result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import product
from math import prod, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from agents.roster import read_agent
from agents.runs import read_learner
from engine.catalog import load_game
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Role, parse_spec

MAX_COMBINATIONS = 1_000
FINALISTS = 5  # settings that are trained again
FRESH_SEEDS = 20
T_95 = 2.093  # Student's t at 19 degrees of freedom, two-sided 95 %
AS_GIVEN = -1  # the number of the setting that the grid began with

NUMBER = r"-?\d+(?:\.\d+)?"
RANGE = re.compile(rf"({NUMBER}):({NUMBER}):({NUMBER})")  # low:high:step

Metrics = Mapping[str, float]


class Axis(NamedTuple):
    """A parameter and the values to try, as texts."""

    name: str
    values: tuple[str, ...]


class Fresh(NamedTuple):
    """The mean score over fresh seeds, with its 95 % interval."""

    mean: float
    low: float
    high: float
    seeds: int


class Ranked(NamedTuple):
    """A setting of the grid with its mean score and metrics over the grid's seeds."""

    number: int  # of the combination, or AS_GIVEN
    parameters: Mapping[str, str]
    score: float
    metrics: Metrics


@dataclass(frozen=True)
class Grid:
    """What is tried: runs are numbered by combination and seed, those from fresh seeds after."""

    game: str
    agent: str  # the spec that the grid began with, without its length
    axes: tuple[Axis, ...]
    length: int  # of each training
    seed: int = 1
    seeds: int = 1  # runs of each combination

    @cached_property
    def combinations(self) -> tuple[dict[str, str], ...]:
        return combinations_of(self.axes)

    @property
    def grid_runs(self) -> int:
        """Runs of the combinations, without those from fresh seeds."""
        return len(self.combinations) * self.seeds

    @property
    def total(self) -> int:
        """All runs."""
        return self.grid_runs + len(self.candidates(range(FINALISTS))) * FRESH_SEEDS

    def candidates(self, best: Sequence[int]) -> tuple[int, ...]:
        """The settings to train again: the one given, then the best combinations."""
        return (AS_GIVEN, *best[: min(FINALISTS, len(self.combinations))])

    def spec(self, number: int) -> str:
        """The agent with the parameters of a combination."""
        if number == AS_GIVEN:
            return self.agent
        key, texts = parse_spec(self.agent)
        return _written(key, texts | self.combinations[number])

    def run(self, run: int, candidates: Sequence[int] = ()) -> tuple[str, int]:
        """(spec, seed) of a run; fresh seeds are those that no combination was tried with."""
        if run < self.grid_runs:
            number, at = divmod(run, self.seeds)
            return self.spec(number), self.seed + at
        place, at = divmod(run - self.grid_runs, FRESH_SEEDS)
        return self.spec(candidates[place]), self.seed + self.seeds + at

    def parameters(self, number: int) -> dict[str, str]:
        """The values of the axes in a setting; of the one given, defaults included."""
        if number != AS_GIVEN:
            return self.combinations[number]
        entry, values = read_agent(self.agent, load_game(self.game))
        written = {option.name: option.write(values[option.name]) for option in entry.options}
        return {axis.name: written[axis.name] for axis in self.axes}

    def ranking(self, found: Mapping[int, Metrics]) -> tuple[Ranked, ...]:
        """The combinations of which every seed has ended, best first."""
        ranked = []
        for number, parameters in enumerate(self.combinations):
            runs = range(number * self.seeds, (number + 1) * self.seeds)
            if all(run in found for run in runs):
                metrics = mean_metrics([found[run] for run in runs])
                ranked.append(Ranked(number, parameters, score_of(metrics), metrics))
        return tuple(sorted(ranked, key=lambda each: (-each.score, each.number)))

    def best(self, found: Mapping[int, Metrics]) -> tuple[int, ...]:
        """The numbers of the finalists."""
        return tuple(each.number for each in self.ranking(found)[:FINALISTS])

    def fresh(self, found: Mapping[int, Metrics]) -> dict[int, Fresh]:
        """[setting] -> its score over fresh seeds, of those for which all have ended."""
        if any(run not in found for run in range(self.grid_runs)):
            return {}
        measured = {}
        for place, number in enumerate(self.candidates(self.best(found))):
            first = self.grid_runs + place * FRESH_SEEDS
            runs = range(first, first + FRESH_SEEDS)
            if all(run in found for run in runs):
                measured[number] = _interval([score_of(found[run]) for run in runs])
        return measured


def combinations_of(axes: Sequence[Axis]) -> tuple[dict[str, str], ...]:
    """Every combination of the values, the last parameter changing fastest."""
    names = [axis.name for axis in axes]
    values = product(*(axis.values for axis in axes))
    return tuple(dict(zip(names, found, strict=True)) for found in values)


def read_axes(text: str) -> tuple[Axis, ...]:
    """`alpha=0.1:1:0.1,epsilon=0.2,0.4` -> the values of each; raises InvalidSpecError.

    low:high:step includes both ends; parameters are separated by commas, spaces or semicolons.
    """
    axes: dict[str, list[str]] = {}
    name = ""
    for part in re.split(r"[,;\s]+", text.strip()) if text.strip() else []:
        before, equals, value = part.partition("=")
        if equals:
            name = before
        else:
            value = part
        if not name or not value or (equals and name in axes):
            why = (
                f"{part!r} is no parameter with values: write alpha=0.1,0.5,0.9 or alpha=0.1:1:0.1"
            )
            raise InvalidSpecError(part, why)
        axes.setdefault(name, []).extend(_values(part, value))
    return tuple(Axis(name, tuple(dict.fromkeys(values))) for name, values in axes.items())


def _values(part: str, text: str) -> list[str]:
    found = RANGE.fullmatch(text)
    if found is None:
        return [text]
    low, high, step = map(Decimal, found.groups())
    if step <= 0 or high < low or (high - low) / step >= MAX_COMBINATIONS:
        why = f"{part!r} is no range: low:high:step, of at most {MAX_COMBINATIONS:,} values"
        raise InvalidSpecError(part, why)
    count = int((high - low) / step) + 1
    return [format((low + step * at).normalize(), "f") for at in range(count)]


def read_grid(
    game: Game[Any, Any], spec: str, text: str, *, length: int, seed: int = 1, seeds: int = 1
) -> Grid:
    """The grid over these axes, each combination checked; raises InvalidSpecError."""
    axes = read_axes(text)
    if not axes:
        raise InvalidSpecError(text, "a grid has one parameter at least: alpha=0.1:1:0.1")
    if prod(len(axis.values) for axis in axes) * seeds > MAX_COMBINATIONS:
        why = f"a grid has at most {MAX_COMBINATIONS:,} runs, and this one has more"
        raise InvalidSpecError(text, why)
    key, _, options = read_learner(spec, game)
    trained = options.of(Role.TRAINING)
    if unknown := next((axis.name for axis in axes if axis.name not in trained), None):
        why = f"{key} has no parameter {unknown}: it has {', '.join(trained)}"
        raise InvalidSpecError(unknown, why)
    entry, _ = read_agent(spec, game)
    grid = Grid(game.spec, spec, axes, length, seed, seeds)
    for number in range(len(grid.combinations)):
        _, values = read_agent(grid.spec(number), game)
        entry.suits(game, values)
    return grid


def score_of(metrics: Metrics) -> float:
    """What settings are ranked by: the share of the points, a draw half; else the first metric."""
    if "wins" in metrics:
        return metrics["wins"] + metrics.get("draws", 0.0) / 2
    return next(iter(metrics.values()), 0.0)


def mean_metrics(found: Sequence[Metrics]) -> dict[str, float]:
    return {name: fmean(metrics[name] for metrics in found) for name in found[0]}


def _interval(scores: Sequence[float]) -> Fresh:
    mean, margin = fmean(scores), T_95 * stdev(scores) / sqrt(len(scores))
    return Fresh(mean, mean - margin, mean + margin, len(scores))


def _written(key: str, texts: Mapping[str, str]) -> str:
    return f"{key}:{','.join(f'{name}={text}' for name, text in texts.items())}"
