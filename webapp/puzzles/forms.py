"""Forms of puzzles, read and checked; raises InvalidFormError."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from math import isfinite
from typing import Any

from werkzeug.datastructures import MultiDict

from webapp.puzzles.models import Attempt, Progress
from webapp.puzzles.query import ID
from webapp.web.errors import InvalidFormError

MAX_MOVE_CHARS = 16
MAX_NUMBER = 10**11  # also of a time in seconds since 1970
MAX_RATING = 4000.0
MAX_ATTEMPTS = 3_000
MAX_DIGITS = 9


def read_answer(fields: MultiDict[str, str]) -> str:
    """A move, which a form may build from several fields: a row and a count."""
    move = "".join(fields.getlist("move")).strip()
    if not move or len(move) > MAX_MOVE_CHARS:
        raise InvalidFormError(move[:MAX_MOVE_CHARS], "an answer is a move on the board")
    return move


def read_revision(fields: MultiDict[str, str]) -> int | None:
    """How many answers there were when the form was made; None if it does not say."""
    text = fields.get("revision", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None


def progress_document(progress: Progress, attempts: tuple[Attempt, ...]) -> dict[str, Any]:
    """A player's progress to take along, without who they are."""
    kept = {name: value for name, value in asdict(progress).items() if name != "id"}
    return {"progress": kept, "attempts": [asdict(each) for each in attempts]}


def read_progress(document: Any, player: str, now: int) -> tuple[Progress, tuple[Attempt, ...]]:
    """Read what `progress_document` wrote; raises InvalidFormError."""
    attempts = document.get("attempts") if isinstance(document, dict) else None
    if not isinstance(attempts, list) or len(attempts) > MAX_ATTEMPTS:
        raise InvalidFormError("", f"progress with puzzles has at most {MAX_ATTEMPTS} of them")
    progress: Progress = _record(Progress(player), document.get("progress"))
    return replace(progress, sprint_ends=0, updated=now), tuple(
        _record(Attempt(""), each) for each in attempts
    )


def _record(record: Any, values: Any) -> Any:
    """The record with the values of a JSON object, each of its field's kind; raises."""
    if not isinstance(values, dict) or not values.keys() <= {each.name for each in fields(record)}:
        raise InvalidFormError("", "progress with puzzles has other fields")
    values = {name: value for name, value in values.items() if name != "id"}
    for each in fields(record):
        if each.name in values and not _fits(str(each.type), values[each.name]):
            raise InvalidFormError("", f"progress with puzzles: {each.name} makes no sense")
    made = replace(record, **values)
    if isinstance(made, Attempt) and not ID.fullmatch(made.puzzle):
        raise InvalidFormError("", "progress with puzzles names one that cannot be")
    return made


def _fits(kind: str, value: Any) -> bool:
    if value is None:
        return "None" in kind
    match kind.partition(" ")[0]:
        case "bool":
            return isinstance(value, bool)
        case "int":
            whole = isinstance(value, int) and not isinstance(value, bool)
            return whole and 0 <= value <= MAX_NUMBER
        case "float":
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and isfinite(value) and 0 < value <= MAX_RATING
        case _:
            return isinstance(value, str) and value.isprintable() and len(value) <= MAX_MOVE_CHARS
