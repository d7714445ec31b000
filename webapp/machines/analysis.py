"""What a machine makes of a position: the request to a worker, and its answer for the page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from agents import Analysis, Candidate, Measure
from agents.entry import Entry
from agents.formats import counted, portion
from agents.roster import agent_spec, agent_title, ready_spec
from agents.search.trace import Algorithm
from agents.training.shipped import known_brain
from engine import Game, Match
from engine.catalog import catalog
from engine.errors import ZermeloError
from engine.options import Values, parse_spec
from webapp.analysis.panel import FAILED
from webapp.analysis.summary import effort_text
from webapp.charts import Chart, Curve, chart
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Settings
from webapp.exhibits.genes import GenesView
from webapp.exhibits.lines import ExpectedLine, expected_line
from webapp.exhibits.matchbox import MatchboxView
from webapp.exhibits.numbers import NumbersView
from webapp.exhibits.policy import PolicyView
from webapp.machines.origins import Showpiece, showpiece
from webapp.machines.query import MachineQuery, machine_path, played_by
from webapp.workers.analyses import MAX_INLINE_TRAINING_S, AnalysisRequest
from webapp.workers.requests import Answer

MAX_ROWS = 6
MAX_NAMED_MOVES = 3  # of a row
WITH_LEARNING_CURVE = (GenesView, MatchboxView, NumbersView, PolicyView)
FIGURE_NAMES = {Measure.VALUE: "value", Measure.VISITS: "visits", Measure.CHANCE: "chance"}
TONES = {"wins": "win", "draws": "draw", "losses": "loss"}


def shown_game(entry: Entry, wanted: str | None) -> Game[Any, Any]:
    """The requested variant if the machine plays it, else the first it plays."""
    played = [variant for game in catalog() for variant in played_by(entry, game)]
    for variant in played:
        if wanted in (variant.spec, variant.key):
            return variant
    return played[0]


class Demonstration:
    """A machine at the position on which its page shows how it thinks."""

    def __init__(self, entry: Entry, query: MachineQuery) -> None:
        self.entry = entry
        self.query = query
        self.game = shown_game(entry, query.game)

    @cached_property
    def agent(self) -> str:
        """Its spec: the requested one if it can be used, else with the defaults."""
        spec = self.query.agent or ""
        if spec.partition(":")[0] == self.entry.key:
            with suppress(ZermeloError):
                return ready_spec(spec, self.game, MAX_INLINE_TRAINING_S)
        return ready_spec(self.entry.key, self.game, MAX_INLINE_TRAINING_S)

    @property
    def piece(self) -> Showpiece:
        return showpiece(self.entry.key, self.game.key)

    @cached_property
    def match(self) -> Match[Any, Any]:
        """The match up to the position; the start if the variant does not allow its moves."""
        try:
            moves = [self.game.parse_move(text) for text in self.piece.moves.split()]
            return Match.replay(self.game, moves)
        except ZermeloError:  # chosen for another variant
            return Match.begin(self.game)

    @property
    def request(self) -> AnalysisRequest:
        return AnalysisRequest(
            game=self.game.spec,
            start=None,
            moves=tuple(map(str, self.match.moves)),
            agent=self.agent,
            seed=f"machines:{self.entry.key}",
            show=self.entry.shows,
        )

    def url(self, **changes: Any) -> str:
        """The page's address with some fields changed."""
        now = {
            "game": self.game.spec,
            "agent": None if self.agent == self.entry.key else self.agent,
        }
        return self.query.url(machine_path(self.entry.key), **(now | changes))

    @property
    def context(self) -> ExhibitContext:
        """The context of the machine's exhibit."""
        return ExhibitContext(
            self.game,
            self.match.state,
            self.query.part,
            self.query.step,
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
    def tree(self) -> str:
        """The address of its search tree in the position editor; empty if it has none."""
        if self.entry.key not in list(Algorithm):
            return ""
        fields = {"game": self.game.spec, "state": str(self.match.state), "agent": self.agent}
        if self.piece.open:
            fields["open"] = self.piece.open
        return f"/positions/tree?{urlencode(fields, safe=':,=/')}"


@dataclass(frozen=True, slots=True)
class SeenMove:
    """A group of moves that a machine rates equal."""

    moves: str
    share: float  # length of its bar, 0 to 1
    figure: str
    chance: str


class Thought:
    """The machine's analysis (`machines/_match.html`); its id `match` is what exhibits target."""

    def __init__(self, shown: Demonstration, answer: Answer[Analysis[Any]] | None) -> None:
        self.shown = shown
        self.url = shown.url()
        self.tree = shown.tree
        self.pending = answer is None
        self.analysis: Analysis[Any] | None = None if answer is None else answer.result
        self.failed = FAILED if self.analysis is None and not self.pending else ""

    @cached_property
    def exhibit(self) -> ExhibitView | None:
        if self.analysis is None or self.analysis.exhibit is None:
            return None
        return exhibit_view(self.analysis.exhibit, self._context)

    @property
    def title(self) -> str:
        return self.exhibit.title if self.exhibit else f"What {self.shown.entry.title} makes of it"

    @property
    def reason(self) -> str:
        """Why, unless the exhibit says the same."""
        assert self.analysis is not None
        is_repeated = (
            isinstance(self.exhibit, GenesView) and self.exhibit.sentence == self.analysis.reason
        )
        return "" if is_repeated else self.analysis.reason

    @property
    def effort(self) -> str:
        """How many positions or games it took, and how deep."""
        assert self.analysis is not None
        return effort_text(self.analysis, timed=False)

    @property
    def figure_name(self) -> str:
        assert self.analysis is not None
        return FIGURE_NAMES.get(self.analysis.measure, self.analysis.measure.value)

    @property
    def rows(self) -> tuple[SeenMove, ...]:
        """The moves, where neither an exhibit nor a tree shows them."""
        return tuple(self._row(group) for group in self._groups[:MAX_ROWS])

    @property
    def more(self) -> str:
        rest = sum(len(group) for group in self._groups[MAX_ROWS:])
        return f"and {counted(rest, 'move', 'moves')} more" if rest else ""

    @property
    def line(self) -> ExpectedLine | None:
        if self.analysis is None or self.exhibit is None:
            return None
        return expected_line(self.analysis.chosen.line, self._context)

    @property
    def chart(self) -> Chart | None:
        """The learning curve, where the exhibit has none."""
        if isinstance(self.exhibit, WITH_LEARNING_CURVE):
            return None
        return _learning_curve(self.shown.entry, self.shown.game)

    @property
    def _context(self) -> ExhibitContext:
        assert self.analysis is not None
        return replace(self.shown.context, choice=str(self.analysis.choice))

    @cached_property
    def _groups(self) -> list[list[Candidate[Any]]]:
        """Groups of candidates with equal figures, best first."""
        if self.analysis is None or self.exhibit or self.tree:
            return []
        groups: dict[tuple[object, ...], list[Candidate[Any]]] = {}
        for each in self.analysis.candidates:
            figures = (each.value, self.analysis.extent(each), each.figure, each.chance)
            groups.setdefault((*figures, each.proven, each.plies), []).append(each)
        return list(groups.values())

    def _row(self, group: list[Candidate[Any]]) -> SeenMove:
        assert self.analysis is not None
        first = group[0]
        names = ", ".join(str(each.move) for each in group[:MAX_NAMED_MOVES])
        more = f" and {len(group) - MAX_NAMED_MOVES} more" if len(group) > MAX_NAMED_MOVES else ""
        share = round(self.analysis.extent(first) or 0.0, 3)
        chance = portion(sum(each.chance for each in group))
        return SeenMove(names + more, share, self.analysis.text(first), chance)


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
