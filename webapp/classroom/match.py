"""A match of the class against a machine: each ply is a round, the most voted move is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.roster import agent_title, player_spec, ready_spec
from engine import Seat
from webapp.classroom import rules
from webapp.classroom.models import ClassSession, ClosedVoteError, Phase, Scene
from webapp.classroom.results import Result
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.matches import rules as match_rules
from webapp.matches.store import MatchStore
from webapp.questions.models import Question
from webapp.replays.advice import reply_question
from webapp.replays.models import PlyRecord, Record, new_record, one_line
from webapp.web.cookies import Actor
from webapp.workers.analyses import MAX_INLINE_TRAINING_S
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank

PROMPT = "What do we play?"


@dataclass(frozen=True, slots=True)
class ClassMatches:
    """Plays the matches of classes."""

    classes: ClassStore
    seats: SeatStore
    matches: MatchStore
    workers: WorkerClient
    now: Callable[[], float]

    def begin(
        self,
        session: ClassSession,
        question: Question,
        machine: str,
        seat: Seat,
        seconds: int | None,
        move: str | None = None,
    ) -> ClassSession:
        """Start a match from a position, with the class's first move if one was voted already."""
        rules.check_not_over(session)
        game = question.match.game
        agent = ready_spec(player_spec(machine, game), game, MAX_INLINE_TRAINING_S)
        record = session.record
        seats = (record.seat, agent) if seat is Seat.FIRST else (agent, record.seat)
        stored = self.matches.create(new_record(record.owner, question.match, seats))
        if move is not None:
            stored = self._play_move(session, stored, move)
        session = self.classes.change(record.id, lambda now: _with_match(now, stored.id, seconds))
        return self._advance(session, stored, fresh=True)

    def move(self, session: ClassSession, move: str) -> ClassSession:
        """Play the class's move."""
        record = self.find(session)
        current = session.round
        if current is None or current.match_ply != len(record.plies) or current.is_open:
            raise ClosedVoteError("close the vote on this move first")
        played, due = self._play_move(session, record, move), self.now() + rules.REPLY_DELAY_S
        shown = self.classes.change(session.record.id, lambda now: _shown(now, due))
        return self._advance(shown, played)

    def play_if_due(self, session: ClassSession) -> ClassSession | None:
        """Play the favourite of a counted-down vote once due; None before, or without votes."""
        at, current = rules.plays_at(session), session.round
        if at is None or self.now() < at or current is None:
            return None
        class_id = session.record.id
        answers = self.seats.answers(class_id, current.number)
        favourite = Result(current, answers, self.seats.seats(class_id)).favourite
        # Otherwise another request has played it.
        is_current = current.match_ply == len(self.find(session).plies)
        return self.move(session, favourite) if favourite is not None and is_current else None

    def reply_if_due(self, session: ClassSession) -> ClassSession | None:
        """Play the machine's move once the class has seen how its votes fell; None before."""
        due = None if session.round is None else session.round.deadline
        return None if due is not None and self.now() < due else self.reply(session)

    def reply(self, session: ClassSession) -> ClassSession | None:
        """Play the machine's move; None while it is still thinking."""
        record = self.find(session)
        if not record.agent_is_to_move:
            return self._advance(session, record)
        answer = self.workers.answer(reply_question(record), Rank.REPLY)
        if answer is None:
            return None
        ply = PlyRecord(answer.move, record.revision, one_line(answer.note))
        actor = class_actor(session)
        after = self.matches.change(record.id, lambda now: match_rules.answered(now, actor, ply))
        return self._advance(session, after)

    def find(self, session: ClassSession) -> Record:
        """The class's match; raises ClosedVoteError without one."""
        if session.record.match_id is None:
            raise ClosedVoteError("the class plays no match")
        return self.matches.find(session.record.match_id)

    def _advance(
        self, session: ClassSession, record: Record, *, fresh: bool = False
    ) -> ClassSession:
        """Go on to the summary, the machine's turn or the next vote.

        Unless the match is `fresh`, that vote may be open already.
        """
        change, class_id = self.classes.change, session.record.id
        if record.outcome is not None:
            return change(class_id, lambda now: _with_scene(now, Scene.STORY))
        if record.agent_is_to_move:
            self.workers.ask(reply_question(record), Rank.REPLY)
            return change(class_id, lambda now: _with_scene(now, Scene.MATCH))
        at, ply, pace = self.now(), len(record.plies), session.record.pace
        question = match_question(record)

        def ask(now: ClassSession) -> ClassSession:
            current, voting = now.round, now.record.scene is Scene.ROUND
            if voting and not fresh and current is not None and current.match_ply == ply:
                return now  # another request asked it
            return rules.asked(now, question, at, pace, ply)

        return change(class_id, ask)

    def _play_move(self, session: ClassSession, record: Record, move: str) -> Record:
        actor, revision = class_actor(session), record.revision
        return self.matches.change(
            record.id, lambda now: match_rules.moved(now, actor, move, revision)
        )


def match_question(record: Record) -> Question:
    """The question that a class votes on in its match."""
    return Question(
        game=record.game,
        prompt=PROMPT,
        start=record.start,
        moves=tuple(ply.text for ply in record.plies),
        machine=next(record.seats[seat] for seat in record.agents),
    )


def opponent_title(record: Record) -> str:
    return agent_title(next(record.seats[seat] for seat in record.agents), record.game)


def match_text(record: Record) -> str:
    """Whom the class plays, and what was played last: `We play Perfect. It played a1.`"""
    told = f"We play {opponent_title(record)}."
    if not record.plies:
        return told
    last = record.plies[-1].text
    return f"{told} We played {last}." if record.agent_is_to_move else f"{told} It played {last}."


def result_text(record: Record) -> str:
    """Who has won; empty while it is played."""
    outcome = record.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "A draw"
    return "The class wins" if outcome.winner in record.people else f"{opponent_title(record)} wins"


def class_actor(session: ClassSession) -> Actor:
    """The class as a player of its match."""
    return Actor(seat=session.record.seat)


def _with_match(session: ClassSession, match_id: str, seconds: int | None) -> ClassSession:
    return _shown(session).with_record(match_id=match_id, pace=seconds)


def _with_scene(session: ClassSession, scene: Scene) -> ClassSession:
    return _shown(session).with_record(scene=scene)


def _shown(session: ClassSession, due: float | None = None) -> ClassSession:
    """Reveal the round whose move was played; its deadline is when the machine answers."""
    current = session.round
    if current is None or current.is_open:
        return session
    if current.phase is Phase.REVEALED and due is None:
        return session
    return session.with_round(phase=Phase.REVEALED, deadline=due)
