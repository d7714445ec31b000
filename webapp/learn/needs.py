"""What a lesson refers to: its figures and its links, wherever in it they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webapp.learn.text import Asked, Headline, LessonText, Machine, Placed, Prose
from webapp.learn.widgets.catalog import WIDGETS

FIGURE = re.compile(r"\{([^{}]+)\}")
LINK = re.compile(r"\[([^\[\]]+)\]\(([^()]+)\)")


def texts_of(lesson: LessonText) -> Iterator[str]:
    """Everything in which a figure or a link may stand."""
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
    """Every figure that has to be known to show it."""
    for text in texts_of(lesson):
        yield from FIGURE.findall(text)
    yield from (asked.right for asked in lesson.asked)
    for placed in lesson.widgets:
        yield from WIDGETS[placed.kind].needs(placed.about)


def links_of(lesson: LessonText) -> Iterator[tuple[str, str]]:
    """Label and target of every link: a position, or the path of a page."""
    for text in texts_of(lesson):
        yield from LINK.findall(text)
