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
                "move": str(candidate.move),
                "value": candidate.value,
                "chance": candidate.chance,
                "proven": candidate.proven,
                "plies": candidate.plies,
                "share": candidate.share,
                "figure": candidate.figure,
                "line": [str(move) for move in candidate.line],
            }
            for candidate in analysis.candidates
        ],
        "evidence": [{"name": fact.name, "value": fact.value} for fact in analysis.evidence],
        "effort": {
            "nodes": analysis.effort.nodes,
            "depth": analysis.effort.depth,
            "seconds": round(analysis.effort.seconds, 6),
        },
    }


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
