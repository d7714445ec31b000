"""Changes to a match: limit the rate, decide inside the transaction, store, respond."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial

from flask import Response, request

from webapp.matches import rules
from webapp.matches.store import MatchStore
from webapp.replays.advice import begin_reply, reply_question
from webapp.replays.analysis_store import pack_analysis
from webapp.replays.models import UNSTORED, PlyRecord, Record, one_line
from webapp.replays.query import MatchQuery, match_path
from webapp.replays.routes import (
    Found,
    change_response,
    form_query,
    no_content,
    show_errors_on_match,
)
from webapp.services import service
from webapp.web.cookies import Actor, current_actor, player_of_this_request
from webapp.web.errors import InvalidFormError
from webapp.web.htmx import go_to, partial_is_wanted
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank

Decision = Callable[[Record, Actor, int], Record]  # of the match, the actor, the form's revision


def start(record: Record, query: str = "") -> Response:
    """Store a new match and redirect to it with this query string."""
    service(RateLimits).spend_on_match(len(record.plies))
    return started(service(MatchStore).create(record), query)


def started(record: Record, query: str = "") -> Response:
    """Start the first agent's move and redirect to the match."""
    begin_reply(service(WorkerClient), record)
    return go_to(record.path + query)


def find(match_id: str) -> Record:
    return service(MatchStore).find(match_id)


def play_on(found: Found) -> Response:
    """Start the visitor's own match from a ply of any game; its revision does not matter."""
    query = _begin(found)
    return start(rules.played_on(found(), player_of_this_request(), query.ply))


def change(match_id: str, decide: Decision) -> Response:
    """Read the match, decide purely and write it in one transaction, then respond."""
    query = _begin(partial(find, match_id)).after_change
    actor, revision = current_actor(), form_revision()
    return _finish(match_id, query, lambda record: decide(record, actor, revision))


def reply(match_id: str) -> Response:
    """Play the agent's move once it is ready, and respond."""
    query = _begin(partial(find, match_id)).after_change
    actor, revision = current_actor(), form_revision()
    record = find(match_id)
    if not rules.reply_is_due(record, actor, revision):
        return change_response(record, query)
    question = reply_question(record, show=query.shows_mover)
    answer = service(WorkerClient).answer(question, Rank.REPLY)
    if answer is None:  # htmx polls; a browser is sent back to the match
        return no_content() if partial_is_wanted() else go_to(query.url(match_path(match_id)))
    if answer.forfeits:
        why = answer.note or ""
        return _finish(match_id, query, lambda now: rules.forfeited(now, actor, revision, why))
    ply = PlyRecord(answer.move, revision, one_line(answer.note), pack_analysis(answer.analysis))
    return _finish(match_id, query, lambda now: rules.answered(now, actor, ply))


def form_revision() -> int:
    """The revision field of the form; raises InvalidFormError."""
    text = request.form.get("revision", "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise InvalidFormError(text, "the form does not say which board it was made for")
    return int(text)


def _begin(found: Found) -> MatchQuery:
    """Apply the rate limit; errors of this request are shown on the match."""
    query = form_query()
    show_errors_on_match(found, query.after_change)
    service(RateLimits).spend()
    return query


def _finish(match_id: str, query: MatchQuery, decide: Callable[[Record], Record]) -> Response:
    """Store the decision and respond with the match, or the new one it started."""

    def counted(record: Record) -> Record:
        after = decide(record)
        if after.id == UNSTORED:
            service(RateLimits).spend_on_match(len(after.plies))
        return after

    record = service(MatchStore).change(match_id, counted)
    if record.id != match_id:
        return started(record, MatchQuery(lesson=query.lesson).url(""))
    begin_reply(service(WorkerClient), record, show=query.shows_mover)
    return change_response(record, query)


def _moved(record: Record, actor: Actor, revision: int) -> Record:
    """A person's move, which a form may build from several fields: a row and a count."""
    return rules.moved(record, actor, "".join(request.form.getlist("move")), revision)


def _invited(record: Record, actor: Actor, revision: int) -> Record:
    return rules.invited(record, actor, revision, secrets.token_urlsafe(16))


# Each a POST to the match with the revision it was made for.
ACTIONS: dict[str, Decision] = {
    "moves": _moved,
    "undo": rules.taken_back,
    "resign": rules.resigned,
    "swap": rules.swapped,
    "rematch": rules.rematched,
    "next": rules.advanced,
    "invite": _invited,
    "uninvite": rules.uninvited,
    "accept": rules.accepted,
    "decline": rules.declined,
}
