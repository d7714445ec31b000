"""Where a visitor can go from here and what they may do: addresses, decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import Seat
from webapp.replays import permissions
from webapp.replays.models import Record
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, ask_address, with_query
from webapp.replays.trees.query import TreeLook
from webapp.replays.views import Actions, Navigation, Page, Ply, Reply, Turn
from webapp.web.cookies import Actor

PAGE = 16  # moves, give or take half of it for the last


def moves_about(viewing: Viewing) -> range:
    """The numbers of the moves on the page of the shown one; of the first before it was made."""
    return next(page for page in _pages(viewing.match.ply) if max(1, viewing.ply) in page)


def pages_of(viewing: Viewing) -> tuple[Page, ...]:
    """Every page by its first move; none where all moves fit on one."""
    pages, about = _pages(viewing.match.ply), moves_about(viewing)
    if len(pages) == 1:
        return ()
    return tuple(
        Page(f"{page[0]} to {page[-1]}", viewing.url(page[0]), current=page == about)
        for page in pages
    )


def _pages(moves: int) -> Sequence[range]:
    many = max(1, round(moves / PAGE))
    starts = [1 + PAGE * page for page in range(many)]
    ends = [*starts[1:], max(moves, 1) + 1]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


SOON = "load delay:500ms, every 600ms"  # after the move's animation, then until it is there
LET_IT_MOVE = "Let it move"


def reply_owed(viewing: Viewing, press: str | None) -> Reply | None:
    """The agent's move that this visitor may ask for, if one is due."""
    if not viewing.awaits_reply:
        return None
    mover = next(player for player in viewing.players if player.to_move)
    automatic = bool(viewing.record.people) and press is None
    return Reply(viewing.child("reply"), mover.title, automatic, SOON, press or LET_IT_MOVE)


def actions_of(viewing: Viewing) -> Actions:
    """What this visitor may do now."""
    record = viewing.record
    over = record.outcome is not None
    open_here = viewing.match.states[viewing.ply].outcome() is None
    going_on = viewing.may_change and viewing.live and not over
    play_on = viewing.child("play-on") if open_here and not going_on else None
    story = None
    if over and viewing.match.ply and not viewing.look.story:
        story = with_query(viewing.path, replace(viewing.look, story=True, hint=False, pick=None))
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
        undo=viewing.child("undo") if _may_take_back(record, actor) else None,
        hint=_hint_url(viewing) if viewing.may_be_hinted else None,
        resign=viewing.child("resign") if record.held_by(actor) and not over else None,
        rematch=viewing.child("rematch") if again else None,
        swap=viewing.child("swap") if one_each or again else None,
        play_on=play_on,
        story=story,
    )


def ask_url(viewing: Viewing) -> str | None:
    """Where a class is asked about the shown position, unless the game is over there."""
    if viewing.match.states[viewing.ply].outcome() is not None:
        return None
    moves = [str(move) for move in viewing.match.moves[: viewing.ply]]
    return ask_address(viewing.record.game, viewing.record.start, moves)


def _may_take_back(record: Record, actor: Actor) -> bool:
    """A friend who is not there yet cannot agree to it, nor to a second wish at a time."""
    waits = record.is_shared and (record.free_seat is not None or record.offer is not None)
    return not waits and permissions.last_own_turn(record, actor) is not None


def _hint_url(viewing: Viewing) -> str:
    """Whatever else is shown stays."""
    return with_query(viewing.child("hint"), replace(viewing.look, hint=False, pick=None))


def tree_url(viewing: Viewing) -> str | None:
    """Where the shown position is searched by the book; None where no machine advises."""
    if not viewing.is_advised:
        return None
    return TreeLook(ply=viewing.ply, present=viewing.look.present).address(viewing.path)


def values_turned(look: Look) -> Look:
    """What is shown of a thought goes with it; a hint stays."""
    return replace(
        look, values=not look.values, show=False, versus=None, part=None, step=None, open=()
    )


def navigation_of(viewing: Viewing) -> Navigation:
    """Through the plies."""
    ply, last = viewing.ply, viewing.match.ply
    awaited = viewing.awaits_reply and not viewing.record.people
    return Navigation(
        first=viewing.url(0) if ply > 0 else None,
        previous=viewing.url(ply - 1) if ply > 0 else None,
        next=viewing.url(ply + 1) if ply < last else None,
        last=viewing.url(last) if ply < last else None,
        reply=viewing.child("reply") if awaited else None,
    )


def turns_of(viewing: Viewing) -> tuple[Turn, ...]:
    """Two plies a line, what first played on the left, also where second began.

    Of a long match they are the lines of the page that is shown.
    """
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
    about = moves_about(viewing)
    return tuple(turn for turn in turns if any(ply and ply.number in about for ply in turn.plies))
