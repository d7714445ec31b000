"""The lessons that there are: a file of text each, in the order of their numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from webapp.learn.text import LessonText, read_lesson

PLACE = files("webapp.learn") / "lessons"


@cache
def lessons() -> tuple[LessonText, ...]:
    """All of them: `02-nim.txt` is lesson 2 at /learn/nim. Raises LessonTextError."""
    found = sorted(PLACE.iterdir(), key=lambda file: file.name)
    return tuple(
        _read(file.name, file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".txt")
    )


def find_lesson(slug: str) -> LessonText | None:
    return next((lesson for lesson in lessons() if lesson.slug == slug), None)


def _read(name: str, text: str) -> LessonText:
    number, _, slug = name.removesuffix(".txt").partition("-")
    return read_lesson(text, int(number), slug)
