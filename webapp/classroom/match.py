"""A match of the class against a machine: each ply is a round, the most voted move is played."""

from __future__ import annotations

from dataclasses import replace

from agents.roster import agent_title, player_spec, ready_spec
from engine import Seat
from webapp.classroom import rules
from webapp.classroom.models import ClassSession, ClosedVoteError, Phase, Scene
from webapp.classroom.reveal import count_answers
from webapp.classroom.store import ClassStore
from webapp.classroom.views import MatchStory
from webapp.matches import rules as match_rules
from webapp.matches.store import MatchStore
from webapp.questions.models import Question
from webapp.replays import permissions
from webapp.replays.models import PlyRecord, Record, new_record, one_line
from webapp.replays.ply_view import Viewing
from webapp.replays.query import MatchQuery, Visit
from webapp.replays.review import story_for
from webapp.services import Clock, service
from webapp.web.cookies import Actor
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import MAX_INLINE_TRAINING_S, AnalysisRequest

PROMPT = "What do we play?"


def begun(
    session: ClassSession,
    place: Question,
    machine: str,
    seat: Seat,
    seconds: int | None,
    move: str | None = None,
) -> ClassSession:
    """Start a match from a position, with the class's first move if one was voted already."""
    rules.check_not_over(session)
    game = place.match.game
    agent = ready_spec(player_spec(machine, game), game, MAX_INLINE_TRAINING_S)
    record = session.record
    seats = (record.seat, agent) if seat is Seat.FIRST else (agent, record.seat)
    stored = service(MatchStore).create(new_record(record.owner, place.match, seats))
    if move is not None:
        stored = _play_move(session, stored, move)
    change = service(ClassStore).change
    session = change(record.id, lambda now: _with_match(now, stored.id, seconds))
    return advance(session, stored, fresh=True)


def moved(session: ClassSession, move: str) -> ClassSession:
    """Play the class's move."""
    record = find_match(session)
    current = session.round
    if current is None or current.match_ply != len(record.plies) or current.is_open:
        raise ClosedVoteError("close the vote on this move first")
    played = _play_move(session, record, move)
    return advance(service(ClassStore).change(session.record.id, _shown), played)


def play_if_due(session: ClassSession, now: float) -> ClassSession | None:
    """Play the favourite of a counted-down vote once due; None before, or without votes."""
    at, current = rules.plays_at(session), session.round
    if at is None or now < at or current is None:
        return None
    favourite = count_answers(session, current, worths=False).favourite
    is_current = current.match_ply == len(
        find_match(session).plies
    )  # else another request played it
    return moved(session, favourite) if favourite is not None and is_current else None


def replied(session: ClassSession) -> ClassSession | None:
    """Play the machine's move; None while it is still thinking."""
    record = find_match(session)
    if not permissions.agent_is_to_move(record):
        return advance(session, record)
    answer = service(WorkerClient).answer(_reply_request(record), Rank.REPLY)
    if answer is None:
        return None
    ply = PlyRecord(answer.move, record.revision, one_line(answer.note))
    actor = _actor(session)
    change = service(MatchStore).change
    return advance(session, change(record.id, lambda now: match_rules.answered(now, actor, ply)))


def advance(session: ClassSession, record: Record, *, fresh: bool = False) -> ClassSession:
    """Go on to the summary, the machine's turn or the next vote.

    Unless the match is `fresh`, that vote may be open already.
    """
    change = service(ClassStore).change
    if record.outcome is not None:
        return change(session.record.id, lambda now: _with_scene(now, Scene.STORY))
    if permissions.agent_is_to_move(record):
        service(WorkerClient).ask(_reply_request(record), Rank.REPLY)
        return change(session.record.id, lambda now: _with_scene(now, Scene.MATCH))
    at = service(Clock).now()
    machine = next(record.seats[seat] for seat in record.agents)
    question = Question(
        game=record.game,
        prompt=PROMPT,
        start=record.start,
        moves=tuple(ply.text for ply in record.plies),
        machine=machine,
    )
    ply = len(record.plies)

    def ask(now: ClassSession) -> ClassSession:
        current, voting = now.round, now.record.scene is Scene.ROUND
        if voting and not fresh and current is not None and current.match_ply == ply:
            return now  # another request asked it
        return rules.asked(now, question, at, session.record.pace, ply)

    return change(session.record.id, ask)


def find_match(session: ClassSession) -> Record:
    """The class's match; raises ClosedVoteError without one."""
    if session.record.match_id is None:
        raise ClosedVoteError("the class plays no match")
    return service(MatchStore).find(session.record.match_id)


def match_story(session: ClassSession) -> MatchStory:
    """Result and turning point of the match."""
    record = find_match(session)
    visit = Visit(
        _actor(session), MatchQuery(), record.path, "", frozenset(), int(service(Clock).now())
    )
    story = story_for(Viewing(record, visit))
    return MatchStory(
        result=_result(record),
        sentence=story.sentence,
        before=story.before,
        tally=story.tally,
        pending=story.pending,
        url=f"{record.path}?story=1",
    )


def opponent_title(record: Record) -> str:
    return agent_title(next(record.seats[seat] for seat in record.agents), record.game)


def _result(record: Record) -> str:
    outcome = record.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "A draw"
    return "The class wins" if outcome.winner in record.people else f"{opponent_title(record)} wins"


def _play_move(session: ClassSession, record: Record, move: str) -> Record:
    actor, revision = _actor(session), record.revision
    change = service(MatchStore).change
    return change(record.id, lambda now: match_rules.moved(now, actor, move, revision))


def _reply_request(record: Record) -> AnalysisRequest:
    """The machine's move, with the seed of the match page, so that both share the answer."""
    agent = record.seats[record.match.state.to_move]
    moves = tuple(ply.text for ply in record.plies)
    return AnalysisRequest(
        record.game, record.start, moves, agent, f"{record.id}:{record.revision}"
    )


def _actor(session: ClassSession) -> Actor:
    return Actor(seat=session.record.seat)


def _with_match(session: ClassSession, match_id: str, seconds: int | None) -> ClassSession:
    record = replace(session.record, match_id=match_id, pace=seconds)
    return replace(_shown(session), record=record)


def _with_scene(session: ClassSession, scene: Scene) -> ClassSession:
    shown = _shown(session)
    return replace(shown, record=replace(shown.record, scene=scene))


def _shown(session: ClassSession) -> ClassSession:
    """Reveal the round whose move was played."""
    current = session.round
    if current is None or current.is_open or current.phase is Phase.REVEALED:
        return session
    return replace(session, round=replace(current, phase=Phase.REVEALED))
