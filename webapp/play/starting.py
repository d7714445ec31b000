"""How a match begins, whoever begins it: kept, its first agent set thinking, and gone to."""

from __future__ import annotations

from flask import Response

from webapp.play.asking import begin_reply
from webapp.play.records import Record
from webapp.services import services
from webapp.web.htmx import go_to


def start(record: Record, query: str = "") -> Response:
    """Keep a new match and go to it, looking at it as the query says."""
    services().spend_on_match(len(record.plies))
    return started(services().store.create(record), query)


def started(record: Record, query: str = "") -> Response:
    """Go to a match that has just begun; an agent that moves first is already thinking."""
    begin_reply(record)
    return go_to(record.path + query)
