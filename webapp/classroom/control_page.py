"""The teacher's control: everything about a class, what is right included, and what can be done."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote_plus

from flask import request

from agents.formats import portion
from agents.roster import agent_title, agents_for, analysts_for
from engine.catalog import all_variants
from webapp.classroom import rules
from webapp.classroom.addresses import addresses_for, host_for, invite_to, is_only_here
from webapp.classroom.cup import cup_view
from webapp.classroom.match import story_of
from webapp.classroom.models import (
    A_DAY,
    VOTES,
    ClassRecord,
    Phase,
    Room,
    RoundRecord,
    SceneOf,
    SeatRecord,
    game_title,
)
from webapp.classroom.page import announcement_of, opponent_in, phase_of, shown_question, turnout_of
from webapp.classroom.plans import lesson_view
from webapp.classroom.reveal import by_seat, machine_for, result_of, said_of
from webapp.classroom.store import ClassStore
from webapp.classroom.tallies import BallotCount, rule_of_thumb, share_right
from webapp.classroom.views import ControlView, StudentView
from webapp.services import Clock, service
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.qr import code_of


def control_view(room: Room, message: Message | None = None) -> ControlView:
    """All of it, for the teacher's eyes."""
    record, current = room.record, room.round
    phase, turnout = phase_of(room), turnout_of(room)
    seats = service(ClassStore).seats(record.id)
    over_votes = current is not None and not current.is_open and record.scene is SceneOf.ROUND
    result = result_of(room, current) if current and over_votes else None
    settling = over_votes and current is not None and current.ruling is None
    right, advice = _right(room, current)
    story = story_of(room) if phase == SceneOf.STORY else None
    cup = cup_view(room)
    said = said_of(record.path, current) if current and phase == Phase.REVEALED else None
    pending = [int(bool(part and part.pending)) for part in (said, story)]
    parts = (record.version, turnout.answered, turnout.here, int(settling), len(seats))
    known = ".".join(map(str, (*parts, *pending, cup.known if cup else "")))
    key_url = f"{request.scheme}://{host_for(record)}{record.path}/key/{record.key}"
    favourite = _favourite(current, result.tally if result else None)
    return ControlView(
        path=record.path,
        follow=f"{record.path}?known={known}",
        version=record.version,
        announcement=announcement_of(room),
        invite=invite_to(record),
        screen_url=f"{record.path}/screen",
        key_url=key_url,
        key_code=code_of(key_url),
        phase=phase,
        question=shown_question(room),
        turnout=turnout,
        result=result,
        said=said,
        right=right,
        advice=advice,
        settling=settling,
        talk=current is not None and current.phase is Phase.CLOSED and current.vote < VOTES,
        plays=current is not None and current.match_ply is not None,
        opponent=opponent_in(room),
        plays_in=_plays_in(room),
        story=story,
        cup=cup,
        lesson=lesson_view(record),
        opponents=_opponents(),
        variants=tuple(Choice(game.spec, game_title(game.spec), False) for game in all_variants()),
        favourite=favourite,
        best=_best(current, favourite),
        machines=_machines(current),
        starts=_starts(),
        students=_students(room, seats),
        here=turnout.here,
        names=record.names,
        kept=record.ends - record.created > A_DAY,
        over=record.is_over,
        ends=_when(record),
        addresses=addresses_for(record),
        only_here=is_only_here(),
        rounds=record.round,
        message=message,
    )


def _starts() -> tuple[tuple[str, str], ...]:
    """The start of every variant that has a name."""
    return tuple(
        (game_title(game.spec), f"/class/ask?game={quote_plus(game.spec)}")
        for game in all_variants()
    )


def _opponents() -> tuple[Choice, ...]:
    """Every machine that plays some game here; whether it plays the chosen one it says itself."""
    specs = {entry.key: entry.title for game in all_variants() for entry in agents_for(game)}
    return tuple(Choice(key, title, key == "random") for key, title in specs.items())


def _plays_in(room: Room) -> float | None:
    """When what was voted is played by itself, in seconds from now, and not a moment before."""
    at = rules.plays_at(room)
    return None if at is None else max(0.1, round(at - service(Clock).now() + 0.1, 1))


def _right(room: Room, current: RoundRecord | None) -> tuple[str, str]:
    """The share that is right in the last vote, and what to do about it."""
    if current is None or current.is_open:
        return "", ""
    answers = service(ClassStore).answers(room.record.id, current.number)
    share = share_right(current, answers, current.vote)
    if share is None:
        return "", ""
    advice = "" if current.phase is Phase.REVEALED else rule_of_thumb(share)
    return f"{portion(share)} are right", advice


def _favourite(current: RoundRecord | None, found: BallotCount | None) -> str | None:
    """The move that can be played on the board for the class."""
    if current is None or found is None or current.asked.choices is not None:
        return None
    return found.favourite


def _best(current: RoundRecord | None, favourite: str | None) -> str | None:
    """A move that is better than the favourite, or the best where there is none."""
    if current is None or current.is_open or current.asked.choices is not None:
        return None
    return None if favourite in current.best else next(iter(current.best), None)


def _machines(current: RoundRecord | None) -> tuple[Choice, ...]:
    """Whose thoughts can be shown."""
    if current is None or not current.asked.has_board:
        return ()
    posed = current.asked
    chosen = machine_for(posed) or ""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, posed.game), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in analysts_for(posed.match.game)
    )


def _students(room: Room, seats: tuple[SeatRecord, ...]) -> tuple[StudentView, ...]:
    """Who is in the class; what each said only where names are on, and no vote is open."""
    current, now = room.round, service(Clock).now()
    told: dict[int, str] = {}
    if room.record.names and current is not None and not current.is_open:
        answers = service(ClassStore).answers(room.record.id, current.number)
        told = by_seat(answers, current.vote)
    return tuple(
        StudentView(
            seat.number, seat.name, seat.is_here(now), seat.removed, told.get(seat.number, "")
        )
        for seat in seats
    )


def _when(record: ClassRecord) -> str:
    return f"{datetime.fromtimestamp(record.ends, UTC):%d %B, %H:%M} UTC"
