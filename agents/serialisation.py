"""Analyses to and from JSON documents, for programs and for storage with a move."""

from __future__ import annotations

from typing import Any

from agents.core import Analysis, Candidate, Effort, Fact, Measure
from engine.core import Game


def to_document(analysis: Analysis[Any]) -> dict[str, Any]:
    """The analysis as JSON values, without its exhibit, which is computed on request."""
    return {
        "choice": str(analysis.choice),
        "reason": analysis.reason,
        "measure": analysis.measure.value,
        "candidates": [
            {
                **_fields(candidate),
                "move": str(candidate.move),
                "line": [str(move) for move in candidate.line],
            }
            for candidate in analysis.candidates
        ],
        "evidence": [_fields(fact) for fact in analysis.evidence],
        "effort": {**_fields(analysis.effort), "seconds": round(analysis.effort.seconds, 6)},
    }


def _fields(record: Candidate[Any] | Fact | Effort) -> dict[str, Any]:
    """The fields as they are; `asdict` would convert moves too, and `fields` be slow."""
    return {name: getattr(record, name) for name in record.__match_args__}


def from_document(document: dict[str, Any], game: Game[Any, Any]) -> Analysis[Any]:
    """Read `to_document` back."""
    read = game.parse_move
    candidates = tuple(
        Candidate(**{**entry, "move": read(entry["move"]), "line": tuple(map(read, entry["line"]))})
        for entry in document["candidates"]
    )
    return Analysis(
        candidates,
        document["reason"],
        read(document["choice"]),
        tuple(Fact(**fact) for fact in document["evidence"]),
        Effort(**document["effort"]),
        Measure(document["measure"]),
    )
