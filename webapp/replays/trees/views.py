"""Values that the template of a tree reads."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.scene import Board
from webapp.web.forms import Choice


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One board of a row: the position after a move and what the search found there."""

    path: str  # indices of children from the root: 0.4.2
    move: str
    board: Board
    state: str  # seen, now (under way), later, never
    glyph: str = ""
    meaning: str = ""  # win, draw, loss or open, for the first seat
    value: str = ""  # ≤ x wins in 3
    count: str = ""  # 26 looked at
    window: str = ""  # α −∞ β x in 3
    framed: bool = False


@dataclass(frozen=True, slots=True)
class TreeRow:
    """The replies to the board framed in the row above."""

    title: str  # x to move
    wants: str  # wants the highest
    window: str  # α −∞ → x in 3, β +∞
    nodes: tuple[TreeNode, ...]
    more: str = ""  # and 31 more
    others: tuple[Choice, ...] = ()  # field `open`: those not drawn
    cut: str = ""  # With a2 o holds x to a draw here …
    note: str = ""  # why there are no children


@dataclass(frozen=True, slots=True)
class Crumb:
    """One move of the open path, linked to the path up to it."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class CountBar:
    """How many nodes an algorithm visits, as a bar beside the other's."""

    title: str
    count: str  # 1,053
    width: float  # of its bar, 0 to 1
    chosen: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """The stepper through the nodes in the order of the search; None: not available."""

    upto: int
    last: int
    first: str | None
    previous: str | None
    next: str | None
    next_cut: str | None
    end: str | None
    fields: tuple[tuple[str, str], ...]  # of the slider's form, besides `upto`


@dataclass(frozen=True, slots=True)
class TreeView:
    """The page of a tree (`replays/trees/_tree.html`)."""

    title: str
    game: str
    action: str  # of its forms
    url: str
    requested: str
    match_url: str  # the match at this ply
    keys_url: str  # dialog: the keyboard shortcuts
    back: str  # Back to the match
    ask_url: str  # asks a class about the position, or what comes next
    present: bool
    present_url: str
    position: Board
    status: str  # x to move after 4 moves
    algorithms: tuple[tuple[str, str, bool], ...]  # title, address, chosen
    depths: tuple[Choice, ...]
    orders: tuple[Choice, ...]
    settings: tuple[tuple[str, str], ...]  # hidden fields of the form with depth and order
    ask: str = "Ask the class"
    pending: bool = False  # GET `url` again
    failed: str = ""
    offers: tuple[tuple[str, str], ...] = ()  # a smaller depth: label and address
    counts: str = ""  # Alpha-beta looked at 241 positions …
    measured: tuple[CountBar, ...] = ()  # the same, side by side
    answer: str = ""  # The value: x wins in 3, by a1.
    besides: str = ""  # how the agent that plays differs
    horizon: str = ""  # how positions at the horizon are valued
    walk: Walk | None = None
    crumbs: tuple[Crumb, ...] = ()
    rows: tuple[TreeRow, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()  # hidden fields of a node's form, besides `open`
