"""Who may do what with a match: questions about a record, answered without changing it."""

from __future__ import annotations

from engine import Seat
from webapp.replays.errors import NotYourMatchError, NotYourTurnError, UnknownMatchError
from webapp.replays.models import Record
from webapp.web.cookies import Actor

UNADVISED = "while you play a friend no machine advises either of you: they speak once it is over"


UNADVISED_CLASS = "while a class votes on its moves no machine advises: they speak once it is over"


def may_move(record: Record, actor: Actor) -> bool:
    """Whether it is this actor's turn."""
    return record.outcome is None and record.match.state.to_move in record.held_by(actor)


def may_change(record: Record, actor: Actor) -> bool:
    """Whether the actor is more than a spectator: its owner, or someone with a seat in it."""
    owns = actor.player is not None and record.owner == actor.player
    return owns or bool(record.held_by(actor))


def unadvised(record: Record, actor: Actor) -> str | None:
    """Why no machine tells the actor what it thinks; None where they do.

    Not while the actor plays a friend elsewhere, who could not see it; nor, whoever looks, while
    a class votes on the moves: what is right is shown when the vote is over.
    """
    if record.outcome is not None:
        return None
    if record.is_voted_on:
        return UNADVISED_CLASS
    return UNADVISED if record.is_shared and record.held_by(actor) else None


def check_advised(record: Record, actor: Actor) -> None:
    """Raises NotYourTurnError."""
    if why := unadvised(record, actor):
        raise NotYourTurnError(why)


def check_actor(record: Record, actor: Actor) -> None:
    """Raises NotYourMatchError: anyone may read, only who plays or owns a match changes it."""
    if not may_change(record, actor):
        raise NotYourMatchError("this is someone else's match: you can watch, or play on from here")


def check_ply(record: Record, ply: int | None) -> int:
    """The ply, None for the last; raises UnknownMatchError for one that was never played."""
    if ply is not None and not 0 <= ply <= len(record.plies):
        raise UnknownMatchError(f"this match has no such ply: {len(record.plies)} were played")
    return len(record.plies) if ply is None else ply


def agent_is_to_move(record: Record) -> bool:
    """Whether the match goes on with a move of an agent."""
    return record.outcome is None and record.match.state.to_move in record.agents


def last_own_turn(record: Record, actor: Actor) -> int | None:
    """The ply that taking back leads to: the last at which the actor was to move."""
    return last_turn_of(record, record.held_by(actor))


def last_turn_of(record: Record, own: tuple[Seat, ...]) -> int | None:
    """The last ply at which one of these seats was to move; of a resignation, the last of all."""
    if not own:
        return None
    match = record.match
    if record.resigned is not None:
        return match.ply
    turns = [ply for ply in range(match.ply) if match.states[ply].to_move in own]
    return turns[-1] if turns else None


def resigning_seat(record: Record, actor: Actor) -> Seat | None:
    """Who gives up when the actor does; None for whoever only watches."""
    match record.held_by(actor):
        case ():
            return None
        case (seat,):
            return seat
        case _:
            return Seat(record.match.state.to_move)
