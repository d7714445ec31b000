"""How a match begins, whoever begins it: kept, its first agent set thinking, and gone to."""

from __future__ import annotations

from flask import Response

from webapp.play.asking import begin_reply
from webapp.play.look import path_of
from webapp.play.records import Record
from webapp.services import services
from webapp.web.htmx import go_to


def start(record: Record) -> Response:
    """Keep a new match and go to it."""
    services().spend_on_match(len(record.plies))
    return started(services().store.create(record))


def started(record: Record) -> Response:
    """Go to a match that has just begun; an agent that moves first is already thinking."""
    begin_reply(record)
    return go_to(path_of(record.id))
