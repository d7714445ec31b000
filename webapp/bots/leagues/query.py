"""The query string of a league's page."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.web.query import Query, flag


@dataclass(frozen=True)
class LeagueQuery(Query):
    """What a league's address holds beyond its path."""

    present: bool = flag()  # for a projector
