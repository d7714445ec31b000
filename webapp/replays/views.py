"""Values that the templates of the analysis panel read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents import Candidate
from webapp.boards.scene import BeadCount
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.lines import ExpectedLine
from webapp.web.forms import Choice, OptionField


@dataclass(frozen=True, slots=True)
class Hint:
    """A suggested move and its reason; `move` is None while it is pending."""

    move: str | None
    reason: str
    source: str  # the agent's title
    retry: str | None  # GET with `trigger` while `move` is pending
    trigger: str


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A group of moves that an agent rates equal."""

    move: str  # the chosen one, if it is in the group
    others: tuple[str, ...]
    note: str  # 42 look equal within 3 plies; empty where the others fit beside the move
    glyph: str  # ▲ win, = draw, ▼ loss, ~ not proven
    meaning: str  # win, draw, loss or open: the class and the glyph's name
    value: str  # win in 5, draw, 0.22, −0.12; or the technique's own measure
    fraction: float  # 0 to 1, length of the bar
    chance: str  # 31 %, for each move of the group
    chosen: bool


@dataclass(frozen=True, slots=True)
class Headings:
    """Column headings; a column without one is left out."""

    bar: str  # visits
    figure: str  # value
    chance: str  # played


@dataclass(frozen=True, slots=True)
class Panel:
    """The analysis panel (`replays/_analysis.html`)."""

    title: str  # What Alpha-beta is thinking
    agent: str  # its spec
    analysts: tuple[Choice, ...]  # field `agent`; empty until the panel is requested
    settings: tuple[OptionField, ...] = ()  # of the chosen analyst
    rivals: tuple[Choice, ...] = ()  # field `versus`: a second analyst
    asked: bool = False  # else only a link that requests the panel is shown
    pending: bool = False  # GET `retry` into `target` with `trigger`
    retry: str = ""
    target: str = "#analysis"  # or #match, whose board shows the values too
    trigger: str = ""
    failed: str | None = None  # why there is no analysis
    again: bool = False  # a new analysis, not the one that made the move played here
    before: str = ""  # which move this is about, while the next one is pending
    hurried: bool = False  # a long queue cut the time to think
    reason: str = ""
    balance: float | None = None  # 0 to 1, the first seat's share, where there are values
    verdict: str = ""  # You are ahead (0.28).
    headings: Headings = Headings("", "", "")
    rows: tuple[CandidateRow, ...] = ()  # the choice first, then best first
    evidence: tuple[tuple[str, str], ...] = ()
    effort: str = ""  # It looked at 48,210 positions, 6 plies deep, in 0.21 s.
    tree: str = ""  # address of its textbook search, if it is one
    values: Mapping[str, Candidate[Any]] = field(default_factory=dict)  # by move, for the board
    show_url: str | None = None  # turns the exhibit on or off, if the technique has one
    opened: bool = False  # the exhibit is requested
    exhibit: ExhibitView | None = None
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # beads shown on the board
    line: ExpectedLine | None = None  # the expected line, its own move first
    lesson_url: str | None = None  # after the end: what it would learn from this match


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A group of moves that both analysts rate equal."""

    moves: str
    said: tuple[CandidateRow, CandidateRow]
    chosen: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two analysts side by side on the same position."""

    names: tuple[str, str]
    close: str
    retry: str
    pending: bool = False
    failed: str | None = None
    sentence: str = ""
    headings: tuple[str, str] = ("", "")
    told: tuple[str, ...] = ()  # the effort of each
    rows: tuple[ComparedRow, ...] = ()
