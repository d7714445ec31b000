"""SQL statements of the match store, and the mapping between rows and records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, func, or_, select

from engine import Seat
from webapp.replays.models import PlyRecord, Proposal, Record
from webapp.storage.tables import AnalysisRow, MatchRow, MoveRow

MATCH_ID: BindParameter[str] = bindparam("match_id")
LOAD = (
    select(
        MatchRow.owner,
        MatchRow.game,
        MatchRow.first,
        MatchRow.second,
        MatchRow.first_holder,
        MatchRow.second_holder,
        MatchRow.start,
        MatchRow.revision,
        MatchRow.resigned,
        MatchRow.updated,
        MatchRow.invitation,
        MatchRow.offer,
        MatchRow.followed_by,
        MatchRow.first_seen,
        MatchRow.second_seen,
        MatchRow.created,
        MoveRow.text,
        MoveRow.revision,
        MoveRow.note,
    )
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(MatchRow.id == MATCH_ID)
    .order_by(MoveRow.ply)
)
IS_PLAYERS = or_(
    MatchRow.owner == bindparam("owner"),
    MatchRow.first_holder == bindparam("owner"),
    MatchRow.second_holder == bindparam("owner"),
)
INVITED = select(MatchRow.id).where(MatchRow.invitation == bindparam("secret"))
PULSE = select(
    MatchRow.revision,
    MatchRow.offer,
    MatchRow.followed_by,
    MatchRow.first_holder,
    MatchRow.second_holder,
    MatchRow.first_seen,
    MatchRow.second_seen,
).where(MatchRow.id == MATCH_ID)
UNFINISHED = (
    select(MatchRow.id)
    .where(IS_PLAYERS, MatchRow.over.is_(False))
    .order_by(MatchRow.updated.desc(), MatchRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))  # without it SQLite gets an unnamed parameter
)
OF_PLAYER = (
    select(MatchRow.id)
    .where(IS_PLAYERS)
    .order_by(MatchRow.updated.desc(), MatchRow.id)
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
LENGTHS = (
    select(func.count(MoveRow.ply))
    .select_from(MatchRow)
    .outerjoin(MoveRow, MoveRow.match_id == MatchRow.id)
    .where(IS_PLAYERS)
    .group_by(MatchRow.id, MatchRow.updated)
    .order_by(MatchRow.updated.desc(), MatchRow.id)
)
BEGUN_AT = select(MatchRow.id).where(IS_PLAYERS, MatchRow.created == bindparam("began"))
FINISHED = select(
    MatchRow.game,
    MatchRow.first,
    MatchRow.second,
    MatchRow.first_holder,
    MatchRow.second_holder,
    MatchRow.result,
).where(IS_PLAYERS, MatchRow.result.is_not(None))
ABANDONED = (
    select(MatchRow.id)
    .where(MatchRow.over.is_(False), MatchRow.updated < bindparam("before"))
    .limit(bindparam("most"))
    .offset(bindparam("after"))
)
REMOVE = delete(MatchRow).where(
    MatchRow.id == MATCH_ID, MatchRow.over.is_(False), MatchRow.updated < bindparam("before")
)
DELETE_MOVES = delete(MoveRow).where(MoveRow.match_id == MATCH_ID, MoveRow.ply > bindparam("kept"))
DELETE_ANALYSES = delete(AnalysisRow).where(
    AnalysisRow.match_id == MATCH_ID, AnalysisRow.ply > bindparam("kept")
)
CHANGING_COLUMNS = (
    "first",
    "second",
    "first_holder",
    "second_holder",
    "revision",
    "resigned",
    "over",
    "result",
    "invitation",
    "offer",
    "followed_by",
    "updated",
)
SEEN_COLUMNS = ("first_seen", "second_seen")
MATCH_COLUMNS = 16  # in LOAD, before those of the move
DRAW = 2  # in the column `result`, which else is the winner's seat


def record_of(match_id: str, rows: Sequence[Any]) -> Record:
    """Rows of LOAD to record; raises ValueError or TypeError."""
    owner, game, first, second, one, other, start, revision, resigned, updated = rows[0][:10]
    invitation, offer, followed_by, *seen, created = rows[0][10:MATCH_COLUMNS]
    return Record(
        id=match_id,
        owner=owner,
        game=game,
        seats=(first, second),
        holders=(one, other),
        start=start,
        plies=tuple(
            PlyRecord(*row[MATCH_COLUMNS:]) for row in rows if row[MATCH_COLUMNS] is not None
        ),
        revision=revision,
        resigned=None if resigned is None else Seat(resigned),
        updated=updated,
        invitation=invitation,
        offer=None if offer is None else Proposal.read(offer),
        followed_by=followed_by,
        seen=(seen[0], seen[1]),
        created=created,
    )


def columns_of(record: Record) -> dict[str, object]:
    """Record to the columns that change during a match."""
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


def _result(record: Record) -> int | None:
    if record.outcome is None:
        return None
    return DRAW if record.outcome.winner is None else int(record.outcome.winner)
