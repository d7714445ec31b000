"""The class plays a machine: each ply is a round, the most voted move is played."""

from __future__ import annotations

from dataclasses import replace

from agents.roster import agent_title, player_spec, ready_spec
from engine import Seat
from webapp.classroom import rules
from webapp.classroom.models import ClosedVoteError, Phase, Posed, Room, SceneOf
from webapp.classroom.reveal import tally_of
from webapp.classroom.store import ClassStore
from webapp.classroom.views import MatchStory
from webapp.matches import rules as match_rules
from webapp.matches.store import Store
from webapp.replays import permissions
from webapp.replays.models import PlyRecord, Record, new_record, one_line
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, Visit
from webapp.replays.review import story_for
from webapp.services import Clock, service
from webapp.web.cookies import Actor
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import ON_THE_SPOT, Question

PROMPT = "What do we play?"


def begun(
    room: Room, place: Posed, machine: str, seat: Seat, seconds: int | None, move: str | None = None
) -> Room:
    """A match of the class against the machine, from there; with its first move, if that is voted.

    The class's turn is a round; while the machine has to move, the screen says so.
    """
    rules.check_runs(room)
    game = place.match.game
    agent = ready_spec(player_spec(machine, game), game, ON_THE_SPOT)
    record = room.record
    seats = (record.seat, agent) if seat is Seat.FIRST else (agent, record.seat)
    stored = service(Store).create(new_record(record.owner, place.match, seats))
    if move is not None:
        stored = _moved(room, stored, move)
    change = service(ClassStore).change
    room = change(record.id, lambda now: _with_match(now, stored.id, seconds))
    return went_on(room, stored, fresh=True)


def moved(room: Room, move: str) -> Room:
    """The class's move is played on the board."""
    record = find_match(room)
    current = room.round
    if current is None or current.match_ply != len(record.plies) or current.is_open:
        raise ClosedVoteError("close the vote on this move first")
    played = _moved(room, record, move)
    return went_on(service(ClassStore).change(room.record.id, _shown), played)


def went_on_in_time(room: Room, now: float) -> Room | None:
    """After the favourite was played, once that is due; None before, and where nobody voted."""
    at, current = rules.plays_at(room), room.round
    if at is None or now < at or current is None:
        return None
    favourite = tally_of(room, current, worths=False).favourite
    is_on = current.match_ply == len(find_match(room).plies)  # and no other press has played it
    return moved(room, favourite) if favourite is not None and is_on else None


def replied(room: Room) -> Room | None:
    """After the machine's answer; None while it is still thinking."""
    record = find_match(room)
    if not permissions.agent_is_to_move(record):
        return went_on(room, record)
    answer = service(WorkerClient).answer(_question(record), Rank.REPLY)
    if answer is None:
        return None
    ply = PlyRecord(answer.move, record.revision, one_line(answer.note))
    actor = _actor(room)
    change = service(Store).change
    return went_on(room, change(record.id, lambda now: match_rules.answered(now, actor, ply)))


def went_on(room: Room, record: Record, *, fresh: bool = False) -> Room:
    """What comes next: the end and its story, the machine's turn, or the next vote.

    Unless the match has only begun, that vote may be on already.
    """
    change = service(ClassStore).change
    if record.outcome is not None:
        return change(room.record.id, lambda now: _at(now, SceneOf.STORY))
    if permissions.agent_is_to_move(record):
        service(WorkerClient).ask(_question(record), Rank.REPLY)
        return change(room.record.id, lambda now: _at(now, SceneOf.MATCH))
    at = service(Clock).now()
    machine = next(record.seats[seat] for seat in record.agents)
    posed = Posed(
        record.game,
        PROMPT,
        record.start,
        tuple(ply.text for ply in record.plies),
        machine=machine,
        seconds=room.record.pace,
    )
    ply = len(record.plies)

    def ask(now: Room) -> Room:
        current, votes = now.round, now.record.scene is SceneOf.ROUND
        if votes and not fresh and current is not None and current.match_ply == ply:
            return now  # asked already, by another press
        return rules.asked(now, posed, at, ply)

    return change(room.record.id, ask)


def find_match(room: Room) -> Record:
    """The class's match; raises ClosedVoteError where there is none."""
    if room.record.match_id is None:
        raise ClosedVoteError("the class plays no match")
    return service(Store).find(room.record.match_id)


def story_of(room: Room) -> MatchStory:
    """How it ended, and where it turned."""
    record = find_match(room)
    visit = Visit(_actor(room), Look(), record.path, "", frozenset(), int(service(Clock).now()))
    story = story_for(Viewing(record, visit))
    return MatchStory(
        result=_result(record),
        sentence=story.sentence,
        before=story.before,
        tally=story.tally,
        pending=story.pending,
        url=f"{record.path}?story=1",
    )


def opponent_of(record: Record) -> str:
    """Whom the class plays, by name."""
    return agent_title(next(record.seats[seat] for seat in record.agents), record.game)


def _result(record: Record) -> str:
    outcome = record.outcome
    if outcome is None:
        return ""
    if outcome.winner is None:
        return "A draw"
    return "The class wins" if outcome.winner in record.people else f"{opponent_of(record)} wins"


def _moved(room: Room, record: Record, move: str) -> Record:
    actor, revision = _actor(room), record.revision
    change = service(Store).change
    return change(record.id, lambda now: match_rules.moved(now, actor, move, revision))


def _question(record: Record) -> Question:
    """The machine's turn, seeded as on the match's own page: so it thinks the same there."""
    agent = record.seats[record.match.state.to_move]
    moves = tuple(ply.text for ply in record.plies)
    return Question(record.game, record.start, moves, agent, f"{record.id}:{record.revision}")


def _actor(room: Room) -> Actor:
    return Actor(seat=room.record.seat)


def _with_match(room: Room, match_id: str, seconds: int | None) -> Room:
    record = replace(room.record, match_id=match_id, pace=seconds)
    return replace(_shown(room), record=record)


def _at(room: Room, scene: SceneOf) -> Room:
    shown = _shown(room)
    return replace(shown, record=replace(shown.record, scene=scene))


def _shown(room: Room) -> Room:
    """A round whose move is played has nothing left to hide."""
    current = room.round
    if current is None or current.is_open or current.phase is Phase.REVEALED:
        return room
    return replace(room, round=replace(current, phase=Phase.REVEALED))
