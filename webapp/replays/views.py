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
from webapp.boards.scene import BeadCount, Board
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.lines import ExpectedLine
from webapp.replays.models import ReplayPlace
from webapp.replays.seats import Player
from webapp.web.forms import Choice, OptionField
from webapp.web.messages import Message
from webapp.web.qr import Code


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
class Page:
    """A part of a long list of moves, reached by its first move."""

    label: str  # 41 to 80
    url: str
    current: bool


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
    label: str = "Let it move"


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
    """A move as an agent sees it, with those that look just like it.

    `glyph` is ▲ win, = draw, ▼ loss, ~ not proven.
    """

    move: str  # the one it plays, where that is among them
    others: tuple[str, ...]  # that it tells no apart from it
    note: str  # 42 look equal within 3 plies; nothing where the others stand beside it
    glyph: str
    meaning: str  # win, draw, loss or open: the class and the glyph's name
    value: str  # win in 5, draw, 0.22, −0.12; or the share of what its technique goes by
    fraction: float  # 0 to 1, for a bar
    chance: str  # 31 %, of each of them being played
    chosen: bool


@dataclass(frozen=True, slots=True)
class Headings:
    """What the columns beside the moves show; an empty one is not there."""

    bar: str  # visits
    figure: str  # value
    chance: str  # played


@dataclass(frozen=True, slots=True)
class Panel:
    """What an agent thinks of the shown position (`replays/_analysis.html`)."""

    title: str  # What Alpha-beta is thinking
    agent: str  # its spec
    analysts: tuple[Choice, ...]  # once asked, every agent that can play this game: `agent`
    settings: tuple[OptionField, ...] = ()  # how the chosen one is set
    rivals: tuple[Choice, ...] = ()  # whom to compare it with: `versus`
    asked: bool = False  # without it there is only the offer to ask
    pending: bool = False  # not worked out yet: GET `retry` into `target` with `trigger`
    retry: str = ""
    target: str = "#analysis"  # or #match, whose board shows the values too
    trigger: str = ""
    failed: str | None = None  # why there is nothing to show
    again: bool = False  # a move was made here, and this is not the thought that made it
    before: str = ""  # while the next move is being thought about: which one this is about
    hurried: bool = False  # many were waiting, so it was given half a second
    reason: str = ""
    balance: float | None = None  # 0 to 1, the first seat's share, where there are values
    verdict: str = ""  # You are ahead (0.28).
    headings: Headings = Headings("", "", "")
    rows: tuple[CandidateRow, ...] = ()  # what it plays first, then best first
    evidence: tuple[tuple[str, str], ...] = ()
    effort: str = ""  # It looked at 48,210 positions, 6 plies deep, in 0.21 s.
    tree: str = ""  # the address of its search as textbooks have it, where it searches so
    values: Mapping[str, Candidate[Any]] = field(default_factory=dict)  # by move, for the board
    show_url: str | None = None  # with what only its technique shows turned on or off, if it does
    opened: bool = False  # whether that was asked for
    exhibit: ExhibitView | None = None  # that, once it is worked out
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # of that, what the board shows
    line: ExpectedLine | None = None  # what it expects, its own move first, played out
    lesson_url: str | None = None  # after the end: what it would learn from this match


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """Moves of which either analyst says the same, in the words of each."""

    moves: str
    said: tuple[CandidateRow, CandidateRow]
    chosen: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two analysts side by side on the same position, with the same time to think."""

    names: tuple[str, str]
    close: str
    retry: str
    pending: bool = False
    failed: str | None = None
    sentence: str = ""
    headings: tuple[str, str] = ("", "")
    told: tuple[str, ...] = ()  # what each says of itself
    rows: tuple[ComparedRow, ...] = ()


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
    value: str = ""  # of the position after it, for the first seat


@dataclass(frozen=True, slots=True)
class StoryPress:
    """A strip of the curve that leads to one of its points."""

    at: float  # where it begins
    width: float
    label: str
    url: str
    dot: str  # the path that draws the point it leads to
    turning: bool


@dataclass(frozen=True, slots=True)
class StoryView:
    """How a match went, ply by ply (`replays/_story.html`)."""

    title: str
    pending: bool
    retry: str
    trigger: str
    points: tuple[StoryPoint, ...] = ()
    presses: tuple[StoryPress, ...] = ()  # on the curve: every point, or the most telling ones
    moves: tuple[StoryMove, ...] = ()  # those about the shown one, and where the result changed
    pages: tuple[Page, ...] = ()  # of a long match: the ways to its other moves
    sentence: str = ""  # It turned at move 4: you played b2, where c3 would have won.
    before: str = ""  # Before that the result changed 2 times: …
    begun: str = ""  # the value of the start, for the first seat
    tally: str = ""  # Best moves: you 3 of 3, Opportunist 1 of 2.
    ends: tuple[str, str] = ("", "")  # what the curve's upper and lower edge mean
    source: str = ""  # by whose values
    try_again: int | None = None  # the ply before the move that decided: POST it to `play_on`
    play_on: str = ""


@dataclass(frozen=True, slots=True)
class OfferView:
    """What one player offered the other. Both are POST with `revision`."""

    text: str  # Friend would like to take back a move.
    accept: str | None  # None: it is one's own
    decline: str
    label: str  # Decline, or Withdraw


@dataclass(frozen=True, slots=True)
class InvitationView:
    """The way to the seat that is free."""

    link: str
    code: Code
    withdraw: str
    only_here: bool  # the address is one that no other device can open


@dataclass(frozen=True, slots=True)
class Company:
    """Whatever a match with a friend, or someone else's match, has beside the board."""

    follow: str | None = None  # GET, answered with 204 until something changes
    trigger: str = ""
    refresh: str | None = None  # the same by hand
    offer: OfferView | None = None
    invitation: InvitationView | None = None
    invite: str | None = None  # POST: a link for the seat across the screen
    next_url: str | None = None  # the match that was agreed on after this one
    live_link: str = ""  # absolute: follows the match


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match at one ply, as one visitor sees it (`replays/_match.html`)."""

    id: str
    path: str  # of the match, whatever is looked at
    fields: tuple[tuple[str, str], ...]  # that a form needs to find it, where the path is not all
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
    refused: bool  # the status says why what was pressed is no move
    announcement: str  # for the live region: b2 by Perfect. Your move.
    over: bool  # the match is over and its end is shown
    winner: Seat | None
    outcome: str | None  # You win: three in column a
    board: Board
    moves_url: str  # POST `move` and `revision`
    reply: Reply | None
    actions: Actions
    navigation: Navigation
    turns: tuple[Turn, ...]  # of a long match those about the shown ply
    pages: tuple[Page, ...]  # of a long match: the ways to its other moves
    last_move: str | None
    message: Message | None
    hint: Hint | None
    analysis: Panel
    comparison: Comparison | None
    company: Company | None  # None where nobody else can be there
    carried: tuple[tuple[str, str], ...]  # fields of a form, so that the look goes on after it
    aid_url: str  # the same ply with what helps to think on the board turned on or off
    story: StoryView | None
    values: bool  # what the agent thinks is shown, on the board and in the panel
    values_url: str  # the same ply with that turned on or off
    present: bool
    present_url: str  # the other mode, at the same ply
    share_url: str  # absolute
    setup_url: str  # the shown position, to be set up otherwise and played on from
    json_url: str
    text_url: str
    ask_url: str | None  # where a class is asked about the position; None: it is over
    rules_url: str  # a sheet: how this variant is played
    keys_url: str  # a sheet: every key
    tree_url: str | None  # the textbook's search of the shown position
    unadvised: str | None  # why no machine says here what it thinks, where none does
    offers_rules: bool  # to someone who has not met this game yet
    place: ReplayPlace | None = None  # of a game that is kept elsewhere than among the matches


@dataclass(frozen=True, slots=True)
class ImportView:
    """The form that reads a match back (`matches/import.html`): POST `text`."""

    url: str
    text: str
    message: Message | None
