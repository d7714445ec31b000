"""How a machine thinks: what it says and shows of a position worth seeing."""

from __future__ import annotations

from collections.abc import Mapping
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
from webapp.exhibits.lines import played_out
from webapp.exhibits.matchbox import MatchboxView
from webapp.exhibits.numbers import NumbersView
from webapp.machines.links import machine_url
from webapp.machines.origins import Showpiece, showpiece
from webapp.machines.views import SeenMove, ThoughtView
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import ON_THE_SPOT, Question

TONES = {"wins": "win", "draws": "draw", "losses": "loss"}


def learning_curve(entry: Entry, game: Game[Any, Any]) -> Chart | None:
    """Its results against a reference as it learned; None where it does not, or none were taken."""
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


LONGEST_SPEC = 500
MOST_ROWS = 6
NAMED = 3  # moves of a row that are written out
TELL_HOW_THEY_LEARNED = (GenesView, MatchboxView, NumbersView)
FIGURES = {Measure.VALUE: "value", Measure.VISITS: "visits", Measure.CHANCE: "chance"}


@dataclass(frozen=True, slots=True)
class Showing:
    """A machine at a position, as an address asks for it."""

    entry: Entry
    game: Game[Any, Any]
    agent: str  # its spec, as it is set
    part: str | None
    step: int | None
    present: bool

    @classmethod
    def of(cls, entry: Entry, game: Game[Any, Any], fields: Mapping[str, str]) -> Showing:
        """What can be read of these fields; the rest is left out, never an error."""
        asked = fields.get("agent", "")[:LONGEST_SPEC]
        usual = ready_spec(entry.key, game, ON_THE_SPOT)
        agent = usual
        if asked.partition(":")[0] == entry.key:
            try:
                agent = ready_spec(asked, game, ON_THE_SPOT)
            except ZermeloError:
                agent = usual
        step = fields.get("step", "")
        number = int(step) if step.isascii() and step.isdecimal() and len(step) <= 6 else None
        part = fields.get("part", "")[:16] or None
        return cls(entry, game, agent, part, number, fields.get("present") == "1")

    @property
    def piece(self) -> Showpiece:
        return showpiece(self.entry.key, self.game.key)

    @property
    def match(self) -> Match[Any, Any]:
        """The match that led to the position; its game's start where its moves cannot be played."""
        try:
            moves = [self.game.parse_move(text) for text in self.piece.moves.split()]
            match = Match.replay(self.game, moves)
        except ZermeloError:  # another variant than the one it was chosen for
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
    def stand(self) -> Stand:
        """Where its exhibit stands, and the ways from there."""
        return Stand(
            self.game,
            self.match.state,
            self.part,
            self.step,
            turn_to=lambda part, step: self.url(part=part, step=step),
            look_at=lambda settings: self.url(agent=self.set_to(settings)),
            spec_of=self.set_to,
        )

    def set_to(self, settings: Settings) -> str:
        """The spec of this machine, set otherwise."""
        key, texts = parse_spec(self.agent)
        told = ",".join(f"{name}={text}" for name, text in (texts | dict(settings)).items())
        return agent_spec(f"{key}:{told}" if told else key, self.game)

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
        """The address of its search, as the page of the position has it; another room's page."""
        if self.entry.key not in list(Algorithm):
            return ""
        return url_for(
            "positions.tree",
            game=self.game.spec,
            state=str(self.match.state),
            agent=self.agent,
            open=self.piece.open or None,
        )


def thought_of(showing: Showing) -> ThoughtView:
    """What it thinks there, if that is ready; else where to ask again."""
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
    return _told(showing, answer.analysis, title)


def _told(showing: Showing, analysis: Analysis[Any], title: str) -> ThoughtView:
    stand = replace(showing.stand, choice=str(analysis.choice))
    shown = analysis.exhibit
    exhibit = None if shown is None else exhibit_view(shown, stand)
    groups = [] if exhibit or showing.tree else _alike(analysis)
    rest = sum(len(group) for group in groups[MOST_ROWS:])
    said = exhibit.sentence if isinstance(exhibit, GenesView) else ""
    return ThoughtView(
        url=showing.url(),
        title=exhibit.title if exhibit else title,
        reason="" if said == analysis.reason else analysis.reason,
        effort=_effort(analysis),
        figure_name=FIGURES.get(analysis.measure, analysis.measure.value),
        rows=tuple(_row(analysis, group) for group in groups[:MOST_ROWS]),
        more=f"and {counted(rest, 'move', 'moves')} more" if rest else "",
        exhibit=exhibit,
        tree=showing.tree,
        line=played_out(analysis.chosen.line, stand) if exhibit else None,
        chart=None
        if isinstance(exhibit, TELL_HOW_THEY_LEARNED)
        else learning_curve(showing.entry, showing.game),
    )


def _alike(analysis: Analysis[Any]) -> list[list[Candidate[Any]]]:
    """The moves it cannot tell apart together, best first."""
    groups: dict[tuple[object, ...], list[Candidate[Any]]] = {}
    for each in analysis.candidates:
        measured = (each.value, analysis.extent(each), each.figure, each.chance)
        looks = (*measured, each.proven, each.plies)
        groups.setdefault(looks, []).append(each)
    return list(groups.values())


def _row(analysis: Analysis[Any], group: list[Candidate[Any]]) -> SeenMove:
    first = group[0]
    names = ", ".join(str(each.move) for each in group[:NAMED])
    more = f" and {len(group) - NAMED} more" if len(group) > NAMED else ""
    extent = analysis.extent(first)
    chance = portion(sum(each.chance for each in group))
    return SeenMove(names + more, round(extent or 0.0, 3), told(analysis, first), chance)


def _effort(analysis: Analysis[Any]) -> str:
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    visits = analysis.measure is Measure.VISITS
    what = ("game", "games") if visits else ("position", "positions")
    verb = "played out" if visits else "looked at"
    return f"It {verb} {counted(effort.nodes, *what)}{deep}."
