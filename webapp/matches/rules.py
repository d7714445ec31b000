"""Pure decisions about a match: record in, changed record out.

A change that starts another match returns a record without an id, which the store creates.
"""

from __future__ import annotations

from dataclasses import replace

from engine import Match, Seat
from webapp.replays.models import (
    PERSON,
    FinishedError,
    NotYourTurnError,
    PlyRecord,
    Proposal,
    Record,
    StaleError,
    UnknownMatchError,
    Wish,
    new_record,
    one_line,
)
from webapp.web.cookies import Actor


def moved(
    record: Record, actor: Actor, text: str, revision: int, analysis: bytes | None = None
) -> Record:
    """Play the actor's move, with what a bot says of it; the same once more changes nothing."""
    record.check_actor(actor)
    if was_played(record, revision, text):
        return record
    check_current(record, revision)
    if record.may_move(actor):
        return _played(record, PlyRecord(text, revision, analysis=analysis))
    raise NotYourTurnError("it is not your turn: the opponent has yet to move")


def answered(record: Record, actor: Actor, reply: PlyRecord) -> Record:
    """Play an agent's move, unless this revision was already answered."""
    return _played(record, reply) if reply_is_due(record, actor, reply.revision) else record


def forfeited(record: Record, actor: Actor, revision: int, why: str) -> Record:
    """End the match: the agent to move, a player from outside, has failed."""
    if not reply_is_due(record, actor, revision):
        return record
    state = record.match.state
    return replace(
        record,
        resigned=state.to_move,
        fault=one_line(f"forfeited: {why}, in {state}"),
        offer=None,
        revision=record.revision + 1,
    )


def reply_is_due(record: Record, actor: Actor, revision: int) -> bool:
    """Whether an agent has to answer this revision; raises if it cannot."""
    record.check_actor(actor)
    if was_answered(record, revision):
        return False
    check_current(record, revision)
    if not record.agent_is_to_move:
        raise NotYourTurnError("it is your turn: no reply is due")
    return True


def taken_back(record: Record, actor: Actor, revision: int) -> Record:
    """Go back to the actor's last turn, or before a resignation; with a friend, offer that."""
    record.check_actor(actor)
    check_revision(record, revision)
    _check_no_bot(record, "no move can be taken back")
    _check_unrated(record, "no move can be taken back")
    if record.last_turn_of(record.held_by(actor)) is None:
        raise NotYourTurnError("there is nothing of yours to take back")
    if record.is_shared:
        return _offered(record, actor, Wish.UNDO)
    return _taken_back(record, record.held_by(actor))


def resigned(record: Record, actor: Actor, revision: int) -> Record:
    """Resign for the actor, or for the mover where two people share the screen."""
    record.check_actor(actor)
    check_current(record, revision)
    seat = record.resigning_seat(actor)
    if seat is None:
        raise NotYourTurnError("only a player can resign")
    return replace(record, resigned=seat, offer=None, revision=record.revision + 1)


def swapped(record: Record, actor: Actor, revision: int) -> Record:
    """Change seats, in a new match if this one is over; with a friend, offer that."""
    record.check_actor(actor)
    _check_no_bot(record, "sides cannot be changed")
    (first, second), (one, other) = record.seats, record.holders
    if record.is_shared:
        return _offered_after(record, actor, revision, Wish.SWAP)
    if record.outcome is not None:
        return _again(record, (second, first), (other, one))
    check_revision(record, revision)
    _check_unrated(record, "sides cannot be changed")
    return replace(
        record, seats=(second, first), holders=(other, one), revision=record.revision + 1
    )


def rematched(record: Record, actor: Actor, revision: int) -> Record:
    """Start the same match again; with a friend, offer that."""
    record.check_actor(actor)
    _check_no_bot(record, "begin another one from its page")
    if record.is_shared:
        return _offered_after(record, actor, revision, Wish.REMATCH)
    return _again(record, record.seats, record.holders)


def advanced(record: Record, actor: Actor, revision: int) -> Record:
    """Start the same match against the next opponent."""
    record.check_actor(actor)
    rung = record.next_opponent
    if rung is None:
        raise NotYourTurnError(
            "there is no next opponent: nobody was measured to be stronger, or weaker"
        )
    first, second = (rung.spec if seat in record.agents else record.seats[seat] for seat in Seat)
    return _again(record, (first, second), record.holders)


def accepted(record: Record, actor: Actor, revision: int) -> Record:
    """Accept the other player's offer."""
    record.check_actor(actor)
    check_revision(record, revision)
    if record.offer is None or record.offer.seat in record.held_by(actor):
        raise NotYourTurnError("there is nothing to agree to: the offer was withdrawn")
    return _agreed(record, record.offer)


def declined(record: Record, actor: Actor, revision: int) -> Record:
    """Refuse an offer or withdraw one's own."""
    record.check_actor(actor)
    check_revision(record, revision)
    return replace(record, offer=None)


def invited(record: Record, actor: Actor, revision: int, secret: str) -> Record:
    """Free the opponent's seat for the bearer of the secret, which replaces an earlier one."""
    record.check_actor(actor)
    check_current(record, revision)
    if record.seats != (PERSON, PERSON):
        raise NotYourTurnError("only a person's seat can be offered to a friend")
    seat, own = record.free_seat, record.held_by(actor)
    if seat is None and len(own) == len(Seat):
        seat = Seat(record.match.state.to_move.other)
    if seat is None or not own:
        raise NotYourTurnError("someone sits there already")
    return replace(_reseated(record, seat, None), invitation=secret)


def uninvited(record: Record, actor: Actor, revision: int) -> Record:
    """Withdraw the invitation: the actor holds both seats again."""
    record.check_actor(actor)
    check_revision(record, revision)
    seat = record.free_seat
    if seat is None or actor.player is None or not record.held_by(actor):
        raise NotYourTurnError("the seat is taken: there is no invitation to withdraw")
    return replace(_reseated(record, seat, actor.player), invitation=None)


def joined(record: Record, player: str, secret: str) -> Record:
    """Take the free seat with the secret; a player who already has a seat keeps it."""
    if record.invitation is None or record.invitation != secret:
        raise UnknownMatchError("this invitation was withdrawn")
    if player in record.holders:
        return record
    if record.free_seat is None:
        raise FinishedError("someone else has taken this seat: you can watch")
    return _reseated(record, record.free_seat, player)


def played_on(record: Record, player: str, ply: int | None) -> Record:
    """Start the player's own match from a ply of any match, against the same opponents.

    Between two agents the player takes the seat that is to move; the seat of a bot in any case.
    """
    match = record.match.at(record.check_ply(ply))
    if match.outcome() is not None:
        raise FinishedError("the game is over here: there is nothing to play on from")
    first, second = (record.seats[seat] if seat in record.agents else PERSON for seat in Seat)
    if PERSON not in (first, second):
        first, second = (PERSON, second) if match.state.to_move is Seat.FIRST else (first, PERSON)
    return new_record(player, match, (first, second))


def _check_no_bot(record: Record, why: str) -> None:
    """Raises NotYourTurnError in a match with a bot, whose program was told its moves."""
    if record.bots:
        raise NotYourTurnError(f"in a game with a bot {why}")


def _check_unrated(record: Record, why: str) -> None:
    """Raises NotYourTurnError in a game that counts."""
    if record.rated:
        raise NotYourTurnError(f"this game counts: {why}")


def check_revision(record: Record, revision: int) -> None:
    """Raises StaleError for a form made before the last change."""
    if record.revision != revision:
        raise StaleError("the board has changed since: here is how it stands")


def check_current(record: Record, revision: int) -> None:
    """Raises StaleError, or FinishedError if the match is over."""
    check_revision(record, revision)
    if record.outcome is not None:
        raise FinishedError("the match is over")


def was_played(record: Record, revision: int, text: str) -> bool:
    """Whether this move was played in this revision: the form was sent twice."""
    return any(ply.revision == revision and ply.text == text for ply in record.plies)


def was_answered(record: Record, revision: int) -> bool:
    """Whether an agent has already replied to this revision."""
    states = record.match.states
    return any(
        ply.revision == revision and states[at].to_move in record.agents
        for at, ply in enumerate(record.plies)
    )


def _played(record: Record, ply: PlyRecord) -> Record:
    match = record.match
    move = match.game.parse_move(ply.text)
    match.play(move)
    played = replace(ply, text=str(move))
    return replace(record, plies=(*record.plies, played), offer=None, revision=record.revision + 1)


def _taken_back(record: Record, own: tuple[Seat, ...]) -> Record:
    kept = record.plies[: record.last_turn_of(own)]
    return replace(record, plies=kept, resigned=None, offer=None, revision=record.revision + 1)


def _reseated(record: Record, seat: Seat, holder: str | None) -> Record:
    """Give the seat to another holder and void the offer.

    The revision stays, so that a move sent meanwhile is not stale.
    """
    one, other = record.holders
    holders = (holder, other) if seat is Seat.FIRST else (one, holder)
    return replace(record, holders=holders, offer=None)


def _offered_after(record: Record, actor: Actor, revision: int, wish: Wish) -> Record:
    check_revision(record, revision)
    if record.outcome is None:
        raise NotYourTurnError("the match goes on: that is for when it is over")
    return _offered(record, actor, wish)


def _offered(record: Record, actor: Actor, wish: Wish) -> Record:
    """Store the actor's offer, or carry it out if the other has offered the same.

    The revision stays, so that a move sent meanwhile is not stale.
    """
    (seat,) = record.held_by(actor) or (None,)
    if seat is None or record.free_seat is not None:
        raise NotYourTurnError("nobody sits across the board yet")
    if record.followed_by is not None:
        raise FinishedError("the next match has begun")
    offer = record.offer
    if offer is None or offer.seat is seat:
        return replace(record, offer=Proposal(wish, seat))
    if offer.wish is wish:
        return _agreed(record, offer)
    raise NotYourTurnError("answer what was offered to you first")


def _agreed(record: Record, offer: Proposal) -> Record:
    if offer.wish is Wish.UNDO:
        return _taken_back(record, (offer.seat,))
    (first, second), (one, other) = record.seats, record.holders
    if offer.wish is Wish.SWAP:
        again = _again(record, (second, first), (other, one))
    else:
        again = _again(record, (first, second), (one, other))
    return replace(again, follows=record.id)


def _again(
    record: Record, seats: tuple[str, str], holders: tuple[str | None, str | None]
) -> Record:
    first = Match.begin(record.match.game, record.match.start)
    return new_record(record.owner, first, seats, holders)
