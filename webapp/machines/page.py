"""The page of a machine: description, an analysis of a position, results, levels, parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agents import Analysis
from agents.contest.ratings import Score
from agents.contest.strength import MeasuredField, measured_fields, strength_of
from agents.export import can_export
from agents.formats import counted, portion
from agents.roster import agent_spec, find_agent
from engine import Game
from engine.catalog import catalog, find_entry, variant_title
from engine.options import Kind, Option
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.charts.meter import Meter, strength_meter
from webapp.exhibits.exhibit import Link
from webapp.machines.analysis import Demonstration, Thought
from webapp.machines.origins import ORIGINS, TAGLINES
from webapp.machines.query import (
    GALLERY_PATH,
    MachineQuery,
    machine_path,
    machine_url,
    play_url,
    played_by,
    watch_url,
)
from webapp.machines.verdict import verdict
from webapp.questions.learning import curve_question
from webapp.questions.query import ask_url
from webapp.web.navigation import lesson_url
from webapp.workers.requests import Answer

MAX_NAMES = 3
UNMEASURED = "Not measured: a strength is known only of machines and variants that come along."


class MachinePage:
    """`GET /machines/<key>`; without an answer of a worker the analysis is pending."""

    gallery_url = GALLERY_PATH

    def __init__(self, shown: Demonstration, answer: Answer[Analysis[Any]] | None) -> None:
        self.shown = shown
        self.entry = shown.entry
        self.thought = Thought(shown, answer)
        self.present = shown.query.present
        self.present_url = shown.query.toggled(machine_path(shown.entry.key), "present")
        self.game = shown.game.spec
        self.title = self.entry.title
        self.description = self.entry.description
        self.technique = self.entry.technique.value.capitalize()
        self.tagline = TAGLINES[self.entry.technique]
        self.origin = ORIGINS.get(self.entry.key)
        self.play_url = play_url(self.entry.key, shown.game)
        self.watch_url = watch_url(self.entry.key, shown.game)
        self.think_url = f"{machine_path(self.entry.key)}/think"
        self.lesson_url = lesson_url(self.entry.key, self.game)
        self.source_url = None
        if can_export(self.entry, shown.game):
            self.source_url = MachineQuery(game=self.game).url(
                f"{machine_path(self.entry.key)}/source"
            )

    @property
    def games(self) -> tuple[Link, ...]:
        """The games it plays."""
        path = machine_path(self.entry.key)
        return tuple(
            Link(
                each.title,
                MachineQuery(game=played[0].spec, present=self.present).url(path),
                current=each.key == self.shown.game.key,
            )
            for each in catalog()
            if (played := played_by(self.entry, each))
        )

    @property
    def variant(self) -> str:
        """The title of the shown game and variant."""
        return f"{find_entry(self.shown.game.key).title}, {variant_title(self.game)}"

    @property
    def why(self) -> str:
        """Why this position is shown."""
        is_showpiece = self.shown.match.moves or not self.shown.piece.moves
        return self.shown.piece.why if is_showpiece else "How a game begins."

    @property
    def picture(self) -> Board:
        match = self.shown.match
        return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)

    @cached_property
    def results(self) -> tuple[VariantResults, ...]:
        """In each measured variant of the game."""
        return tuple(
            VariantResults(self.entry.key, field, meter)
            for field in measured_fields().values()
            if field.game.partition(":")[0] == self.shown.game.key
            and (meter := strength_meter(field.strength(self.entry.key))) is not None
        )

    @property
    def unmeasured(self) -> str:
        return "" if self.results else UNMEASURED

    @property
    def levels(self) -> tuple[LevelRow, ...]:
        return tuple(_levels(self.entry.key, self.shown.game))

    @property
    def parameters(self) -> tuple[ParameterRow, ...]:
        return tuple(_parameter(option) for option in self.entry.all_options)

    @property
    def presets(self) -> tuple[PresetRow, ...]:
        return tuple(
            PresetRow(
                f"{self.entry.key}:preset={preset.name}",
                preset.title,
                ", ".join(f"{name}={text}" for name, text in preset.texts),
            )
            for preset in self.entry.presets
        )

    @property
    def ask_url(self) -> str | None:
        """Asks a class how it learned; None without a learning curve."""
        question = curve_question(self.game, self.entry.key)
        return None if question is None else ask_url(question)


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """A machine's games against one opponent."""

    title: str
    url: str
    share: float
    points: str
    record: str  # 7 wins, 2 draws, 1 loss


class VariantResults:
    """A machine's results in one variant, by opponent."""

    def __init__(self, key: str, field: MeasuredField, meter: Meter) -> None:
        self.meter = meter
        self.title = variant_title(field.game)
        found = verdict(key, field.game)
        self.verdict = f"{found[0].upper()}{found[1:]}." if found else ""
        met = [(other, score) for other, score in field.met(key) if other in field.agents]
        met.sort(key=lambda found: (-found[1].rate, found[0]))
        self.extremes = extremes_text(met)
        self.rows = tuple(_opponent(other, score, field.game) for other, score in met)


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One level of a machine."""

    title: str
    description: str
    meter: Meter | None
    play_url: str


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """An option that the roster declares."""

    name: str
    help: str
    values: str
    usual: str


@dataclass(frozen=True, slots=True)
class PresetRow:
    """Options under one name."""

    spec: str
    title: str
    options: str


def extremes_text(met: Sequence[tuple[str, Score]]) -> str:
    """Whom it scores best and worst against; `met` is sorted, best first."""
    best, worst = met[0][1].rate, met[-1][1].rate
    if best == worst:
        return f"Against {_names_text(met, best)}: {portion(best)} of the points."
    return (
        f"Best against {_names_text(met, best)}: {portion(best)} of the points. "
        f"Worst against {_names_text(met, worst)}: {portion(worst)} of the points."
    )


def _names_text(met: Sequence[tuple[str, Score]], rate: float) -> str:
    """All opponents against whom it scored this rate: `Random, Minimax and 3 others`."""
    names = [find_agent(other).title for other, score in met if score.rate == rate]
    if len(names) == len(met) > 1:
        return "everyone"
    if len(names) > MAX_NAMES:
        names = [*names[: MAX_NAMES - 1], f"{len(names) - MAX_NAMES + 1} others"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _opponent(other: str, score: Score, game: str) -> OpponentRow:
    record = (
        f"{counted(score.wins, 'win', 'wins')}, {counted(score.draws, 'draw', 'draws')}, "
        f"{counted(score.losses, 'loss', 'losses')}"
    )
    share = round(score.rate, 4)
    url = machine_url(other, game)
    return OpponentRow(find_agent(other).title, url, share, portion(score.rate), record)


def _levels(key: str, game: Game[Any, Any]) -> Iterator[LevelRow]:
    for level in find_agent(key).levels:
        spec = f"{key}:level={level.name}"
        meter = strength_meter(strength_of(agent_spec(spec, game), game.spec))
        yield LevelRow(level.title, level.description, meter, play_url(spec, game))


def _parameter(option: Option) -> ParameterRow:
    values = " or ".join(option.choices) if option.kind is Kind.CHOICE else option.wants
    usual = "none" if option.default in (None, "") else option.write(option.default)
    return ParameterRow(option.label, option.help, values, usual)
