"""The one way through a change: counted, decided inside its transaction, answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Response, request

from webapp.matches import rules
from webapp.replays.models import UNSTORED, PlyRecord, Record, one_line, pack_analysis
from webapp.replays.query import match_path, with_query
from webapp.replays.requests import agent_reply, begin_reply
from webapp.replays.visits import change_response, look_after_change, no_content, say_errors_on
from webapp.services import services
from webapp.web.cookies import Actor, current_actor
from webapp.web.errors import InvalidFormError
from webapp.web.htmx import go_to, partial_is_wanted


def start(record: Record, query: str = "") -> Response:
    """Keep a new match and go to it, looking at it as the query says."""
    services().spend_on_match(len(record.plies))
    return started(services().store.create(record), query)


def started(record: Record, query: str = "") -> Response:
    """Go to a match that has just begun; an agent that moves first is already thinking."""
    begin_reply(record)
    return go_to(record.path + query)


Decision = Callable[[Record, Actor, int], Record]


def change(match_id: str, decide: Decision) -> Response:
    """What `decide` makes of the match, the actor and the form's revision; or a new match."""
    begin_change(match_id)
    actor, revision = current_actor(), form_revision()
    return finish(match_id, lambda record: decide(record, actor, revision))


def reply(match_id: str) -> Response:
    """The same with the move of an agent, once it has made up its mind."""
    begin_change(match_id)
    actor, revision = current_actor(), form_revision()
    record = services().store.find(match_id)
    if not rules.reply_is_due(record, actor, revision):
        return change_response(record, look_after_change())
    answer = agent_reply(record, show=look_after_change().shows_mover)
    if answer is None:
        return still_thinking(match_id)
    ply = PlyRecord(answer.move, revision, one_line(answer.note), pack_analysis(answer.analysis))
    return finish(match_id, lambda now: rules.answered(now, actor, ply))


def begin_change(match_id: str) -> None:
    """Count this request; what goes wrong with it is said on the board as it then stands."""
    say_errors_on(partial(services().store.find, match_id), look_after_change())
    services().spend()


def finish(match_id: str, decide: Callable[[Record], Record]) -> Response:
    """Store what was decided, and show it: the match, or the new one that it came to."""

    def counted(record: Record) -> Record:
        after = decide(record)
        if after.id == UNSTORED:
            services().spend_on_match(len(after.plies))
        return after

    record = services().store.change(match_id, counted)
    if record.id != match_id:
        return started(record)
    begin_reply(record, show=look_after_change().shows_mover)
    return change_response(record, look_after_change())


def still_thinking(match_id: str) -> Response:
    """Nothing to show yet: htmx asks again by itself, a browser gets its page back."""
    if partial_is_wanted():
        return no_content()
    return go_to(with_query(match_path(match_id), look_after_change()))


def form_revision() -> int:
    """The revision this form was made in; raises InvalidFormError."""
    text = request.form.get("revision", "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise InvalidFormError(text, "the form does not say which board it was made for")
    return int(text)
