"""The analysis panel: an agent's candidates, verdict and effort for a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents import Analysis, Candidate
from agents.roster import agent_title
from engine import Game
from webapp.analysis.analysts import analyst_choices, rival_choices, setting_fields
from webapp.analysis.rows import CandidateRow, Headings, candidate_rows, column_headings
from webapp.analysis.verdict import Side, balance, effort_text, position_candidate, verdict_text
from webapp.boards.scene import BeadCount
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.lines import ExpectedLine
from webapp.web.forms import Choice, OptionField

RETRY_TRIGGER = "load delay:300ms"


@dataclass(frozen=True, slots=True)
class PanelLinks:
    """Where the controls of a panel lead."""

    retry: str  # GET into `target` with the panel's trigger while it is pending
    target: str  # #analysis, or #match, whose board shows the values too
    show_url: str | None  # turns the exhibit on or off, if the technique has one
    lesson_url: str | None  # after the end: what it would learn from this match
    tree: str  # address of its textbook search, if it is one


@dataclass(frozen=True)  # no slots: cached properties
class Panel:
    """The analysis panel (`replays/_analysis.html`): not requested, pending, failed or ready."""

    agent: str  # its spec
    game: Game[Any, Any]
    links: PanelLinks
    sides: Sequence[Side]
    asked: bool = True  # else only a link that requests the panel is shown
    present: bool = False  # on a projector, where an analyst can be chosen before it is asked
    versus: str | None = None  # the second analyst
    opened: bool = False  # the exhibit is requested
    pending: bool = False
    failed: str | None = None  # why there is no analysis
    again: bool = False  # a new analysis, not the one that made the move played here
    before: str = ""  # which move this is about, while the next one is pending
    mover: str = ""  # who made that move
    hurried: bool = False  # a long queue cut the time to think
    analysis: Analysis[Any] | None = None
    state: Any = None  # which was analysed
    exhibit: ExhibitView | None = None
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # beads shown on the board
    line: ExpectedLine | None = None  # the expected line, its own move first

    trigger = RETRY_TRIGGER

    @property
    def title(self) -> str:
        if self.before:
            return f"What {self.mover} thought"
        return f"What {agent_title(self.agent, self.game.spec)} is thinking"

    @property
    def retry(self) -> str:
        return self.links.retry

    @property
    def target(self) -> str:
        return self.links.target

    @property
    def show_url(self) -> str | None:
        return self.links.show_url

    @property
    def lesson_url(self) -> str | None:
        return self.links.lesson_url

    @property
    def tree(self) -> str:
        return self.links.tree

    @property
    def analysts(self) -> tuple[Choice, ...]:
        """The field `agent`."""
        return analyst_choices(self.game, self.agent) if self.asked or self.present else ()

    @property
    def settings(self) -> tuple[OptionField, ...]:
        return setting_fields(self.agent) if self.asked else ()

    @property
    def rivals(self) -> tuple[Choice, ...]:
        """The field `versus`."""
        return rival_choices(self.game, self.versus) if self.asked else ()

    @property
    def reason(self) -> str:
        return self.analysis.reason if self.analysis else ""

    @property
    def balance(self) -> float | None:
        """The first seat's share, where there are values."""
        best = position_candidate(self.analysis) if self.analysis else None
        return None if best is None else balance(best, self.state.to_move)

    @cached_property
    def verdict(self) -> str:
        """`You are ahead (0.28).`"""
        if self.analysis is None:
            return ""
        return verdict_text(self.analysis, self.state.to_move, self.sides)

    @cached_property
    def headings(self) -> Headings:
        return column_headings(self.analysis) if self.analysis else Headings("", "", "")

    @cached_property
    def rows(self) -> tuple[CandidateRow, ...]:
        """The choice first, then best first."""
        return candidate_rows(self.analysis, self.state) if self.analysis else ()

    @property
    def evidence(self) -> tuple[tuple[str, str], ...]:
        facts = self.analysis.evidence if self.analysis else ()
        return tuple((fact.name, _number_text(fact.value)) for fact in facts)

    @property
    def effort(self) -> str:
        """`It looked at 48,210 positions, 6 plies deep, in 0.21 s.`"""
        return effort_text(self.analysis) if self.analysis else ""

    @cached_property
    def values(self) -> Mapping[str, Candidate[Any]]:
        """By move, for the board; those of a position before are not for this board."""
        if self.analysis is None or self.before:
            return {}
        return {str(candidate.move): candidate for candidate in self.analysis.candidates}


def _number_text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}".replace("-", "−")
