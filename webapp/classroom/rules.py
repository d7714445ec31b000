"""How a class is conducted: rooms in, rooms out, nothing stored.

A round goes *open → closed → (talk → open again → closed) → revealed*, and never back.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import IllegalMoveError
from webapp.classroom.models import (
    A_DAY,
    KEPT_DAYS,
    VOTES,
    AnswerRecord,
    ClosedVoteError,
    NotYourClassError,
    Phase,
    Posed,
    Room,
    RoundRecord,
    Ruling,
    SceneOf,
    SeatRecord,
)
from webapp.replays.errors import StaleError
from webapp.web.errors import InvalidFormError

LATE = 1.0  # seconds after a deadline in which an answer on its way still counts
SHOWN = 5.0  # seconds after a deadline until what was voted is played, where votes are counted down


def asked(room: Room, question: Posed, now: float, match_ply: int | None = None) -> Room:
    """The next round, with its vote open; what was open before is closed."""
    check_runs(room)
    if not question.answers:
        raise InvalidFormError("", "the game is over there: there is nothing to ask")
    number = (room.round.number if room.round else 0) + 1
    begun = RoundRecord(
        number,
        question,
        deadline=_deadline(question, now),
        match_ply=match_ply,
        created=int(now),
    )
    record = replace(room.record, round=number, scene=SceneOf.ROUND)
    return Room(record, begun)


def closed(room: Room, number: int, vote: int, now: float) -> Room:
    """No more answers; one that was closed already stays so. A countdown ends there."""
    current = _current(room, number)
    if current.vote != vote or not current.is_open:
        return room
    deadline = None if current.deadline is None else min(current.deadline, now)
    return _with(room, replace(current, phase=Phase.CLOSED, deadline=deadline))


def has_lapsed(phase: str | None, deadline: float | None, now: float) -> bool:
    """Whether a vote that its row calls open is over by the clock."""
    return phase == Phase.OPEN and deadline is not None and now > deadline + LATE


def lapsed(room: Room, now: float) -> Room:
    """The room by the clock: a vote whose time is over is closed, with nobody to close it.

    Its version is the one that it has once that is written, so that whoever looks sees a change.
    """
    current = room.round
    if current is None or not has_lapsed(current.phase, current.deadline, now):
        return room
    record = replace(room.record, version=room.record.version + 1)
    return Room(record, replace(current, phase=Phase.CLOSED))


def plays_at(room: Room) -> float | None:
    """When what was voted in a match with a countdown is played by itself.

    Whoever lets them talk or reveals wants to speak about it, and plays by hand.
    """
    current, record = room.round, room.record
    if current is None or current.match_ply is None or current.deadline is None:
        return None
    counts = record.pace is not None and record.scene is SceneOf.ROUND and not record.is_over
    return current.deadline + SHOWN if counts and current.phase is Phase.CLOSED else None


def talked(room: Room, number: int) -> Room:
    """Let them talk to each other before they vote again."""
    current = _current(room, number)
    if current.phase is Phase.TALK:
        return room
    _check(current.phase is Phase.CLOSED, "close the vote first")
    _check(current.vote < VOTES, "they have voted twice")
    return _with(room, replace(current, phase=Phase.TALK))


def voted_again(room: Room, number: int, now: float) -> Room:
    """The second vote on the same question."""
    current = _current(room, number)
    if current.is_open and current.vote == VOTES:
        return room
    _check(current.phase in (Phase.CLOSED, Phase.TALK), "close the vote first")
    _check(current.vote < VOTES, "they have voted twice")
    again = replace(
        current, phase=Phase.OPEN, vote=current.vote + 1, deadline=_deadline(current.asked, now)
    )
    return _with(room, again)


def settled(room: Room, number: int, ruling: Ruling) -> Room:
    """With what each answer is worth, which only the control is told before the reveal."""
    current = _current(room, number)
    return room if current.ruling is not None else _with(room, replace(current, ruling=ruling))


def revealed(room: Room, number: int) -> Room:
    """Everything is shown."""
    current = _current(room, number)
    if current.phase is Phase.REVEALED:
        return room
    _check(not current.is_open, "close the vote first")
    _check(current.ruling is not None, "what the answers are worth is still being worked out")
    return _with(room, replace(current, phase=Phase.REVEALED))


def shown_by(room: Room, number: int, machine: str) -> Room:
    """Another machine's thoughts."""
    current = _current(room, number)
    return _with(room, replace(current, asked=replace(current.asked, machine=machine)))


def ended(room: Room) -> Room:
    """The class is over: its code leads nowhere, its answers stay for the teacher to take along."""
    after = room
    if room.round is not None and room.round.is_open:
        after = _with(room, replace(room.round, phase=Phase.CLOSED))
    return replace(after, record=replace(after.record, code=None))


def kept(room: Room) -> Room:
    """For longer than a day."""
    return replace(room, record=replace(room.record, ends=room.record.created + KEPT_DAYS * A_DAY))


def accepted(
    room: Room, seat: SeatRecord | None, number: int, vote: int, text: str, now: float
) -> AnswerRecord:
    """An answer for the vote that it was given in, while that is open."""
    if seat is None:
        raise NotYourClassError("join the class first: then you can answer")
    if seat.removed:
        raise NotYourClassError("your teacher has taken you out of this class")
    current = room.round
    if current is None or (current.number, current.vote) != (number, vote):
        raise StaleError("that question is over: this is what is asked now")
    if not current.is_open or has_lapsed(current.phase, current.deadline, now):
        raise ClosedVoteError("the vote is closed: your answer came too late")
    return AnswerRecord(number, vote, seat.number, read_answer(current.asked, text))


def read_answer(question: Posed, text: str) -> str:
    """One of the answers there are; raises what is wrong with it."""
    if question.choices is not None:
        if text not in question.choices:
            raise InvalidFormError(text, "that is none of the answers")
        return text
    move = question.match.game.parse_move(text)
    if str(move) not in question.answers:
        why = f"{move} cannot be played here"
        raise IllegalMoveError(move, question.match.state, why)
    return str(move)


def check_runs(room: Room) -> None:
    """Raises ClosedVoteError."""
    _check(not room.record.is_over, "this class is over: begin another one")


def _current(room: Room, number: int) -> RoundRecord:
    check_runs(room)
    if room.round is None or room.round.number != number:
        raise StaleError("another question is on by now")
    return room.round


def _with(room: Room, current: RoundRecord) -> Room:
    return replace(room, round=current)


def _deadline(question: Posed, now: float) -> float | None:
    return None if question.seconds is None else now + question.seconds


def _check(holds: bool, why: str) -> None:
    if not holds:
        raise ClosedVoteError(why)
