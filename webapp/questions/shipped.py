"""The prepared lessons that come along."""

from __future__ import annotations

from importlib.resources import files

from engine.errors import unknown
from webapp.questions.errors import InvalidQuestionError
from webapp.questions.prepared import PreparedLesson
from webapp.questions.reading import read_lesson

# By the names of their files, the one to begin with first.
SHIPPED = ("how-machines-play",)


def lesson_text(name: str) -> str:
    """A shipped lesson as its file has it; raises InvalidQuestionError."""
    if name not in SHIPPED:
        raise InvalidQuestionError(name, unknown("lesson", name, SHIPPED))
    file = files("webapp.questions") / "lessons" / f"{name}.txt"
    return file.read_text(encoding="utf-8")


def shipped_lesson(name: str) -> PreparedLesson:
    """A shipped lesson, read."""
    return read_lesson(lesson_text(name))
