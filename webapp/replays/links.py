"""Links of a match page: actions this visitor may take, navigation, the move list in pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import Seat
from webapp.replays import permissions
from webapp.replays.models import Record
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, ask_class_url, with_query
from webapp.replays.trees.query import TreeQuery
from webapp.replays.views import Actions, Navigation, Page, Ply, Reply, Turn
from webapp.web.cookies import Actor

MOVES_PER_PAGE = 16  # the last page has 8 to 24
REPLY_TRIGGER = "load delay:500ms, every 600ms"  # after the move's animation, then polling
LET_IT_MOVE = "Let it move"


def moves_on_page(viewing: Viewing) -> range:
    """The numbers of the moves on the page with the shown ply."""
    return next(page for page in _pages(viewing.match.ply) if max(1, viewing.ply) in page)


def move_pages(viewing: Viewing) -> tuple[Page, ...]:
    """Links to the pages of the move list; none where all moves fit on one."""
    pages, current = _pages(viewing.match.ply), moves_on_page(viewing)
    if len(pages) == 1:
        return ()
    return tuple(
        Page(f"{page[0]} to {page[-1]}", viewing.url(page[0]), current=page == current)
        for page in pages
    )


def _pages(moves: int) -> Sequence[range]:
    count = max(1, round(moves / MOVES_PER_PAGE))
    starts = [1 + MOVES_PER_PAGE * page for page in range(count)]
    ends = [*starts[1:], max(moves, 1) + 1]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def pending_reply(viewing: Viewing, label: str | None) -> Reply | None:
    """The agent's due move, if this visitor may request it; with a label, only by a button."""
    if not viewing.awaits_reply:
        return None
    mover = next(player for player in viewing.players if player.to_move)
    automatic = bool(viewing.record.people) and label is None
    return Reply(
        viewing.child("reply"), mover.title, automatic, REPLY_TRIGGER, label or LET_IT_MOVE
    )


def allowed_actions(viewing: Viewing) -> Actions:
    """The actions this visitor may take now."""
    record = viewing.record
    over = record.outcome is not None
    open_here = viewing.match.states[viewing.ply].outcome() is None
    playing = viewing.may_change and viewing.live and not over
    play_on = viewing.child("play-on") if open_here and not playing else None
    story = None
    if over and viewing.match.ply and not viewing.query.story:
        story = with_query(viewing.path, replace(viewing.query, story=True, hint=False, pick=None))
    if not viewing.may_change:
        return Actions(play_on=play_on, story=story)
    actor = viewing.visit.actor
    one_each = len(record.people) == 1
    again = (
        over
        and record.followed_by is None
        and not (record.is_shared and record.free_seat is not None)
    )
    return Actions(
        undo=viewing.child("undo") if _may_undo(record, actor) else None,
        hint=with_query(viewing.child("hint"), replace(viewing.query, hint=False, pick=None))
        if viewing.hint_allowed
        else None,
        resign=viewing.child("resign") if record.held_by(actor) and not over else None,
        rematch=viewing.child("rematch") if again else None,
        swap=viewing.child("swap") if one_each or again else None,
        play_on=play_on,
        story=story,
    )


def ask_url(viewing: Viewing) -> str | None:
    """The form that asks a class about the shown position; None if the game is over there."""
    if viewing.match.states[viewing.ply].outcome() is not None:
        return None
    moves = [str(move) for move in viewing.match.moves[: viewing.ply]]
    return ask_class_url(viewing.record.game, viewing.record.start, moves)


def _may_undo(record: Record, actor: Actor) -> bool:
    """Whether an own move can be taken back; a friend must be present and have no open offer."""
    waits = record.is_shared and (record.free_seat is not None or record.offer is not None)
    return not waits and permissions.last_own_turn(record, actor) is not None


def tree_url(viewing: Viewing) -> str | None:
    """The textbook search of the shown position; None where advice is not allowed."""
    if not viewing.advice_allowed:
        return None
    return TreeQuery(ply=viewing.ply, present=viewing.query.present).address(viewing.path)


def toggle_values(query: Look) -> Look:
    """Turn the values on or off, and close what depends on them; a hint stays."""
    return replace(
        query, values=not query.values, show=False, versus=None, part=None, step=None, open=()
    )


def ply_navigation(viewing: Viewing) -> Navigation:
    """First, previous, next and last ply; between two agents Next can be the due reply."""
    ply, last = viewing.ply, viewing.match.ply
    reply_due = viewing.awaits_reply and not viewing.record.people
    return Navigation(
        first=viewing.url(0) if ply > 0 else None,
        previous=viewing.url(ply - 1) if ply > 0 else None,
        next=viewing.url(ply + 1) if ply < last else None,
        last=viewing.url(last) if ply < last else None,
        reply=viewing.child("reply") if reply_due else None,
    )


def move_list(viewing: Viewing) -> tuple[Turn, ...]:
    """The shown page of the move list: a row per turn, the first seat's move on the left."""
    match = viewing.match
    plies: list[Ply | None] = [
        Ply(number, str(move), viewing.url(number), shown=number == viewing.ply)
        for number, move in enumerate(match.moves, start=1)
    ]
    if plies and match.states[0].to_move is Seat.SECOND:
        plies.insert(0, None)
    if len(plies) % 2:
        plies.append(None)
    turns = [Turn(at // 2 + 1, (plies[at], plies[at + 1])) for at in range(0, len(plies), 2)]
    page = moves_on_page(viewing)
    return tuple(turn for turn in turns if any(ply and ply.number in page for ply in turn.plies))
