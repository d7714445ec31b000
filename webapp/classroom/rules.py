"""Pure decisions about a class: a class with its round in, the changed one out.

A round goes *open → closed → (talk → open again → closed) → revealed*, and never back.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import IllegalMoveError
from webapp.classroom.models import (
    DAY_S,
    MAX_VOTES,
    AnswerRecord,
    ClassSession,
    ClosedVoteError,
    NotYourClassError,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
    Turnout,
)
from webapp.questions.models import Question, Truth
from webapp.questions.sketches import read_sketch
from webapp.replays.models import StaleError
from webapp.web.errors import InvalidFormError

ANSWER_GRACE_S = 1.0  # after a deadline: answers in transit still count
MAX_ROUNDS = 500  # a match has one for each move
LAST_ANSWER_S = 2.0  # in a match: from the last answer of all who are here until the vote closes
REPLY_DELAY_S = 5.0  # in a match: the class sees how its votes fell before the machine answers


def asked(
    session: ClassSession,
    question: Question,
    now: float,
    seconds: int | None = None,
    match_ply: int | None = None,
) -> ClassSession:
    """Start the next round with its vote open."""
    check_not_over(session)
    if not question.answers and not question.wants_sketch:
        raise InvalidFormError("", "the game is over there: there is nothing to ask")
    number = (session.round.number if session.round else 0) + 1
    _require(number <= MAX_ROUNDS, f"a class has {MAX_ROUNDS} rounds: begin another one")
    started = RoundRecord(
        number,
        question,
        seconds=seconds,
        deadline=_deadline(seconds, now),
        match_ply=match_ply,
        match_id=None if match_ply is None else session.record.match_id,
        named=session.record.names,
        created=int(now),
    )
    record = replace(session.record, round=number, scene=Scene.ROUND, shown=None)
    return ClassSession(record, started)


def closed(session: ClassSession, number: int, vote: int) -> ClassSession:
    """Close the vote by hand, and its countdown; does nothing if it was closed already."""
    current = _current(session, number)
    if current.vote != vote or not current.is_open:
        return session
    return session.with_round(phase=Phase.CLOSED, deadline=None)


def closing_deadline(current: RoundRecord, turnout: Turnout, now: float) -> float | None:
    """The deadline of a vote in a match that all who are here have answered; None before that."""
    if current.match_ply is None or turnout.answered < turnout.here:
        return None
    return now + LAST_ANSWER_S - ANSWER_GRACE_S


def is_past_deadline(phase: str | None, deadline: float | None, now: float) -> bool:
    """Whether a vote stored as open has passed its deadline."""
    return phase == Phase.OPEN and deadline is not None and now > deadline + ANSWER_GRACE_S


def close_expired_vote(session: ClassSession, now: float) -> ClassSession:
    """Close a vote whose deadline has passed.

    The version is raised as the next write will raise it, so that polling pages see a change.
    """
    current = session.round
    if current is None or not is_past_deadline(current.phase, current.deadline, now):
        return session
    closed_round = session.with_round(phase=Phase.CLOSED)
    return closed_round.with_record(version=session.record.version + 1)


def plays_at(session: ClassSession) -> float | None:
    """When the favourite move of a vote in a match is played: when the vote closes by itself.

    None if the teacher closed it, who then plays by hand.
    """
    current, record = session.round, session.record
    if current is None or current.match_ply is None or current.deadline is None:
        return None
    is_on = record.scene is Scene.ROUND and not record.is_over
    return current.deadline + ANSWER_GRACE_S if is_on and current.phase is Phase.CLOSED else None


def talked(session: ClassSession, number: int) -> ClassSession:
    """Start the discussion before the second vote."""
    current = _current(session, number)
    if current.phase is Phase.TALK:
        return session
    _require(current.phase is Phase.CLOSED, "close the vote first")
    _require(current.vote < MAX_VOTES, "they have voted twice")
    return session.with_round(phase=Phase.TALK)


def voted_again(session: ClassSession, number: int, now: float) -> ClassSession:
    """Open the second vote on the same question."""
    current = _current(session, number)
    if current.is_open and current.vote == MAX_VOTES:
        return session
    _require(current.phase in (Phase.CLOSED, Phase.TALK), "close the vote first")
    _require(current.vote < MAX_VOTES, "they have voted twice")
    deadline = _deadline(current.seconds, now)
    return session.with_round(phase=Phase.OPEN, vote=current.vote + 1, deadline=deadline)


def settled(session: ClassSession, number: int, truth: Truth) -> ClassSession:
    """Store the truth, which only the control page shows before the reveal."""
    is_stored = _current(session, number).truth is not None
    return session if is_stored else session.with_round(truth=truth)


def revealed(session: ClassSession, number: int) -> ClassSession:
    """Make answers and truth public."""
    current = _current(session, number)
    if current.phase is Phase.REVEALED:
        return session
    _require(not current.is_open, "close the vote first")
    _require(current.truth is not None, "what the answers are worth is still being worked out")
    return session.with_round(phase=Phase.REVEALED)


def with_machine(session: ClassSession, number: int, machine: str) -> ClassSession:
    """Change the machine whose analysis is shown."""
    question = _current(session, number).question
    return session.with_round(question=replace(question, machine=machine))


def ended(session: ClassSession) -> ClassSession:
    """End the class: its code is freed, its answers stay for the report."""
    is_open = session.round is not None and session.round.is_open
    after = session.with_round(phase=Phase.CLOSED) if is_open else session
    return after.with_record(code=None)


def kept(session: ClassSession, days: float) -> ClassSession:
    """Keep the class for so many days instead of one."""
    return session.with_record(ends=session.record.created + int(days * DAY_S))


def accepted(
    session: ClassSession, seat: SeatRecord | None, number: int, vote: int, text: str, now: float
) -> AnswerRecord:
    """Validate an answer for the vote it was given in."""
    if seat is None:
        raise NotYourClassError("join the class first: then you can answer")
    if seat.removed:
        raise NotYourClassError("your teacher has taken you out of this class")
    current = session.round
    is_asked = session.record.scene is not Scene.SIMULTANEOUS
    if current is None or not is_asked or (current.number, current.vote) != (number, vote):
        raise StaleError("that question is over: this is what is asked now")
    if not current.is_open or is_past_deadline(current.phase, current.deadline, now):
        raise ClosedVoteError("the vote is closed: your answer came too late")
    return AnswerRecord(number, vote, seat.number, read_answer(current.question, text))


def read_answer(question: Question, text: str) -> str:
    """Parse an answer; raises InvalidFormError or IllegalMoveError."""
    if question.wants_sketch:
        return " ".join(map(str, read_sketch(text)))
    if question.choices:
        if text not in question.answers:
            raise InvalidFormError(text, "that is none of the answers")
        return text
    move = question.match.game.parse_move(text)
    if str(move) not in question.answers:
        why = f"{move} cannot be played here"
        raise IllegalMoveError(move, question.match.state, why)
    return str(move)


def check_not_over(session: ClassSession) -> None:
    """Raise ClosedVoteError if the class has ended."""
    _require(not session.record.is_over, "this class is over: begin another one")


def _current(session: ClassSession, number: int) -> RoundRecord:
    check_not_over(session)
    if session.round is None or session.round.number != number:
        raise StaleError("another question is on by now")
    return session.round


def _deadline(seconds: int | None, now: float) -> float | None:
    return None if seconds is None else now + seconds


def _require(holds: bool, why: str) -> None:
    if not holds:
        raise ClosedVoteError(why)
