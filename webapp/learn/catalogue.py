"""All lessons, and the figures and links that they contain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from webapp.learn.parser import Asked, Headline, LessonText, Machine, Placed, Prose, read_lesson
from webapp.learn.widgets.catalog import WIDGETS

LESSONS_DIR = files("webapp.learn") / "lessons"
FIGURE = re.compile(r"\{([^{}]+)\}")
LINK = re.compile(r"\[([^\[\]]+)\]\(([^()]+)\)")


@cache
def lessons() -> tuple[LessonText, ...]:
    """All lessons: `02-nim.txt` is lesson 2 at /learn/nim. Raises LessonTextError."""
    found = sorted(LESSONS_DIR.iterdir(), key=lambda file: file.name)
    return tuple(
        _read_file(file.name, file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".txt")
    )


def find_lesson(slug: str) -> LessonText | None:
    return next((lesson for lesson in lessons() if lesson.slug == slug), None)


def lesson_texts(lesson: LessonText) -> Iterator[str]:
    """Every text of a lesson that may contain figures or links."""
    for block in lesson.blocks:
        if isinstance(block, Headline | Prose):
            yield block.text
        elif isinstance(block, Asked):
            yield from (block.ask, block.why, block.hint)
        elif isinstance(block, Placed):
            yield from (block.title, block.say)
        elif isinstance(block, Machine):
            yield block.say


def figures_of(lesson: LessonText) -> Iterator[str]:
    """Names of all figures that a lesson shows."""
    for text in lesson_texts(lesson):
        yield from FIGURE.findall(text)
    yield from (asked.right for asked in lesson.asked)
    for placed in lesson.widgets:
        yield from WIDGETS[placed.kind].needs(placed.about)


def lesson_links(lesson: LessonText) -> Iterator[tuple[str, str]]:
    """Label and target of every link: a position, or the path of a page."""
    for text in lesson_texts(lesson):
        yield from LINK.findall(text)


def _read_file(name: str, text: str) -> LessonText:
    number, _, slug = name.removesuffix(".txt").partition("-")
    return read_lesson(text, int(number), slug)
