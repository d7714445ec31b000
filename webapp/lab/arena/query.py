"""The query string of an arena's page."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.web.query import Query, flag, text

MAX_KNOWN_CHARS = 40


@dataclass(frozen=True)
class ArenaQuery(Query):
    """The query string of an arena's page."""

    seats: bool = flag()  # results by seat
    present: bool = flag()  # for a projector
    known: str | None = text(MAX_KNOWN_CHARS)  # of a poll: the version that the page shows
