"""Actions of the control on rounds: ask, close, talk, vote again, reveal."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from flask import request

from webapp.classroom import rules
from webapp.classroom.forms import read_question, read_seconds
from webapp.classroom.models import ClassSession
from webapp.classroom.page import machine_for
from webapp.classroom.routes.session import Change, change, form_number
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.questions.models import Question
from webapp.questions.requests import find_truth, request_truth
from webapp.services import Clock, service
from webapp.web.errors import InvalidFormError
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError


def ask(session: ClassSession) -> ClassSession:
    """Ask the class a question."""
    return ask_question(session, read_question(request.form), read_seconds(request.form))


def change_phase(session: ClassSession) -> ClassSession:
    """Next step of a round: close, talk, again, reveal."""
    step, number, vote = request.form.get("do", ""), form_number("round"), form_number("vote")
    now = service(Clock).now()
    steps: dict[str, Change] = {
        "close": lambda session: rules.closed(session, number, vote),
        "talk": lambda session: rules.talked(session, number),
        "again": lambda session: rules.voted_again(session, number, now),
        "reveal": lambda session: rules.revealed(session, number),
        "settle": lambda session: session,
    }
    if step not in steps:
        raise InvalidFormError(step[:20], "that is no step of a round")
    if step == "reveal":
        _store_truth(session)
    return _store_truth(change(session, lambda now: steps[step](now).with_record(shown=None)))


def choose_machine(session: ClassSession) -> ClassSession:
    """Choose the machine whose analysis is shown."""
    number, wanted = form_number("round"), request.form.get("machine", "")[:500]
    if session.round is not None:
        found = machine_for(replace(session.round.question, machine=wanted))
        if found is None:
            raise InvalidFormError(wanted[:40], "that machine cannot play this game")
        wanted = found
    return change(session, lambda now: rules.with_machine(now, number, wanted))


def hide_answer(session: ClassSession) -> ClassSession:
    """Hide an answer on the projector, or show it again."""
    said, hidden = request.form.get("answer", "")[:100], request.form.get("do") == "hide"
    service(SeatStore).hide(session.record.id, form_number("round"), said, hidden=hidden)
    return service(ClassStore).find(session.record.id)


def ask_question(session: ClassSession, question: Question, seconds: int | None) -> ClassSession:
    """Ask a question, and start computing the right answers while the class votes."""
    now = service(Clock).now()
    after = change(session, lambda current: rules.asked(current, question, now, seconds))
    with suppress(BusyError):  # requested again when the vote is closed
        request_truth(service(WorkerClient), question)
    return after


def _store_truth(session: ClassSession) -> ClassSession:
    """Store the truth once it is computed and no vote is open."""
    current = session.round
    if current is None or current.is_open or current.truth is not None:
        return session
    try:
        truth = find_truth(service(WorkerClient), current.question)
    except BusyError:
        return session
    if truth is None:
        return session
    number = current.number
    return change(session, lambda now: rules.settled(now, number, truth))
