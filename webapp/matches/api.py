"""Matches over the API, for the scripts of people: begin one, move, hear the reply, resign."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, make_response

from webapp.api.requests import api_blueprint, current_person, json_body, site, spend_for_anyone
from webapp.matches import rules
from webapp.matches.changes import find
from webapp.matches.forms import read_match, read_move, read_revision
from webapp.matches.store import MatchStore
from webapp.replays.advice import reply_question
from webapp.replays.analysis_store import pack_analysis
from webapp.replays.documents import current_document
from webapp.replays.models import PlyRecord, Record, one_line
from webapp.services import service
from webapp.web.cookies import Actor
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

match_api = api_blueprint("match_api")

AGAIN_S = 0.5  # until a script asks again for the machine's move


@match_api.post("/matches")
def begin() -> Response:
    """Begin a match against a machine; where it moves first, its move may be there already."""
    person = current_person()
    record = read_match(json_body(), person)
    service(RateLimits).spend_on_match(0)
    stored = _with_reply(service(MatchStore).create(record), person)
    response = make_response(jsonify(_document(stored)), 201)
    response.headers["Location"] = f"{site()}/api/1/matches/{stored.id}"
    return response


@match_api.get("/matches/<match_id>")
def show(match_id: str) -> Response:
    """A match, for anyone who has its id."""
    spend_for_anyone()
    return jsonify(_document(find(match_id)))


@match_api.post("/matches/<match_id>/moves")
def move(match_id: str) -> Response:
    """Play a move; the same once more, for the same revision, changes nothing."""
    person, body = current_person(), json_body()
    text, revision = read_move(body), read_revision(body)

    def decide(record: Record) -> Record:
        return rules.moved(record, person, text, record.revision if revision is None else revision)

    return _changed(service(MatchStore).change(match_id, decide), person)


@match_api.post("/matches/<match_id>/reply")
def reply(match_id: str) -> Response:
    """The match with the machine's move, or 202 while it thinks."""
    person, record = current_person(), find(match_id)
    record.check_actor(person)
    return _changed(record, person, waiting=202)


@match_api.post("/matches/<match_id>/resign")
def resign(match_id: str) -> Response:
    """Give the match up."""
    person, revision = current_person(), read_revision(json_body())

    def decide(record: Record) -> Record:
        return rules.resigned(record, person, record.revision if revision is None else revision)

    return jsonify(_document(service(MatchStore).change(match_id, decide)))


def _changed(record: Record, person: Actor, waiting: int = 200) -> Response:
    """The match with the machine's move, or the status that says that it is still to come."""
    record = _with_reply(record, person)
    if not record.agent_is_to_move:
        return jsonify(_document(record))
    response = make_response(jsonify(_document(record)), waiting)
    response.headers["Retry-After"] = "1"
    return response


def _with_reply(record: Record, person: Actor) -> Record:
    """The match with the machine's move, if that is due and ready within a moment."""
    if not record.agent_is_to_move:
        return record
    try:
        answer = service(WorkerClient).answer(reply_question(record), Rank.REPLY)
    except BusyError:  # the script asks again
        return record
    if answer is None:
        return record
    note, analysis = one_line(answer.note), pack_analysis(answer.analysis)
    ply = PlyRecord(answer.move, record.revision, note, analysis)
    return service(MatchStore).change(record.id, lambda now: rules.answered(now, person, ply))


def _document(record: Record) -> dict[str, Any]:
    """The match as its `.json` has it, and when to ask for the machine's move."""
    again = AGAIN_S if record.agent_is_to_move else None
    return current_document(record, site()) | {"again": again}
