"""Pure decisions about a class: a class with its round in, the changed one out.

A round goes *open → closed → (talk → open again → closed) → revealed*, and never back.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import IllegalMoveError
from webapp.classroom.models import (
    DAY_S,
    KEPT_CLASS_DAYS,
    MAX_VOTES,
    AnswerRecord,
    ClosedVoteError,
    NotYourClassError,
    Phase,
    Posed,
    Room,
    RoundRecord,
    Ruling,
    Scene,
    SeatRecord,
)
from webapp.replays.errors import StaleError
from webapp.web.errors import InvalidFormError

ANSWER_GRACE_S = 1.0  # after a deadline: answers in transit still count
AUTOPLAY_DELAY_S = 5.0  # from a deadline in a match until the favourite is played


def asked(room: Room, question: Posed, now: float, match_ply: int | None = None) -> Room:
    """Start the next round with its vote open."""
    check_not_over(room)
    if not question.answers:
        raise InvalidFormError("", "the game is over there: there is nothing to ask")
    number = (room.round.number if room.round else 0) + 1
    started = RoundRecord(
        number,
        question,
        deadline=_deadline(question, now),
        match_ply=match_ply,
        created=int(now),
    )
    record = replace(room.record, round=number, scene=Scene.ROUND)
    return Room(record, started)


def closed(room: Room, number: int, vote: int, now: float) -> Room:
    """Close the vote, and its countdown; does nothing if it was closed already."""
    current = _current(room, number)
    if current.vote != vote or not current.is_open:
        return room
    deadline = None if current.deadline is None else min(current.deadline, now)
    return _with_round(room, replace(current, phase=Phase.CLOSED, deadline=deadline))


def is_past_deadline(phase: str | None, deadline: float | None, now: float) -> bool:
    """Whether a vote stored as open has passed its deadline."""
    return phase == Phase.OPEN and deadline is not None and now > deadline + ANSWER_GRACE_S


def close_expired_vote(room: Room, now: float) -> Room:
    """Close a vote whose deadline has passed.

    The version is raised as the next write will raise it, so that polling pages see a change.
    """
    current = room.round
    if current is None or not is_past_deadline(current.phase, current.deadline, now):
        return room
    record = replace(room.record, version=room.record.version + 1)
    return Room(record, replace(current, phase=Phase.CLOSED))


def plays_at(room: Room) -> float | None:
    """When the favourite move of a counted-down vote is played automatically.

    None after *talk* or *reveal*: then the teacher plays it by hand.
    """
    current, record = room.round, room.record
    if current is None or current.match_ply is None or current.deadline is None:
        return None
    timed = record.pace is not None and record.scene is Scene.ROUND and not record.is_over
    return current.deadline + AUTOPLAY_DELAY_S if timed and current.phase is Phase.CLOSED else None


def talked(room: Room, number: int) -> Room:
    """Start the discussion before the second vote."""
    current = _current(room, number)
    if current.phase is Phase.TALK:
        return room
    _require(current.phase is Phase.CLOSED, "close the vote first")
    _require(current.vote < MAX_VOTES, "they have voted twice")
    return _with_round(room, replace(current, phase=Phase.TALK))


def voted_again(room: Room, number: int, now: float) -> Room:
    """Open the second vote on the same question."""
    current = _current(room, number)
    if current.is_open and current.vote == MAX_VOTES:
        return room
    _require(current.phase in (Phase.CLOSED, Phase.TALK), "close the vote first")
    _require(current.vote < MAX_VOTES, "they have voted twice")
    again = replace(
        current, phase=Phase.OPEN, vote=current.vote + 1, deadline=_deadline(current.asked, now)
    )
    return _with_round(room, again)


def settled(room: Room, number: int, ruling: Ruling) -> Room:
    """Store the ruling, which only the control page shows before the reveal."""
    current = _current(room, number)
    return (
        room if current.ruling is not None else _with_round(room, replace(current, ruling=ruling))
    )


def revealed(room: Room, number: int) -> Room:
    """Make answers and ruling public."""
    current = _current(room, number)
    if current.phase is Phase.REVEALED:
        return room
    _require(not current.is_open, "close the vote first")
    _require(current.ruling is not None, "what the answers are worth is still being worked out")
    return _with_round(room, replace(current, phase=Phase.REVEALED))


def with_machine(room: Room, number: int, machine: str) -> Room:
    """Change the machine whose analysis is shown."""
    current = _current(room, number)
    return _with_round(room, replace(current, asked=replace(current.asked, machine=machine)))


def ended(room: Room) -> Room:
    """End the class: its code is freed, its answers stay for the report."""
    after = room
    if room.round is not None and room.round.is_open:
        after = _with_round(room, replace(room.round, phase=Phase.CLOSED))
    return replace(after, record=replace(after.record, code=None))


def kept(room: Room) -> Room:
    """Keep the class for KEPT_CLASS_DAYS instead of a day."""
    return replace(
        room, record=replace(room.record, ends=room.record.created + KEPT_CLASS_DAYS * DAY_S)
    )


def accepted(
    room: Room, seat: SeatRecord | None, number: int, vote: int, text: str, now: float
) -> AnswerRecord:
    """Validate an answer for the vote it was given in."""
    if seat is None:
        raise NotYourClassError("join the class first: then you can answer")
    if seat.removed:
        raise NotYourClassError("your teacher has taken you out of this class")
    current = room.round
    if current is None or (current.number, current.vote) != (number, vote):
        raise StaleError("that question is over: this is what is asked now")
    if not current.is_open or is_past_deadline(current.phase, current.deadline, now):
        raise ClosedVoteError("the vote is closed: your answer came too late")
    return AnswerRecord(number, vote, seat.number, read_answer(current.asked, text))


def read_answer(question: Posed, text: str) -> str:
    """Parse an answer; raises InvalidFormError or IllegalMoveError."""
    if question.choices is not None:
        if text not in question.choices:
            raise InvalidFormError(text, "that is none of the answers")
        return text
    move = question.match.game.parse_move(text)
    if str(move) not in question.answers:
        why = f"{move} cannot be played here"
        raise IllegalMoveError(move, question.match.state, why)
    return str(move)


def check_not_over(room: Room) -> None:
    """Raise ClosedVoteError if the class has ended."""
    _require(not room.record.is_over, "this class is over: begin another one")


def _current(room: Room, number: int) -> RoundRecord:
    check_not_over(room)
    if room.round is None or room.round.number != number:
        raise StaleError("another question is on by now")
    return room.round


def _with_round(room: Room, current: RoundRecord) -> Room:
    return replace(room, round=current)


def _deadline(question: Posed, now: float) -> float | None:
    return None if question.seconds is None else now + question.seconds


def _require(holds: bool, why: str) -> None:
    if not holds:
        raise ClosedVoteError(why)
