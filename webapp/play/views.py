"""What templates are given: frozen values with every rule and permission already decided.

Every text is ready to print and every address is a path of this app. An address that is None is
an action that is not there now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents import Candidate
from engine.core import Seat
from webapp.boards.board import Board
from webapp.play.seats import Player
from webapp.web.fields import Choice
from webapp.web.messages import Message


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of the list, with the address of the position after it."""

    number: int  # 1 for the first move
    text: str
    url: str
    shown: bool  # the position on the board is the one after this move


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the move list: what first played, then second."""

    number: int
    plies: tuple[Ply | None, Ply | None]


@dataclass(frozen=True, slots=True)
class Reply:
    """A move the other side owes. Asked for by POST to `url` with the revision.

    `automatic` replies ask for themselves (`hx-trigger` is `trigger`); without htmx the button
    *Let it move* is shown. In AI against AI nothing is automatic: Next is this POST.
    """

    url: str
    title: str  # of the agent that is to move
    automatic: bool
    trigger: str


@dataclass(frozen=True, slots=True)
class Actions:
    """Addresses of what this visitor may do now. All are POST with `revision` but `hint`."""

    undo: str | None = None
    hint: str | None = None  # GET; the match with the hint shown
    resign: str | None = None
    rematch: str | None = None  # a new match, same seats
    swap: str | None = None  # in play: change seats here; after the end: a new match, seats changed
    play_on: str | None = None  # POST: a match of one's own from the shown ply; field `ply`
    story: str | None = None  # GET; "Where did it turn?"


@dataclass(frozen=True, slots=True)
class Navigation:
    """Walking through the plies. Where `next` is None and `reply` is set, Next is that POST."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    reply: str | None  # AI against AI, at the last ply, not over


@dataclass(frozen=True, slots=True)
class Hint:
    """A move worth considering, and why. `move` is None while it is being worked out."""

    move: str | None
    reason: str
    source: str  # the agent's title
    retry: str | None  # GET again here, with `trigger`, while it is None
    trigger: str


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One legal move as an agent sees it. `glyph` is ▲ win, = draw, ▼ loss, ~ not proven."""

    move: str
    glyph: str
    meaning: str  # win, draw, loss or open: the class and the glyph's name
    value: str  # win in 5, draw, 0.22, −0.12; or the share of what its technique goes by
    fraction: float  # 0 to 1, for a bar
    chosen: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """What an agent thinks of the shown position (`play/_analysis.html`)."""

    title: str  # What Alpha-beta is thinking
    analysts: tuple[Choice, ...]  # once asked, every agent that can play this game: `agent`
    asked: bool = False  # without it there is only the offer to ask
    pending: bool = False  # not worked out yet: GET `retry` into `target` with `trigger`
    retry: str = ""
    target: str = "#analysis"  # or #match, whose board shows the values too
    trigger: str = ""
    failed: str | None = None  # why there is nothing to show
    again: bool = False  # a move was made here, and this is not the thought that made it
    hurried: bool = False  # many were waiting, so it was given half a second
    reason: str = ""
    balance: float | None = None  # 0 to 1, the first seat's share, where there are values
    verdict: str = ""  # You are ahead (0.28).
    rows: tuple[CandidateRow, ...] = ()
    expects: str = ""  # d5-a5 · e1-a1 · e4-a4, the chosen move first
    evidence: tuple[tuple[str, str], ...] = ()
    effort: str = ""  # It looked at 48,210 positions, 6 plies deep, in 0.21 s.
    tree: str = ""  # the address of its search as textbooks have it, where it searches so
    values: Mapping[str, Candidate[Any]] = field(default_factory=dict)  # by move, for the board


@dataclass(frozen=True, slots=True)
class StoryPoint:
    """The worth of one position for the first seat, as a point of the curve."""

    ply: int
    value: float  # -1 to 1
    label: str  # 3. b2: 0.00
    url: str
    turning: bool
    shown: bool  # it stands on the board


@dataclass(frozen=True, slots=True)
class StoryMove:
    """One move of the match as the review judges it."""

    number: int
    text: str
    mark: str  # whose it was
    grade: str  # best, good, slip, blunder
    better: str  # b2 would have won
    url: str
    decided: bool  # nothing after it changed the result
    shown: bool


@dataclass(frozen=True, slots=True)
class StoryView:
    """How a match went, ply by ply (`play/_story.html`)."""

    title: str
    pending: bool
    retry: str
    trigger: str
    points: tuple[StoryPoint, ...] = ()
    moves: tuple[StoryMove, ...] = ()
    sentence: str = ""  # It turned at ply 4: you played b2, where c3 would have won.
    before: str = ""  # Before that the result changed 2 times: …
    tally: str = ""  # Best moves: you 3 of 3, Opportunist 1 of 2.
    ends: tuple[str, str] = ("", "")  # what the curve's upper and lower edge mean
    source: str = ""  # by whose values
    try_again: int | None = None  # the ply before the move that decided: POST it to `play_on`
    play_on: str = ""


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match at one ply, as one visitor sees it (`play/_match.html`)."""

    id: str
    path: str  # of the match, whatever is looked at
    url: str  # of the match at its last ply
    requested: str  # the address this answers, as the browser wrote it but for the path's escapes
    game: str  # key
    game_title: str
    spec: str
    variant: str  # Marienbad, last loses
    title: str  # You against Perfect
    players: tuple[Player, Player]
    ply: int  # shown
    last_ply: int
    revision: int
    live: bool  # the shown ply is the last
    may_move: bool
    read_only: bool  # someone else's match
    watching: bool  # two agents
    to_move: Seat | None  # at the shown ply; None when it is over there
    status: str  # Your move · Perfect is thinking · You win: three in column a
    announcement: str  # for the live region: b2 by Perfect. Your move.
    over: bool  # the match is over and its end is shown
    winner: Seat | None
    outcome: str | None  # You win: three in column a
    board: Board
    moves_url: str  # POST `move` and `revision`
    reply: Reply | None
    actions: Actions
    navigation: Navigation
    turns: tuple[Turn, ...]
    last_move: str | None
    message: Message | None
    hint: Hint | None
    analysis: Panel
    story: StoryView | None
    values: bool  # what the agent thinks is shown, on the board and in the panel
    values_url: str  # the same ply with that turned on or off
    present: bool
    present_url: str  # the other mode, at the same ply
    share_url: str  # absolute
    json_url: str
    text_url: str


@dataclass(frozen=True, slots=True)
class ImportView:
    """The form that reads a match back (`play/import.html`): POST `text`."""

    url: str
    text: str
    message: Message | None
