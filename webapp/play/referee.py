"""Who may do what to a match, and what comes of it: records in, records out, nothing stored.

A change that comes to another match gives a record without an id: the store makes it a new one.
"""

from __future__ import annotations

from dataclasses import replace

from engine import Match, Seat
from webapp.play.records import PERSON, PlyRecord, Record, new_record
from webapp.web.errors import (
    FinishedError,
    NotYourMatchError,
    NotYourTurnError,
    StaleError,
    UnknownMatchError,
)
from webapp.web.players import Actor


def may_move(record: Record, actor: Actor) -> bool:
    """Whether it is this actor's turn."""
    return record.outcome is None and record.match.state.to_move in record.held_by(actor)


def may_change(record: Record, actor: Actor) -> bool:
    """Whether the actor is more than a spectator: its owner, or someone with a seat in it."""
    owns = actor.player is not None and record.owner == actor.player
    return owns or bool(record.held_by(actor))


def moved(record: Record, actor: Actor, text: str, revision: int) -> Record:
    """After a person's move. The same move for the same revision changes nothing."""
    check_actor(record, actor)
    if was_played(record, revision, text):
        return record
    check_current(record, revision)
    if may_move(record, actor):
        return _played(record, PlyRecord(text, revision))
    raise NotYourTurnError("it is not your turn: the opponent has yet to move")


def answered(record: Record, actor: Actor, reply: PlyRecord) -> Record:
    """After an agent's move; one that was already made for this revision changes nothing."""
    return _played(record, reply) if reply_is_due(record, actor, reply.revision) else record


def reply_is_due(record: Record, actor: Actor, revision: int) -> bool:
    """Whether an agent has yet to answer this revision; raises as `answered` would."""
    check_actor(record, actor)
    if was_answered(record, revision):
        return False
    check_current(record, revision)
    if not agent_is_to_move(record):
        raise NotYourTurnError("it is your turn: no reply is due")
    return True


def taken_back(record: Record, actor: Actor, revision: int) -> Record:
    """Back to the actor's last turn; a resignation is taken back by itself."""
    check_actor(record, actor)
    check_revision(record, revision)
    ply = last_own_turn(record, actor)
    if ply is None:
        raise NotYourTurnError("there is nothing of yours to take back")
    return replace(record, plies=record.plies[:ply], resigned=None, revision=record.revision + 1)


def resigned(record: Record, actor: Actor, revision: int) -> Record:
    """Given up by the actor, or by whoever is to move where two share the screen."""
    check_actor(record, actor)
    check_current(record, revision)
    seat = resigning_seat(record, actor)
    if seat is None:
        raise NotYourTurnError("only a player can resign")
    return replace(record, resigned=seat, revision=record.revision + 1)


def swapped(record: Record, actor: Actor, revision: int) -> Record:
    """The seats changed: here while the match goes on, in a new one when it is over."""
    check_actor(record, actor)
    (first, second), (one, other) = record.seats, record.holders
    if record.outcome is not None:
        return _again(record, (second, first), (other, one))
    check_revision(record, revision)
    return replace(
        record, seats=(second, first), holders=(other, one), revision=record.revision + 1
    )


def rematched(record: Record, actor: Actor, revision: int) -> Record:
    """The same once more."""
    check_actor(record, actor)
    return _again(record, record.seats, record.holders)


def played_on(record: Record, player: str, ply: int | None) -> Record:
    """A match of the player's own from a ply of any match: nobody's permission is needed.

    The same opponents; where two agents play, the player takes the seat that is to move.
    """
    match = record.match.at(check_ply(record, ply))
    if match.outcome() is not None:
        raise FinishedError("the game is over here: there is nothing to play on from")
    first, second = (PERSON if seat in record.people else record.seats[seat] for seat in Seat)
    if not record.people:
        first, second = (PERSON, second) if match.state.to_move is Seat.FIRST else (first, PERSON)
    return new_record(player, match, (first, second))


def check_actor(record: Record, actor: Actor) -> None:
    """Raises NotYourMatchError: anyone may read, only who plays or owns a match changes it."""
    if not may_change(record, actor):
        raise NotYourMatchError("this is someone else's match: you can watch, or play on from here")


def check_revision(record: Record, revision: int) -> None:
    """Raises StaleError for a form made before the last change."""
    if record.revision != revision:
        raise StaleError("the board has changed since: here is how it stands")


def check_current(record: Record, revision: int) -> None:
    """The revision is the last and the match goes on."""
    check_revision(record, revision)
    if record.outcome is not None:
        raise FinishedError("the match is over")


def check_ply(record: Record, ply: int | None) -> int:
    """The ply, None for the last; raises UnknownMatchError for one that was never played."""
    if ply is not None and not 0 <= ply <= len(record.plies):
        raise UnknownMatchError(f"this match has no such ply: {len(record.plies)} were played")
    return len(record.plies) if ply is None else ply


def was_played(record: Record, revision: int, text: str) -> bool:
    """Whether just this move was made in just this revision: the form was sent twice."""
    return any(ply.revision == revision and ply.text == text for ply in record.plies)


def was_answered(record: Record, revision: int) -> bool:
    """Whether the reply to this revision stands on the board already."""
    states = record.match.states
    return any(
        ply.revision == revision and states[at].to_move in record.agents
        for at, ply in enumerate(record.plies)
    )


def agent_is_to_move(record: Record) -> bool:
    """Whether the match goes on with a move of an agent."""
    return record.outcome is None and record.match.state.to_move in record.agents


def last_own_turn(record: Record, actor: Actor) -> int | None:
    """The ply that taking back leads to: the last at which the actor was to move."""
    own = record.held_by(actor)
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


def _played(record: Record, ply: PlyRecord) -> Record:
    match = record.match
    move = match.game.parse_move(ply.text)
    match.play(move)
    played = replace(ply, text=str(move))
    return replace(record, plies=(*record.plies, played), revision=record.revision + 1)


def _again(
    record: Record, seats: tuple[str, str], holders: tuple[str | None, str | None]
) -> Record:
    first = Match.begin(record.match.game, record.match.start)
    return new_record(record.owner, first, seats, holders)
