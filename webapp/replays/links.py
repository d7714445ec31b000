"""Links of a match page: actions this visitor may take, the due reply, the move list in pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import Seat
from webapp.replays import permissions
from webapp.replays.models import Record
from webapp.replays.view import MatchView
from webapp.web.cookies import Actor

MOVES_PER_PAGE = 16  # the last page has 8 to 24
REPLY_TRIGGER = "load delay:500ms, every 600ms"  # after the move's animation, then polling
LET_IT_MOVE = "Let it move"


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
class ListPage:
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
    automatic: bool
    label: str
    trigger: str = REPLY_TRIGGER


@dataclass(frozen=True, slots=True)
class Actions:
    """Addresses of the actions this visitor may take now; POST with `revision` unless noted."""

    undo: str | None = None
    hint: str | None = None  # GET: the match with the hint
    resign: str | None = None
    rematch: str | None = None  # a new match, same seats
    swap: str | None = None  # in play: change seats; after the end: a new match, seats changed
    play_on: str | None = None  # a match of one's own from the shown ply: field `ply`
    story: str | None = None  # GET: "Where did it turn?"


def pending_reply(view: MatchView, label: str | None) -> Reply | None:
    """The agent's due move, if this visitor may request it; with a label, only by a button."""
    if not view.awaits_reply:
        return None
    automatic = bool(view.record.people) and label is None
    return Reply(view.child("reply"), automatic, label or LET_IT_MOVE)


def allowed_actions(view: MatchView) -> Actions:
    """The actions this visitor may take now."""
    record, query, actor = view.record, view.query, view.visit.actor
    over, may_change = record.outcome is not None, view.may_change
    playing = may_change and view.live and not over
    waits = record.is_shared and record.free_seat is not None
    again = may_change and over and record.followed_by is None and not waits
    allowed = {
        "undo": may_change and _may_undo(record, actor),
        "resign": may_change and bool(record.held_by(actor)) and not over,
        "rematch": again,
        "swap": again or (may_change and len(record.people) == 1),
        "play-on": view.state.outcome() is None and not playing,
    }
    urls = {name.replace("-", "_"): view.child(name) for name, may in allowed.items() if may}
    still = replace(query, hint=False, pick=None)
    if may_change and view.hint_allowed:
        urls["hint"] = still.url(view.child("hint"))
    if over and view.last_ply and not query.story:
        urls["story"] = still.url(view.path, story=True)
    return Actions(**urls)


def _may_undo(record: Record, actor: Actor) -> bool:
    """Whether an own move can be taken back; a friend must be present and have no open offer."""
    waits = record.is_shared and (record.free_seat is not None or record.offer is not None)
    return not waits and permissions.last_own_turn(record, actor) is not None


def moves_on_page(view: MatchView) -> range:
    """The numbers of the moves on the page with the shown ply."""
    return next(page for page in _pages(view.last_ply) if max(1, view.ply) in page)


def move_pages(view: MatchView) -> tuple[ListPage, ...]:
    """Links to the pages of the move list; none where all moves fit on one."""
    pages, current = _pages(view.last_ply), moves_on_page(view)
    if len(pages) == 1:
        return ()
    return tuple(
        ListPage(f"{page[0]} to {page[-1]}", view.ply_url(page[0]), current=page == current)
        for page in pages
    )


def _pages(moves: int) -> Sequence[range]:
    count = max(1, round(moves / MOVES_PER_PAGE))
    starts = [1 + MOVES_PER_PAGE * page for page in range(count)]
    ends = [*starts[1:], max(moves, 1) + 1]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def move_list(view: MatchView) -> tuple[Turn, ...]:
    """The shown page of the move list: a row per turn, the first seat's move on the left."""
    plies: list[Ply | None] = [
        Ply(number, str(move), view.ply_url(number), shown=number == view.ply)
        for number, move in enumerate(view.match.moves, start=1)
    ]
    if plies and view.match.states[0].to_move is Seat.SECOND:
        plies.insert(0, None)
    if len(plies) % 2:
        plies.append(None)
    turns = [Turn(at // 2 + 1, (plies[at], plies[at + 1])) for at in range(0, len(plies), 2)]
    page = moves_on_page(view)
    return tuple(turn for turn in turns if any(ply and ply.number in page for ply in turn.plies))
