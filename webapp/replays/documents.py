"""A match as JSON values: what its file holds, and what programs read of it."""

from __future__ import annotations

from typing import Any

from webapp.replays.models import Record

FORMAT = "zermelo match 2"


def match_document(record: Record) -> dict[str, Any]:
    """A match in its JSON format."""
    return {
        "format": FORMAT,
        "game": record.game,
        "players": list(record.seats),
        "start": record.start,
        "moves": [str(move) for move in record.match.moves],
        "result": record.match.result(),
    }


def current_document(record: Record, site: str) -> dict[str, Any]:
    """The same, and how the match stands: at its address on this site, with who may move what."""
    match, outcome = record.match, record.outcome
    over = None
    if outcome is not None:
        winner = None if outcome.winner is None else outcome.winner.mark
        over = {"winner": winner, "ending": outcome.ending.value, "fault": record.fault}
    return match_document(record) | {
        "id": record.id,
        "state": str(match.state),
        "revision": record.revision,
        "url": site + record.path,
        "to_move": match.state.to_move.mark if outcome is None else None,
        "legal": [str(move) for move in match.state.legal_moves()] if outcome is None else [],
        "outcome": over,
    }
