"""Values that the templates of a match read, with every rule and permission already decided.

Texts are ready to print, addresses are paths of this app; an address that is None is an action
that is not available.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents import Candidate
from engine.core import Seat
from webapp.boards.scene import BeadCount, Board
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.lines import ExpectedLine
from webapp.replays.models import ReplayPlace
from webapp.replays.seats import Player
from webapp.web.forms import Choice, OptionField
from webapp.web.messages import Message
from webapp.web.qr import QrCode


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of the list, linked to the position after it."""

    number: int  # 1 for the first move
    text: str
    url: str
    shown: bool  # the position on the board is the one after this move


@dataclass(frozen=True, slots=True)
class Turn:
    """A row of the move list: the first seat's move, then the second's."""

    number: int
    plies: tuple[Ply | None, Ply | None]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a long move list."""

    label: str  # 41 to 80
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """An agent's due move, requested by POST to `url` with the revision.

    `automatic` replies are requested by htmx (`hx-trigger` is `trigger`); else, and without
    htmx, by a button. Between two agents nothing is automatic: Next is this POST.
    """

    url: str
    title: str  # of the agent that is to move
    automatic: bool
    trigger: str
    label: str = "Let it move"


@dataclass(frozen=True, slots=True)
class Actions:
    """Addresses of the actions this visitor may take; POST with `revision` unless noted."""

    undo: str | None = None
    hint: str | None = None  # GET: the match with the hint
    resign: str | None = None
    rematch: str | None = None  # a new match, same seats
    swap: str | None = None  # in play: change seats; after the end: a new match, seats changed
    play_on: str | None = None  # a match of one's own from the shown ply: field `ply`
    story: str | None = None  # GET: "Where did it turn?"


@dataclass(frozen=True, slots=True)
class Navigation:
    """Links through the plies. Where `next` is None and `reply` is set, Next is that POST."""

    first: str | None
    previous: str | None
    next: str | None
    last: str | None
    reply: str | None  # between two agents, at the last ply, not over


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


@dataclass(frozen=True, slots=True)
class StoryPoint:
    """A point of the story's curve: the value of a position for the first seat."""

    ply: int
    value: float  # -1 to 1
    label: str  # 3. b2: 0.00
    url: str
    turning: bool
    shown: bool  # it is on the board


@dataclass(frozen=True, slots=True)
class StoryMove:
    """A graded move of the match."""

    number: int
    text: str
    mark: str  # whose it was
    grade: str  # best, good, slip, blunder
    better: str  # b2 would have won
    url: str
    decided: bool  # the last move that changed the result
    shown: bool
    value: str = ""  # of the position after it, for the first seat


@dataclass(frozen=True, slots=True)
class CurveLink:
    """A clickable strip of the curve that links to one of its points."""

    at: float  # its left edge
    width: float
    label: str
    url: str
    dot: str  # SVG path of its point
    turning: bool


@dataclass(frozen=True, slots=True)
class StoryView:
    """The story of a match, ply by ply (`replays/_story.html`)."""

    title: str
    pending: bool
    retry: str
    trigger: str
    points: tuple[StoryPoint, ...] = ()
    presses: tuple[CurveLink, ...] = ()  # every point, or the most telling ones
    moves: tuple[StoryMove, ...] = ()  # the shown page, and those that changed the result
    pages: tuple[Page, ...] = ()  # of a long match
    sentence: str = ""  # It turned at move 4: you played b2, where c3 would have won.
    before: str = ""  # Before that the result changed 2 times: …
    begun: str = ""  # the value of the start, for the first seat
    tally: str = ""  # Best moves: you 3 of 3, Opportunist 1 of 2.
    ends: tuple[str, str] = ("", "")  # labels of the curve's upper and lower edge
    source: str = ""  # the agent that rated the moves
    try_again: int | None = None  # the ply before the decisive move: POST it to `play_on`
    play_on: str = ""


@dataclass(frozen=True, slots=True)
class OfferView:
    """An offer of one player to the other; answered by POST with `revision`."""

    text: str  # Friend would like to take back a move.
    accept: str | None  # None: the visitor's own offer
    decline: str
    label: str  # Decline, or Withdraw


@dataclass(frozen=True, slots=True)
class InvitationView:
    """The invitation to the free seat."""

    link: str
    code: QrCode
    withdraw: str
    only_here: bool  # a loopback address that no other device can open


@dataclass(frozen=True, slots=True)
class Company:
    """What a page shows of a friend or to a spectator: polling, offers, invitations."""

    follow: str | None = None  # GET, 204 until something changes
    trigger: str = ""
    refresh: str | None = None  # the same without JavaScript
    offer: OfferView | None = None
    invitation: InvitationView | None = None
    invite: str | None = None  # POST: create an invitation
    next_url: str | None = None  # the rematch
    live_link: str = ""  # absolute


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match at one ply, as one visitor sees it (`replays/_match.html`)."""

    id: str
    path: str  # without a query string
    fields: tuple[tuple[str, str], ...]  # hidden fields for the path's own query string
    url: str  # of the last ply
    requested: str  # the requested address, except for escapes in the path
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
    refused: bool  # the status says why a move was refused
    announcement: str  # for the live region: b2 by Perfect. Your move.
    over: bool  # the match is over and its last ply is shown
    winner: Seat | None
    outcome: str | None  # You win: three in column a
    board: Board
    moves_url: str  # POST `move` and `revision`
    reply: Reply | None
    actions: Actions
    navigation: Navigation
    turns: tuple[Turn, ...]  # of a long match the shown page
    pages: tuple[Page, ...]  # of a long match
    last_move: str | None
    message: Message | None
    hint: Hint | None
    analysis: Panel
    comparison: Comparison | None
    company: Company | None  # None where no one else can join or watch
    carried: tuple[tuple[str, str], ...]  # hidden fields that keep the panels after a change
    aid_url: str  # turns the board's thinking aid on or off
    story: StoryView | None
    values: bool  # the analysis is shown, on the board and in the panel
    values_url: str  # turns that on or off
    present: bool
    present_url: str  # the other mode, at the same ply
    share_url: str  # absolute
    setup_url: str  # the shown position in the editor
    json_url: str
    text_url: str
    ask_url: str | None  # asks a class about the position; None: it is over
    rules_url: str  # dialog: the rules of this variant
    keys_url: str  # dialog: the keyboard shortcuts
    tree_url: str | None  # the textbook search of the shown position
    unadvised: str | None  # why agents give no advice here
    offers_rules: bool  # the game is new to this browser
    place: ReplayPlace | None = None  # of a game that is not stored as a match


@dataclass(frozen=True, slots=True)
class ImportView:
    """The import form (`matches/import.html`): POST `text`."""

    url: str
    text: str
    message: Message | None
