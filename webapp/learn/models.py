"""What other features use of a lesson: its title, and its questions with the right answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from webapp.learn.lesson import LessonQuestion, find_lesson, lessons
from webapp.learn.markup import Writer, figure_value
from webapp.learn.page import class_question
from webapp.questions.models import Question


@dataclass(frozen=True, slots=True)
class LessonItem:
    """A question of a lesson, as it is asked elsewhere."""

    name: str
    question: Question
    right: str  # the text of that choice
    why: Markup
    hint: Markup | None  # after a wrong answer; None: one answer counts, and the truth is shown


def lesson_titles() -> dict[str, str]:
    """The titles of all lessons by their names in the address."""
    return {lesson.slug: lesson.title for lesson in lessons()}


@cache
def lesson_items(slug: str) -> tuple[LessonItem, ...]:
    """The questions of a lesson in the order of its page; none of a lesson that is not there."""
    lesson = find_lesson(slug)
    return () if lesson is None else tuple(_item(slug, block) for block in lesson.asked)


def _item(slug: str, block: LessonQuestion) -> LessonItem:
    question, write = class_question(block), Writer(f"{slug}-{block.name}")
    hint = write(block.hint) if block.kind == "twin" and block.hint else None
    right = question.choices[figure_value(block.right)].text
    return LessonItem(block.name, question, right, write(block.why), hint)
