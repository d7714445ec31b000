"""What the templates of a tree are given: everything in words, nothing left to work out."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.scene import Board
from webapp.web.forms import Choice


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One position of a row: what a move leads to, and what the search makes of it."""

    path: str  # 0.4.2: its address within the tree
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
    """The answers to the position framed in the row above."""

    title: str  # x to move
    wants: str  # wants the highest
    window: str  # α −∞ → x in 3, β +∞
    nodes: tuple[TreeNode, ...]
    more: str = ""  # and 31 more
    others: tuple[Choice, ...] = ()  # that are not drawn but can be opened: `open`
    cut: str = ""  # With a2 o holds x to a draw here …
    note: str = ""  # why nothing was looked at below


@dataclass(frozen=True, slots=True)
class Crumb:
    """One move of the open path, with the address that opens the path as far as to it."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class CountBar:
    """How much one algorithm looks at, beside the other."""

    title: str
    count: str  # 1,053
    width: float  # of its bar, 0 to 1
    chosen: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """Through the search in the order it took; an address that is None leads nowhere."""

    upto: int
    last: int
    first: str | None
    previous: str | None
    next: str | None
    next_cut: str | None
    end: str | None
    fields: tuple[tuple[str, str], ...]  # for the slider's form, `upto` apart


@dataclass(frozen=True, slots=True)
class TreeView:
    """The page of a tree (`replays/trees/_tree.html`)."""

    title: str
    game: str
    action: str  # where its forms go
    url: str
    requested: str
    match_url: str  # the match at this ply
    keys_url: str  # a sheet: every key
    back: str  # Back to the match
    ask_url: str  # where a class is asked about the position, or what comes next
    present: bool
    present_url: str
    position: Board
    status: str  # x to move after 4 moves
    algorithms: tuple[tuple[str, str, bool], ...]  # title, address, chosen
    depths: tuple[Choice, ...]
    orders: tuple[Choice, ...]
    settings: tuple[tuple[str, str], ...]  # what the form with depth and order sends besides
    ask: str = "Ask the class"
    pending: bool = False  # GET `url` again
    failed: str = ""
    offers: tuple[tuple[str, str], ...] = ()  # a smaller depth: label and address
    counts: str = ""  # Alpha-beta looked at 241 positions …
    measured: tuple[CountBar, ...] = ()  # the same, side by side
    answer: str = ""  # The value: x wins in 3, by a1.
    besides: str = ""  # what the agent that plays does besides
    horizon: str = ""  # what a position at the horizon counts
    walk: Walk | None = None
    crumbs: tuple[Crumb, ...] = ()
    rows: tuple[TreeRow, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()  # what a node's form sends besides `open`
