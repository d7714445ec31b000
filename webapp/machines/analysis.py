"""A machine's analysis of its showpiece position, and its learning curve."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from agents import Analysis, Candidate, Measure
from agents.entry import Entry
from agents.formats import counted, portion, told
from agents.roster import agent_spec, agent_title, ready_spec
from agents.search.trace import Algorithm
from agents.training.shipped import known_brain
from engine import Game, Match
from engine.errors import ZermeloError
from engine.options import Values, parse_spec
from webapp.charts import Chart, Curve, chart
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import Settings, Stand
from webapp.exhibits.genes import GenesView
from webapp.exhibits.lines import expected_line
from webapp.exhibits.matchbox import MatchboxView
from webapp.exhibits.numbers import NumbersView
from webapp.machines.links import machine_url
from webapp.machines.origins import Showpiece, showpiece
from webapp.machines.views import SeenMove, ThoughtView
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import ON_THE_SPOT, Question

MAX_SPEC_CHARS = 500
MAX_ROWS = 6
MAX_NAMED_MOVES = 3  # of a row
WITH_LEARNING_CURVE = (GenesView, MatchboxView, NumbersView)
FIGURE_NAMES = {Measure.VALUE: "value", Measure.VISITS: "visits", Measure.CHANCE: "chance"}
TONES = {"wins": "win", "draws": "draw", "losses": "loss"}


@dataclass(frozen=True, slots=True)
class MachineQuery:
    """The query string of a machine's page: variant, settings, selection of the exhibit."""

    entry: Entry
    game: Game[Any, Any]
    agent: str  # its spec
    part: str | None
    step: int | None
    present: bool

    @classmethod
    def parse(cls, entry: Entry, game: Game[Any, Any], fields: Mapping[str, str]) -> MachineQuery:
        """Read these fields; what cannot be read is left out, never an error."""
        spec = fields.get("agent", "")[:MAX_SPEC_CHARS]
        agent = ready_spec(entry.key, game, ON_THE_SPOT)
        if spec.partition(":")[0] == entry.key:
            with suppress(ZermeloError):
                agent = ready_spec(spec, game, ON_THE_SPOT)
        step = fields.get("step", "")
        number = int(step) if step.isascii() and step.isdecimal() and len(step) <= 6 else None
        part = fields.get("part", "")[:16] or None
        return cls(entry, game, agent, part, number, fields.get("present") == "1")

    @property
    def piece(self) -> Showpiece:
        return showpiece(self.entry.key, self.game.key)

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position; the start if the variant does not allow its moves."""
        try:
            moves = [self.game.parse_move(text) for text in self.piece.moves.split()]
            match = Match.replay(self.game, moves)
        except ZermeloError:  # chosen for another variant
            match = Match.begin(self.game)
        return match

    def url(self, **changed: Any) -> str:
        now = {
            "game": self.game.spec,
            "agent": None if self.agent == self.entry.key else self.agent,
            "part": self.part,
            "step": self.step,
            "present": 1 if self.present else None,
        }
        return machine_url(self.entry.key, **(now | changed))

    @property
    def context(self) -> Stand:
        """The context of the machine's exhibit."""
        return Stand(
            self.game,
            self.match.state,
            self.part,
            self.step,
            turn_to=lambda part, step: self.url(part=part, step=step),
            look_at=lambda settings: self.url(agent=self.spec_with(settings)),
            spec_of=self.spec_with,
        )

    def spec_with(self, settings: Settings) -> str:
        """The machine's spec with other settings."""
        key, texts = parse_spec(self.agent)
        options = ",".join(f"{name}={text}" for name, text in (texts | dict(settings)).items())
        return agent_spec(f"{key}:{options}" if options else key, self.game)

    @property
    def question(self) -> Question:
        match = self.match
        return Question(
            game=self.game.spec,
            start=None,
            moves=tuple(map(str, match.moves)),
            agent=self.agent,
            seed=f"machines:{self.entry.key}",
            show=self.entry.shows,
        )

    @property
    def tree(self) -> str:
        """The address of its search tree in the position editor; empty if it has none."""
        if self.entry.key not in list(Algorithm):
            return ""
        return url_for(
            "positions.tree",
            game=self.game.spec,
            state=str(self.match.state),
            agent=self.agent,
            open=self.piece.open or None,
        )


def thought_view(showing: MachineQuery) -> ThoughtView:
    """The machine's analysis of the position; pending until it is ready."""
    title = f"What {showing.entry.title} makes of it"
    try:
        answer = service(WorkerClient).answer(showing.question, Rank.PANEL)
    except BusyError:
        answer = None
    if answer is None:
        return ThoughtView(showing.url(), title, pending=True)
    if answer.analysis is None:
        failed = "It could not be worked out this time."
        return ThoughtView(showing.url(), title, failed=failed)
    return _ready_view(showing, answer.analysis, title)


def _ready_view(query: MachineQuery, analysis: Analysis[Any], title: str) -> ThoughtView:
    context = replace(query.context, choice=str(analysis.choice))
    exhibit = None if analysis.exhibit is None else exhibit_view(analysis.exhibit, context)
    groups = [] if exhibit or query.tree else _equal_groups(analysis)
    rest = sum(len(group) for group in groups[MAX_ROWS:])
    sentence = exhibit.sentence if isinstance(exhibit, GenesView) else ""
    return ThoughtView(
        url=query.url(),
        title=exhibit.title if exhibit else title,
        reason="" if sentence == analysis.reason else analysis.reason,
        effort=_effort_text(analysis),
        figure_name=FIGURE_NAMES.get(analysis.measure, analysis.measure.value),
        rows=tuple(_row(analysis, group) for group in groups[:MAX_ROWS]),
        more=f"and {counted(rest, 'move', 'moves')} more" if rest else "",
        exhibit=exhibit,
        tree=query.tree,
        line=expected_line(analysis.chosen.line, context) if exhibit else None,
        chart=None
        if isinstance(exhibit, WITH_LEARNING_CURVE)
        else _learning_curve(query.entry, query.game),
    )


def _learning_curve(entry: Entry, game: Game[Any, Any]) -> Chart | None:
    """The results against a reference during training; None if it has none."""
    if entry.train is None:
        return None
    brain = known_brain(entry.key, game, Values.defaults(entry.all_options))
    if brain is None or len(brain.curve) < 2 or not brain.reference:
        return None
    return chart(
        f"How it learned: its results against {agent_title(brain.reference, game.spec)}",
        [
            Curve(name, tone, tuple((point.step, point.metrics[name]) for point in brain.curve))
            for name, tone in TONES.items()
            if name in brain.curve[-1].metrics
        ],
        x_name=brain.unit,
        log=brain.unit == "games",
    )


def _equal_groups(analysis: Analysis[Any]) -> list[list[Candidate[Any]]]:
    """Groups of candidates with equal figures, best first."""
    groups: dict[tuple[object, ...], list[Candidate[Any]]] = {}
    for each in analysis.candidates:
        figures = (each.value, analysis.extent(each), each.figure, each.chance)
        groups.setdefault((*figures, each.proven, each.plies), []).append(each)
    return list(groups.values())


def _row(analysis: Analysis[Any], group: list[Candidate[Any]]) -> SeenMove:
    first = group[0]
    names = ", ".join(str(each.move) for each in group[:MAX_NAMED_MOVES])
    more = f" and {len(group) - MAX_NAMED_MOVES} more" if len(group) > MAX_NAMED_MOVES else ""
    extent = analysis.extent(first)
    chance = portion(sum(each.chance for each in group))
    return SeenMove(names + more, round(extent or 0.0, 3), told(analysis, first), chance)


def _effort_text(analysis: Analysis[Any]) -> str:
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    visits = analysis.measure is Measure.VISITS
    what = ("game", "games") if visits else ("position", "positions")
    verb = "played out" if visits else "looked at"
    return f"It {verb} {counted(effort.nodes, *what)}{deep}."
