"""The analysis panel: an agent's view of a position, and the choice of analysts and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from agents import Analysis, Candidate
from agents.errors import UnsuitableAgentError
from agents.players.spec import is_player
from agents.roster import agent_spec, agent_title, analysts_for, find_agent, ready_spec
from engine import Game
from engine.options import parse_spec
from webapp.analysis.summary import (
    CandidateRow,
    Headings,
    Side,
    balance,
    candidate_rows,
    column_headings,
    effort_text,
    position_candidate,
    verdict_text,
)
from webapp.boards.grid import BeadCount
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.lines import ExpectedLine
from webapp.web.forms import Choice, OptionField, fits, option_fields
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

RETRY_TRIGGER = "load delay:300ms"
FAILED = "It could not be worked out this time."
# Facts that `effort_text` has already.
EFFORT_FACTS = (
    "positions looked at",
    "plies ahead",
    "positions searched",
    "plies looked ahead",
    "games played out",
)
SETTINGS = ("level", "depth", "simulations")  # options of an analyst that the panel can change


@dataclass(frozen=True, slots=True)
class PanelLinks:
    """Where the controls of a panel lead."""

    retry: str = ""  # GET into `target` with the panel's trigger while it is pending
    target: str = ""  # #analysis, or #match, whose board shows the values too
    show_url: str | None = None  # turns the exhibit on or off, if the technique has one
    lesson_url: str | None = None  # after the end: what it would learn from this match
    tree: str = ""  # address of its textbook search, if it is one


@dataclass(frozen=True)  # no slots: cached properties
class Panel:
    """The analysis panel (`replays/_analysis.html`): not requested, pending, failed or ready."""

    agent: str  # its spec
    game: Game[Any, Any]
    links: PanelLinks = PanelLinks()
    sides: Sequence[Side] = ()  # who plays, for the verdict
    asked: bool = True  # else only a link that requests the panel is shown
    present: bool = False  # on a projector, where an analyst can be chosen before it is asked
    versus: str | None = None  # the second analyst
    opened: bool = False  # the exhibit is requested
    pending: bool = False
    failed: str | None = None  # why there is no analysis
    advises: bool = False  # someone else is to move: what it would do in their place
    alone: bool = False  # it is the only machine of the match, so that "it" is clear
    again: bool = False  # a new analysis, not the one that made the move played here
    before: str = ""  # which move this is about, while the next one is pending
    mover: str = ""  # who made that move, or, of a bot, who said this with its move
    hurried: bool = False  # a long queue cut the time to think
    analysis: Analysis[Any] | None = None
    state: Any = None  # which was analysed
    exhibit: ExhibitView | None = None
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # beads shown on the board
    line: ExpectedLine | None = None  # the expected line, its own move first

    trigger = RETRY_TRIGGER

    @property
    def analyst(self) -> str:
        """Title of the agent."""
        return agent_title(self.agent, self.game.spec)

    @property
    def title(self) -> str:
        if self.mover:
            return f"What {self.mover} thought"
        if self.advises:
            return f"What would {'it' if self.alone else self.analyst} do here?"
        return f"What {self.analyst} is thinking"

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
        """Without what the line on its effort says."""
        facts = self.analysis.evidence if self.analysis else ()
        said = EFFORT_FACTS if self.effort else ()
        return tuple(
            (_named(fact.name, self.game), _named(_number_text(fact.value), self.game))
            for fact in facts
            if fact.name not in said
        )

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


def _named(text: str, game: Game[Any, Any]) -> str:
    """The text with an agent's name in place of its spec: `wins against Random`."""
    before, against, spec = text.rpartition("against ")
    if text == "self":
        return "itself"
    if not against or " " in spec:
        return text
    return f"{before}{against}{'itself' if spec == 'self' else agent_title(spec, game.spec)}"


def _number_text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}".replace("-", "−")


def ready_analyst(spec: str, game: Game[Any, Any], settings: Iterable[tuple[str, str]]) -> str:
    """The spec with the query's settings; raises for one that is not asked here.

    That is an agent that would train for long, and a player from outside.
    """
    if is_player(spec):
        raise UnsuitableAgentError("it says what it thinks when it plays, and is not asked again")
    return ready_spec(with_settings(spec, game, settings), game, MAX_INLINE_TRAINING_S)


def with_settings(spec: str, game: Game[Any, Any], settings: Iterable[tuple[str, str]]) -> str:
    """The spec with these settings; raises as `load_agent` does.

    The form sends the settings of the previous analyst, so those that do not fit are ignored.
    """
    key, texts = parse_spec(spec)
    own = {option.name: option for option in find_agent(key).all_options}
    texts |= {name: text for name, text in settings if name in own and fits(own[name], text)}
    options = ",".join(f"{name}={text}" for name, text in texts.items())
    return agent_spec(f"{key}:{options}" if options else key, game)


def analyst_choices(game: Game[Any, Any], chosen: str) -> tuple[Choice, ...]:
    """Every agent that can play this game, the chosen one with its settings."""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, game.spec), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in analysts_for(game)
    )


def rival_choices(game: Game[Any, Any], chosen: str | None) -> tuple[Choice, ...]:
    """The choices of a second analyst to compare with, `nobody` first."""
    if chosen is None:
        nobody = Choice("", "nobody", chosen=True)
        return (nobody, *(Choice(entry.key, entry.title, False) for entry in analysts_for(game)))
    return (Choice("", "nobody", chosen=False), *analyst_choices(game, chosen))


def setting_fields(spec: str) -> tuple[OptionField, ...]:
    """The form fields of the settings that the panel can change, with their current values."""
    key, texts = parse_spec(spec)
    entry = find_agent(key)
    options = tuple(option for option in entry.options if option.name in SETTINGS)
    titles = {level.name: level.title for level in entry.levels}
    return tuple(
        replace(
            field,
            name=field.option.name,
            choices=tuple(
                replace(choice, label=titles.get(choice.value, choice.label))
                for choice in field.choices
            ),
        )
        for field in option_fields(options, {}, "analyst", texts)
    )
