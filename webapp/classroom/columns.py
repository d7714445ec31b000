"""Rows of a class as records, and records as rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from webapp.classroom.records import (
    AnswerRecord,
    ClassRecord,
    Judgement,
    Phase,
    Posed,
    RoundRecord,
    Ruling,
    SceneOf,
    SeatRecord,
)
from webapp.classroom.statements import ANSWER, CLASS, ROUND, SEAT


def class_in(row: Sequence[Any]) -> ClassRecord:
    """A class as its row has it."""
    told = dict(zip(CLASS, row, strict=True))
    return ClassRecord(**(told | {"scene": SceneOf(told["scene"]), "names": bool(told["names"])}))


def class_columns(record: ClassRecord) -> dict[str, Any]:
    """And back."""
    return asdict(record) | {"scene": str(record.scene)}


def seat_in(row: Sequence[Any]) -> SeatRecord:
    """A student."""
    told = dict(zip(SEAT, row, strict=True))
    return SeatRecord(**(told | {"removed": bool(told["removed"])}))


def answer_in(row: Sequence[Any]) -> AnswerRecord:
    """What a student said."""
    told = dict(zip(ANSWER, row, strict=True))
    return AnswerRecord(**(told | {"hidden": bool(told["hidden"])}))


def round_in(row: Sequence[Any]) -> RoundRecord:
    """A question in one of its phases."""
    told = dict(zip(ROUND, row, strict=True))
    choices, ruling = told["choices"], told["ruling"]
    pairs = None if choices is None else json.loads(choices)
    asked = Posed(
        game=told["game"],
        prompt=told["prompt"],
        start=told["start"],
        moves=tuple(told["moves"].split()),
        choices=None if pairs is None else tuple(text for text, _ in pairs),
        claims=None if pairs is None else tuple(claim for _, claim in pairs),
        truth=told["truth"],
        machine=told["machine"],
        seconds=told["seconds"],
    )
    return RoundRecord(
        number=told["number"],
        asked=asked,
        phase=Phase(told["phase"]),
        vote=told["vote"],
        deadline=told["deadline"],
        ruling=None if ruling is None else _ruling(json.loads(ruling)),
        match_ply=told["match_ply"],
        created=told["created"],
    )


def _ruling(told: dict[str, Any]) -> Ruling:
    judgements = tuple(Judgement(**each) for each in told["judgements"])
    return Ruling(judgements, told["why"], told["source"])


def round_columns(record: RoundRecord) -> dict[str, Any]:
    """And back, but for its class."""
    asked, choices = record.asked, record.asked.choices
    return {
        "number": record.number,
        "game": asked.game,
        "start": asked.start,
        "moves": " ".join(asked.moves),
        "prompt": asked.prompt,
        "choices": None
        if choices is None
        else json.dumps(list(zip(choices, asked.claims or choices, strict=True))),
        "truth": asked.truth,
        "machine": asked.machine,
        "seconds": asked.seconds,
        "match_ply": record.match_ply,
        "phase": str(record.phase),
        "vote": record.vote,
        "deadline": record.deadline,
        "ruling": None if record.ruling is None else json.dumps(asdict(record.ruling)),
        "created": record.created,
    }
