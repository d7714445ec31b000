"""Changes to a match: limit the rate, decide inside the transaction, store, respond."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Response, request

from webapp.matches import rules
from webapp.matches.store import Store
from webapp.replays.models import UNSTORED, PlyRecord, Record, one_line, pack_analysis
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, match_path, with_query
from webapp.replays.requests import agent_reply, begin_reply
from webapp.replays.visits import (
    change_response,
    look_after_change,
    looked_at,
    no_content,
    say_errors_on,
)
from webapp.services import service
from webapp.web.cookies import Actor, current_actor
from webapp.web.errors import InvalidFormError
from webapp.web.htmx import go_to, partial_is_wanted
from webapp.web.rate_limits import RateLimits

Decision = Callable[[Record, Actor, int], Record]


def start(record: Record, query: str = "") -> Response:
    """Store a new match and redirect to it with this query string."""
    service(RateLimits).spend_on_match(len(record.plies))
    return started(service(Store).create(record), query)


def started(record: Record, query: str = "") -> Response:
    """Start the first agent's move and redirect to the match."""
    begin_reply(record)
    return go_to(record.path + query)


def change(match_id: str, decide: Decision) -> Response:
    """Apply `decide` to the match, the actor and the form's revision, and respond."""
    begin_change(match_id)
    actor, revision = current_actor(), form_revision()
    return finish(match_id, lambda record: decide(record, actor, revision))


def reply(match_id: str) -> Response:
    """Play the agent's move once it is ready, and respond."""
    begin_change(match_id)
    actor, revision = current_actor(), form_revision()
    record = service(Store).find(match_id)
    if not rules.reply_is_due(record, actor, revision):
        return change_response(record, look_after_change())
    answer = agent_reply(record, show=look_after_change().shows_mover)
    if answer is None:
        return _still_pending(match_id)
    ply = PlyRecord(answer.move, revision, one_line(answer.note), pack_analysis(answer.analysis))
    return finish(match_id, lambda now: rules.answered(now, actor, ply))


def begin_change(match_id: str) -> None:
    """Apply the rate limit; errors of this request are shown on the match."""
    say_errors_on(partial(service(Store).find, match_id), look_after_change())
    service(RateLimits).spend()


def finish(match_id: str, decide: Callable[[Record], Record]) -> Response:
    """Store the decision and respond with the match, or the new one it started."""

    def counted(record: Record) -> Record:
        after = decide(record)
        if after.id == UNSTORED:
            service(RateLimits).spend_on_match(len(after.plies))
        return after

    record = service(Store).change(match_id, counted)
    if record.id != match_id:
        return started(record)
    begin_reply(record, show=look_after_change().shows_mover)
    return change_response(record, look_after_change())


def _still_pending(match_id: str) -> Response:
    """204 for htmx, which polls; a redirect back to the match for a browser."""
    if partial_is_wanted():
        return no_content()
    return go_to(with_query(match_path(match_id), look_after_change()))


def form_revision() -> int:
    """The revision field of the form; raises InvalidFormError."""
    text = request.form.get("revision", "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise InvalidFormError(text, "the form does not say which board it was made for")
    return int(text)


def open_match(match_id: str, query: Look) -> Viewing:
    """Load a match; later errors of this request are shown on its page."""
    return looked_at(partial(service(Store).find, match_id), query)
