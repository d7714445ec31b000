"""The teacher's control page: the state of the class, the right answers, and the actions."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote_plus

from flask import request

from agents.formats import portion
from agents.roster import agent_title, agents_for, analysts_for
from engine.catalog import all_variants
from webapp.classroom import rules
from webapp.classroom.addresses import address_choices, class_host, invite_view, is_local_only
from webapp.classroom.cup import cup_view
from webapp.classroom.match import match_story
from webapp.classroom.models import (
    DAY_S,
    MAX_VOTES,
    ClassRecord,
    ClassSession,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
    game_title,
)
from webapp.classroom.page import (
    announcement_text,
    current_opponent,
    current_question,
    phase_of,
    turnout_view,
)
from webapp.classroom.plans import plan_view
from webapp.classroom.reveal import answers_by_seat, machine_for, machine_view, result_view
from webapp.classroom.store import ClassStore
from webapp.classroom.tallies import BallotCount, share_right, teaching_advice
from webapp.classroom.views import ControlView, StudentView
from webapp.questions.truths import has_board
from webapp.services import Clock, service
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.qr import qr_code


def control_view(session: ClassSession, message: Message | None = None) -> ControlView:
    record, current = session.record, session.round
    phase, turnout = phase_of(session), turnout_view(session)
    seats = service(ClassStore).seats(record.id)
    vote_over = current is not None and not current.is_open and record.scene is Scene.ROUND
    result = result_view(session, current) if current and vote_over else None
    settling = vote_over and current is not None and current.truth is None
    right, advice = _share_right(session, current)
    story = match_story(session) if phase == Scene.STORY else None
    cup = cup_view(session)
    said = machine_view(record.path, current) if current and phase == Phase.REVEALED else None
    pending = [int(bool(part and part.pending)) for part in (said, story)]
    parts = (record.version, turnout.answered, turnout.here, int(settling), len(seats))
    version_key = ".".join(map(str, (*parts, *pending, cup.known if cup else "")))
    key_url = f"{request.scheme}://{class_host(record)}{record.path}/key/{record.key}"
    favourite = _playable_favourite(current, result.tally if result else None)
    return ControlView(
        path=record.path,
        follow=f"{record.path}?known={version_key}",
        version=record.version,
        announcement=announcement_text(session),
        invite=invite_view(record),
        screen_url=f"{record.path}/screen",
        key_url=key_url,
        key_code=qr_code(key_url),
        phase=phase,
        question=current_question(session),
        turnout=turnout,
        result=result,
        said=said,
        right=right,
        advice=advice,
        settling=settling,
        talk=current is not None and current.phase is Phase.CLOSED and current.vote < MAX_VOTES,
        plays=current is not None and current.match_ply is not None,
        opponent=current_opponent(session),
        plays_in=_plays_in(session),
        story=story,
        cup=cup,
        lesson=plan_view(record),
        opponents=_opponents(),
        variants=tuple(Choice(game.spec, game_title(game.spec), False) for game in all_variants()),
        favourite=favourite,
        best=_better_move(current, favourite),
        machines=_analysts(current),
        starts=_starts(),
        students=_students(session, seats),
        here=turnout.here,
        names=record.names,
        kept=record.ends - record.created > DAY_S,
        over=record.is_over,
        ends=_expiry_text(record),
        addresses=address_choices(record),
        only_here=is_local_only(),
        rounds=record.round,
        message=message,
    )


def _starts() -> tuple[tuple[str, str], ...]:
    """Links to ask about the start of each named variant."""
    return tuple(
        (game_title(game.spec), f"/class/ask?game={quote_plus(game.spec)}")
        for game in all_variants()
    )


def _opponents() -> tuple[Choice, ...]:
    """Every machine that plays some game."""
    specs = {entry.key: entry.title for game in all_variants() for entry in agents_for(game)}
    return tuple(Choice(key, title, key == "random") for key, title in specs.items())


def _plays_in(session: ClassSession) -> float | None:
    """Seconds until the favourite is played automatically, rounded up."""
    at = rules.plays_at(session)
    return None if at is None else max(0.1, round(at - service(Clock).now() + 0.1, 1))


def _share_right(session: ClassSession, current: RoundRecord | None) -> tuple[str, str]:
    """Share of right answers in the last vote, and advice on what to do next."""
    if current is None or current.is_open:
        return "", ""
    answers = service(ClassStore).answers(session.record.id, current.number)
    share = share_right(current, answers, current.vote)
    if share is None:
        return "", ""
    advice = "" if current.phase is Phase.REVEALED else teaching_advice(share)
    return f"{portion(share)} are right", advice


def _playable_favourite(current: RoundRecord | None, found: BallotCount | None) -> str | None:
    """The most voted move, which can be played for the class."""
    if current is None or found is None or current.question.choices:
        return None
    return found.favourite


def _better_move(current: RoundRecord | None, favourite: str | None) -> str | None:
    """A best move, unless the favourite is one."""
    if current is None or current.is_open or current.question.choices:
        return None
    return None if favourite in current.best else next(iter(current.best), None)


def _analysts(current: RoundRecord | None) -> tuple[Choice, ...]:
    """Machines whose analysis can be shown."""
    if current is None or not has_board(current.question):
        return ()
    question = current.question
    chosen = machine_for(question) or ""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, question.game), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in analysts_for(question.match.game)
    )


def _students(session: ClassSession, seats: tuple[SeatRecord, ...]) -> tuple[StudentView, ...]:
    """The students, each with their answer if names are on and no vote is open."""
    current, now = session.round, service(Clock).now()
    given: dict[int, str] = {}
    if session.record.names and current is not None and not current.is_open:
        answers = service(ClassStore).answers(session.record.id, current.number)
        given = answers_by_seat(answers, current.vote)
    return tuple(
        StudentView(
            seat.number, seat.name, seat.is_here(now), seat.removed, given.get(seat.number, "")
        )
        for seat in seats
    )


def _expiry_text(record: ClassRecord) -> str:
    return f"{datetime.fromtimestamp(record.ends, UTC):%d %B, %H:%M} UTC"
