"""Permissions: who may do what with a match, decided from its record alone."""

from __future__ import annotations

from engine import Seat
from webapp.replays.errors import NotYourMatchError, NotYourTurnError, UnknownMatchError
from webapp.replays.models import Record
from webapp.web.cookies import Actor

NO_ADVICE_AGAINST_FRIEND = (
    "while you play a friend no machine advises either of you: they speak once it is over"
)
NO_ADVICE_DURING_VOTE = (
    "while a class votes on its moves no machine advises: they speak once it is over"
)


def may_move(record: Record, actor: Actor) -> bool:
    """Whether it is this actor's turn."""
    return record.outcome is None and record.match.state.to_move in record.held_by(actor)


def may_change(record: Record, actor: Actor) -> bool:
    """Whether the actor owns the match or holds a seat in it."""
    owns = actor.player is not None and record.owner == actor.player
    return owns or bool(record.held_by(actor))


def advice_refusal(record: Record, actor: Actor) -> str | None:
    """Why no agent advises the actor; None where advice is allowed.

    There is no advice for a player of an unfinished match against a friend on another device, who
    could not see it, and none for anyone while a class votes on the moves.
    """
    if record.outcome is not None:
        return None
    if record.is_voted_on:
        return NO_ADVICE_DURING_VOTE
    return NO_ADVICE_AGAINST_FRIEND if record.is_shared and record.held_by(actor) else None


def check_advice(record: Record, actor: Actor) -> None:
    """Raises NotYourTurnError."""
    if why := advice_refusal(record, actor):
        raise NotYourTurnError(why)


def check_actor(record: Record, actor: Actor) -> None:
    """Raises NotYourMatchError for a spectator."""
    if not may_change(record, actor):
        raise NotYourMatchError("this is someone else's match: you can watch, or play on from here")


def check_ply(record: Record, ply: int | None) -> int:
    """The number of the ply (None: the last); raises UnknownMatchError if it was never played."""
    if ply is not None and not 0 <= ply <= len(record.plies):
        raise UnknownMatchError(f"this match has no such ply: {len(record.plies)} were played")
    return len(record.plies) if ply is None else ply


def agent_is_to_move(record: Record) -> bool:
    """Whether the next move is an agent's."""
    return record.outcome is None and record.match.state.to_move in record.agents


def last_own_turn(record: Record, actor: Actor) -> int | None:
    """The ply that undo goes back to: the last at which the actor was to move."""
    return last_turn_of(record, record.held_by(actor))


def last_turn_of(record: Record, own: tuple[Seat, ...]) -> int | None:
    """The last ply at which one of these seats was to move; after a resignation the last ply."""
    if not own:
        return None
    match = record.match
    if record.resigned is not None:
        return match.ply
    turns = [ply for ply in range(match.ply) if match.states[ply].to_move in own]
    return turns[-1] if turns else None


def resigning_seat(record: Record, actor: Actor) -> Seat | None:
    """The seat that loses when the actor resigns; None for a spectator."""
    match record.held_by(actor):
        case ():
            return None
        case (seat,):
            return seat
        case _:
            return Seat(record.match.state.to_move)
