"""Who may do what to a match, and what comes of it: records in, records out, nothing stored."""

from __future__ import annotations

from dataclasses import replace

from engine import Seat
from webapp.play.records import PlyRecord, Record
from webapp.web.errors import FinishedError, NotYourMatchError, NotYourTurnError, StaleError


def moved(record: Record, player: str | None, text: str, revision: int) -> Record:
    """After a person's move. The same move for the same revision changes nothing."""
    check_owner(record, player)
    if was_played(record, revision, text):
        return record
    check_current(record, revision)
    if not agent_is_to_move(record):
        return _played(record, text)
    raise NotYourTurnError("it is not your turn: the opponent has yet to move")


def answered(
    record: Record, player: str | None, text: str, revision: int, note: str | None = None
) -> Record:
    """After an agent's move; one that was already made for this revision changes nothing."""
    return _played(record, text, note) if reply_is_due(record, player, revision) else record


def reply_is_due(record: Record, player: str | None, revision: int) -> bool:
    """Whether an agent has yet to answer this revision; raises as `answered` would."""
    check_owner(record, player)
    if was_answered(record, revision):
        return False
    check_current(record, revision)
    if not agent_is_to_move(record):
        raise NotYourTurnError("it is your turn: no reply is due")
    return True


def taken_back(record: Record, player: str | None, revision: int) -> Record:
    """Back to the person's last turn; a resignation is taken back by itself."""
    check_owner(record, player)
    check_revision(record, revision)
    ply = last_own_turn(record)
    if ply is None:
        raise NotYourTurnError("there is nothing of yours to take back")
    return replace(record, plies=record.plies[:ply], resigned=None, revision=record.revision + 1)


def resigned(record: Record, player: str | None, revision: int) -> Record:
    """Given up by the person, or by whoever is to move where two share the screen."""
    check_owner(record, player)
    check_current(record, revision)
    seat = resigning_seat(record)
    if seat is None:
        raise NotYourTurnError("only a player can resign")
    return replace(record, resigned=seat, revision=record.revision + 1)


def swapped(record: Record, player: str | None, revision: int) -> Record:
    """The person and the agent change seats in the middle of the game."""
    check_owner(record, player)
    check_current(record, revision)
    first, second = record.seats
    return replace(record, seats=(second, first), revision=record.revision + 1)


def check_owner(record: Record, player: str | None) -> None:
    """Raises NotYourMatchError: anyone may read, the owner writes."""
    if record.owner != player:
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


def last_own_turn(record: Record) -> int | None:
    """The ply that taking back leads to: the last at which a person was to move."""
    if not record.people:
        return None
    match = record.match
    if record.resigned is not None:
        return match.ply
    turns = [ply for ply in range(match.ply) if match.states[ply].to_move in record.people]
    return turns[-1] if turns else None


def resigning_seat(record: Record) -> Seat | None:
    """Who gives up when the owner does; None when agents play each other."""
    match record.people:
        case ():
            return None
        case (seat,):
            return seat
        case _:
            return Seat(record.match.state.to_move)


def _played(record: Record, text: str, note: str | None = None) -> Record:
    match = record.match
    move = match.game.parse_move(text)
    match.play(move)
    ply = PlyRecord(str(move), record.revision, note)
    return replace(record, plies=(*record.plies, ply), revision=record.revision + 1)
