"""Forms of assignments, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from itsdangerous import BadSignature, Signer

from agents.puzzles.models import LEVELS, Theme
from agents.roster import ready_spec
from engine import load_game
from webapp.assignments.models import DAY_S, AssignmentRecord
from webapp.assignments.rules import MAX_TRY_S
from webapp.questions.assignments import (
    MAX_TEXT_BYTES,
    AssignmentText,
    Task,
    assignment_from_bytes,
    read_assignment,
)
from webapp.web.errors import InvalidFormError
from webapp.web.query import Query, number, text
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

MAX_PICK_CHARS = 16
MAX_OPENED_CHARS = 80
MAX_DUE_DAYS = 400  # it is kept until long after that
SALT = "opened"
EXAMPLES = {
    "position": (
        "## Win this\nposition: nim:heaps=1-3-5-7  1-3-4-5 x\nwin: perfect\n"
        "say: You have the first move, and it can be won.\n"
    ),
    "hold": "## Hold this\nposition: tictactoe  x../.../... o\nhold: perfect\n",
    "bot": "## Your own player\nbot: BCDFG\nrating: 1500\n",
}


@dataclass(frozen=True)
class TaskQuery(Query):
    """What the address of a task holds."""

    part: int = number(0, low=1)  # which puzzle or question, from 1; 0: the first that is not done
    pick: str | None = text(MAX_PICK_CHARS)  # the part of a move that was pressed
    opened: str = text(MAX_OPENED_CHARS, "")  # when the board was shown first, signed


def read_form(fields: Mapping[str, str], lessons: Collection[str]) -> AssignmentText:
    """An assignment from the fields of the form; raises InvalidLessonError with all errors."""
    title = " ".join(fields.get("title", "").split())
    given = ((name, " ".join(fields.get(name, "").split())) for name in ("about", "due"))
    head = [f"# {title}", *(f"{name}: {value}" for name, value in given if value)]
    names = ", ".join(filter(str.strip, fields.get("names", "").replace(",", "\n").splitlines()))
    if names:
        head.append(f"names: {names}")
    return read_assignment("\n".join([*head, "", tasks_text(fields)]), lessons)


def read_file(data: bytes, lessons: Collection[str]) -> AssignmentText:
    """An assignment from a file."""
    return assignment_from_bytes(data, lessons)


def tasks_text(fields: Mapping[str, str]) -> str:
    """The tasks of the form as they were typed, with plain line ends."""
    return "\n".join(fields.get("tasks", "")[:MAX_TEXT_BYTES].splitlines())


def with_added(fields: Mapping[str, str], lesson_titles: Mapping[str, str]) -> dict[str, str]:
    """The fields of the form after a press of one of its *Add* buttons."""
    kind, lines = fields.get("add", ""), list[str]()
    match kind:
        case "puzzles":
            count, level = fields.get("count", ""), fields.get("level", "")
            theme, game = fields.get("theme", ""), "".join(fields.get("game", "").split())
            count = count if count.isdecimal() and len(count) < 3 else "5"
            about = " ".join(filter(None, [theme, f"of level {level}" if level else ""]))
            lines = [f"## {count} puzzles{', ' + about if about else ''}", f"puzzles: {count}"]
            lines += [f"game: {game}"] if game else []
            lines += [f"theme: {theme}"] if theme in {each.value for each in Theme} else []
            lines += [f"level: {level}"] if level in map(str, LEVELS) else []
        case "beat":
            wanted = " ".join(fields.get("opponent", "").split())[:200]
            lines = [f"## Beat {wanted}"[:80].rstrip(), f"beat: {wanted}"]
        case "lesson":
            slug = fields.get("lesson", "")
            lines = [f"## Lesson: {lesson_titles.get(slug, slug)}"[:80], f"lesson: {slug}"]
        case _:
            lines = EXAMPLES.get(kind, "").splitlines()
    before = tasks_text(fields).strip()
    added = "\n".join([*([before, ""] if before else []), *lines])
    return {**fields, "tasks": added + "\n"}


def made_record(text: AssignmentText, owner: str, now: float) -> AssignmentRecord:
    """An assignment that is not stored yet; raises InvalidSpecError for a machine that is not
    ready to play, and InvalidFormError for a day too far ahead."""
    if text.due is not None and text.due > now + MAX_DUE_DAYS * DAY_S:
        raise InvalidFormError("", f"an assignment is due within {MAX_DUE_DAYS} days")
    tasks = tuple(_ready(task) for task in text.tasks)
    return AssignmentRecord("", owner, "", "", text.title, tasks, text.about, due=text.due)


def _ready(task: Task) -> Task:
    if not task.is_match:
        return task
    machine = ready_spec(task.machine, load_game(task.game), MAX_INLINE_TRAINING_S)
    return replace(task, machine=machine)


def read_count(fields: Mapping[str, str], name: str, low: int, high: int) -> int:
    """A whole number that every form of this kind has; raises InvalidFormError."""
    sent = fields.get(name, "")
    if not (sent.isascii() and sent.isdecimal() and len(sent) < 6 and low <= int(sent) <= high):
        raise InvalidFormError(sent[:20], f"the form does not say which {name} it is about")
    return int(sent)


def opened_text(key: str, at: float, sent: str = "") -> str:
    """When a board was shown first, signed: so a student cannot shorten the time a try took.

    What was `sent` while a move was chosen stays, if it is ours.
    """
    if _opened(key, sent) is not None:
        return sent
    return Signer(key, salt=SALT).sign(str(int(at))).decode()


def seconds_since(key: str, sent: str, now: float) -> int:
    """How long ago the page of a form was made; 0 if its text is not ours."""
    opened = _opened(key, sent)
    return 0 if opened is None else min(max(0, int(now) - opened), MAX_TRY_S)


def _opened(key: str, sent: str) -> int | None:
    try:
        return int(Signer(key, salt=SALT).unsign(sent.encode()).decode())
    except (BadSignature, UnicodeError, ValueError):
        return None
