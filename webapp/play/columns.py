"""A record of a match as the columns of its row, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import Seat
from webapp.play.records import PlyRecord, Proposal, Record

MOVES = 16  # columns of a match before those of its moves
DRAWN = 2  # where a result names no winner's seat


def record_of(match_id: str, rows: Sequence[Any]) -> Record:
    owner, game, first, second, one, other, start, revision, resigned, updated = rows[0][:10]
    invitation, offer, followed_by, *seen, created = rows[0][10:MOVES]
    return Record(
        id=match_id,
        owner=owner,
        game=game,
        seats=(first, second),
        holders=(one, other),
        start=start,
        plies=tuple(PlyRecord(*row[MOVES:]) for row in rows if row[MOVES] is not None),
        revision=revision,
        resigned=None if resigned is None else Seat(resigned),
        updated=updated,
        invitation=invitation,
        offer=None if offer is None else Proposal.read(offer),
        followed_by=followed_by,
        seen=(seen[0], seen[1]),
        created=created,
    )


def _result(record: Record) -> int | None:
    if record.outcome is None:
        return None
    return DRAWN if record.outcome.winner is None else int(record.outcome.winner)


def columns_of(record: Record) -> dict[str, object]:
    """The columns of a match that change as it is played."""
    return {
        "first": record.seats[0],
        "second": record.seats[1],
        "first_holder": record.holders[0],
        "second_holder": record.holders[1],
        "revision": record.revision,
        "resigned": None if record.resigned is None else int(record.resigned),
        "over": record.outcome is not None,
        "result": _result(record),
        "invitation": record.invitation,
        "offer": None if record.offer is None else str(record.offer),
        "followed_by": record.followed_by,
        "updated": record.updated,
    }
