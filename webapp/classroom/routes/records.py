"""What the pages of a class are made of: everything that waits or reads a database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from flask import request

from webapp.bots.store import BotStore
from webapp.classroom.addresses import Site
from webapp.classroom.control_page import ControlPage
from webapp.classroom.cup import CupPage, CupRecord, current_cup, open_cup, stored_cup
from webapp.classroom.game_store import GameStore
from webapp.classroom.match import ClassMatches, class_actor
from webapp.classroom.models import ClassSession, Phase, RoundRecord, Scene, SeatRecord
from webapp.classroom.page import ClassData, machine_for
from webapp.classroom.phone_page import PhonePage
from webapp.classroom.screen_page import ScreenPage
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.simultaneous import SimultaneousGames
from webapp.classroom.store import ClassStore
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.models import KeptBrain, UnknownJobError
from webapp.jobs.store import JobStore
from webapp.lab.arena.page import ArenaPage, cached_standings
from webapp.lab.query import ArenaQuery
from webapp.matches.store import MatchStore
from webapp.questions.models import Question
from webapp.questions.requests import analysis_request
from webapp.replays.advice import has_exhibit
from webapp.replays.models import Record, UnknownMatchError
from webapp.replays.query import MatchQuery
from webapp.replays.story import Story, story_analyses
from webapp.replays.view import MatchView, Visit
from webapp.services import Clock, service
from webapp.web.cookies import current_player
from webapp.web.messages import Message
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import MoveAnswer


def site() -> Site:
    return Site(request.scheme, request.host, service(Config).listens)


def class_matches() -> ClassMatches:
    stores = service(ClassStore), service(SeatStore), service(MatchStore)
    return ClassMatches(*stores, service(WorkerClient), service(Clock).now)


def games_at_once() -> SimultaneousGames:
    matches = service(MatchStore)
    return SimultaneousGames(
        service(ClassStore),
        service(SeatStore),
        matches,
        GameStore(matches.database),
        service(WorkerClient),
        service(Clock).now,
    )


def control_page(
    session: ClassSession, message: Message | None = None, game: str | None = None
) -> ControlPage:
    is_closed = session.round is not None and not session.round.is_open
    return ControlPage(_class_data(session, results=is_closed, seats=True), message, game)


def screen_page(session: ClassSession) -> ScreenPage:
    is_revealed = session.round is not None and session.round.phase is Phase.REVEALED
    shows_votes = is_revealed and session.phase in (Phase.REVEALED, Scene.MATCH)
    return ScreenPage(_class_data(session, results=shows_votes), current_player())


def phone_page(
    session: ClassSession,
    seat: SeatRecord,
    pick: str | None,
    message: Message | None,
    machine: str | None = None,
) -> PhonePage:
    record, number = session.record, session.round.number if session.round else 0
    own = service(SeatStore).own_answers(record.id, number, seat.number) if number else ()
    data = ClassData(
        session,
        site(),
        service(Clock).now(),
        match=_phone_match(session, seat),
        cup=_cup_page(session, _cup_seats(session)),
    )
    return PhonePage(data, seat, own, _own_brains(session, seat), pick, message, machine)


def _phone_match(session: ClassSession, seat: SeatRecord) -> Record | None:
    """The match that a phone shows: the class's, or the student's own."""
    match session.record.scene:
        case Scene.MATCH | Scene.STORY:
            return class_matches().find(session)
        case Scene.SIMULTANEOUS:
            return games_at_once().find(session, seat.number)
        case _:
            return None


def _cup_seats(session: ClassSession) -> tuple[SeatRecord, ...]:
    """Who has entered the cup, once it is played: before, a phone shows only its own entry."""
    state = current_cup(session)
    if state is None or state.job is None:
        return ()
    return service(SeatStore).seats(session.record.id)


def _own_brains(session: ClassSession, seat: SeatRecord) -> tuple[KeptBrain, ...]:
    """Brains that a student has trained and may enter."""
    state = open_cup(session)
    return () if state is None else service(BrainStore).for_game(seat.player, state.game)


def _class_data(session: ClassSession, *, results: bool, seats: bool = False) -> ClassData:
    """Read what a page shows; the answers only where it may show `results`."""
    store, record, current = service(SeatStore), session.record, session.round
    number, vote = (current.number, current.vote) if current else (0, 0)
    state = current_cup(session)
    machine, comment = None, None
    if current is not None and session.phase == Phase.REVEALED:
        machine, comment = _machine_comment(current.question)
    match = class_matches().find(session) if session.plays_match else None
    found_seats = store.seats(record.id) if seats or results or state else ()
    return ClassData(
        session,
        site(),
        service(Clock).now(),
        turnout=store.turnout(record.id, number, vote),
        seats=found_seats,
        answers=store.answers(record.id, number) if results else (),
        match=match,
        story=_story(session, match) if match and session.phase == Scene.STORY else None,
        machine=machine,
        comment=comment,
        cup=_cup_page(session, found_seats),
        wall=games_at_once().wall(session) if record.scene is Scene.SIMULTANEOUS else None,
    )


def _machine_comment(question: Question) -> tuple[str | None, MoveAnswer | None]:
    """The machine that comments on a revealed question, and its analysis unless pending."""
    machine = machine_for(question)
    if machine is None or question.match.outcome() is not None:
        return None, None
    try:
        request = analysis_request(question, machine, show=has_exhibit(machine))
        return machine, service(WorkerClient).answer(request, Rank.PANEL)
    except BusyError:
        return machine, None


def _story(session: ClassSession, match: Record) -> Story:
    view = MatchView(match, Visit(class_actor(session), MatchQuery()))
    return Story(view, story_analyses(match, service(WorkerClient)))


def played_matches(rounds: Sequence[RoundRecord]) -> tuple[Record, ...]:
    """The matches that the class has played in these rounds, as far as they are kept."""
    found = []
    for match_id in dict.fromkeys(each.match_id for each in rounds if each.match_id):
        with suppress(UnknownMatchError):
            found.append(service(MatchStore).find(match_id))
    return tuple(found)


def played_cup(session: ClassSession, seats: tuple[SeatRecord, ...]) -> CupPage | None:
    """The last cup of a class, once it has begun, whatever the class does by now."""
    state = stored_cup(session)
    return None if state is None or state.job is None else _made_cup(session, state, seats)


def _cup_page(session: ClassSession, seats: tuple[SeatRecord, ...]) -> CupPage | None:
    state = current_cup(session)
    return None if state is None else _made_cup(session, state, seats)


def _made_cup(session: ClassSession, state: CupRecord, seats: tuple[SeatRecord, ...]) -> CupPage:
    workers, arena = service(Config).jobs.workers, _arena_page(state)
    bots = service(BotStore).of_class(session.record.id)
    return CupPage(state, seats, workers, arena, bots=bots, names=session.record.names)


def _arena_page(state: CupRecord) -> ArenaPage | None:
    """The arena of the cup; None before its start, or if it was deleted."""
    try:
        job = None if state.job is None else service(JobStore).find(state.job)
    except UnknownJobError:
        return None
    if job is None:
        return None
    standings = cached_standings(service(JobStore), job)
    return ArenaPage(state.url, job, standings, ArenaQuery(present=True))
