"""Forms of puzzles, read and checked; raises InvalidFormError."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any

from werkzeug.datastructures import MultiDict

from webapp.puzzles.models import START_DEVIATION, Attempt, Progress
from webapp.puzzles.query import ID
from webapp.web.errors import InvalidFormError

MAX_MOVE_CHARS = 16
MAX_TIME = 10**11  # in seconds since 1970
MAX_COUNT = 10**6
MAX_REPEATS = 100
RANGES = {  # of numbers in a file; other counts go from 0 to MAX_COUNT
    "rating": (-4000, 4000),
    "deviation": (1, START_DEVIATION),
    "repeats": (0, MAX_REPEATS),
    **dict.fromkeys(("sprint_ends", "updated", "due", "answered"), (0, MAX_TIME)),
}
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
        if each.name in values and not _fits(each.name, str(each.type), values[each.name]):
            raise InvalidFormError("", f"progress with puzzles: {each.name} makes no sense")
    made = replace(record, **values)
    if isinstance(made, Attempt) and not ID.fullmatch(made.puzzle):
        raise InvalidFormError("", "progress with puzzles names one that cannot be")
    return made


def _fits(name: str, kind: str, value: Any) -> bool:
    if value is None:
        return "None" in kind
    low, high = RANGES.get(name, (0, MAX_COUNT))
    match kind.partition(" ")[0]:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return type(value) is int and low <= value <= high
        case "float":
            return type(value) in (int, float) and low <= value <= high  # no NaN, none so huge
        case _:
            return isinstance(value, str) and value.isprintable() and len(value) <= MAX_MOVE_CHARS
