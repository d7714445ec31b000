"""Whether every lesson is whole: `python -m webapp.learn.checking`, a part of `make check`.

It reads the texts and what was computed, and computes nothing itself, so it takes a moment; that
each figure is still true is what tests/webapp/learn/test_figures.py finds out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from agents.roster import agent_spec
from engine.core import Seat
from engine.errors import ZermeloError
from webapp.learn.classes import class_question
from webapp.learn.figures import stored, told
from webapp.learn.needs import figures_of, links_of
from webapp.learn.numbers import typed_numbers
from webapp.learn.positions import read_position
from webapp.learn.shelf import lessons
from webapp.learn.text import LessonText
from webapp.learn.widgets.catalog import WIDGETS
from webapp.questions.query import fields_of, posed_in

MOST_WORDS = 900
MOST_MINUTES = 6
LEAST = {"predict": 2, "twin": 1}
LEAST_LINKS = 3


def faults(lesson: LessonText) -> Iterator[str]:
    """What is wrong with it, each in a line."""
    if lesson.words > MOST_WORDS or lesson.minutes > MOST_MINUTES:
        yield f"it has {lesson.words} words: {MOST_WORDS} are the most"
    for kind, least in LEAST.items():
        if (count := len(lesson.of(kind))) < least:
            yield f"`{kind}:` is there {count} times, not {least}"
    unknown = [placed.kind for placed in lesson.widgets if placed.kind not in WIDGETS]
    if unknown:
        yield f"there is no widget {unknown[0]}; there are {', '.join(WIDGETS)}"
        return
    places = [target for _, target in links_of(lesson) if not target.startswith("/")]
    if len(places) < LEAST_LINKS:
        yield f"it links to {len(places)} positions, not {LEAST_LINKS}"
    if not lesson.machines:
        yield "there is no machine to beat"
    if not lesson.sources:
        yield "it names no source"
    yield from _wrong_places(lesson, places)
    yield from _wrong_figures(lesson)
    yield from _unaskable(lesson)
    for number in typed_numbers(lesson):
        yield f"the number {number} is typed: compute it in {{}}, or name what gives it"


def _wrong_places(lesson: LessonText, links: list[str]) -> Iterator[str]:
    asked = [asked.position or asked.game for asked in lesson.asked if asked.position or asked.game]
    for text in (*links, *asked, *(machine.position for machine in lesson.machines)):
        try:
            read_position(text)
        except ZermeloError as error:
            yield f"{text} is no position: {error}"
    for machine in lesson.machines:
        try:
            agent_spec(machine.opponent, read_position(machine.position).game)
        except ZermeloError as error:
            yield f"{machine.opponent} cannot be beaten: {error}"
        if machine.seat not in [seat.mark for seat in Seat]:
            yield f"a seat is x or o, not {machine.seat}"


def _wrong_figures(lesson: LessonText) -> Iterator[str]:
    for name in figures_of(lesson):
        try:
            told(name)
        except ZermeloError as error:
            yield str(error)


def _unaskable(lesson: LessonText) -> Iterator[str]:
    for asked in lesson.asked:
        try:
            posed_in(dict(fields_of(class_question(asked))))
        except ZermeloError as error:
            yield f"no class can be asked {asked.name}: {error}"


def unused() -> list[str]:
    """Figures that were computed and that no lesson names any more."""
    named = {name for lesson in lessons() for name in figures_of(lesson)}
    return sorted(set(stored()) - named)


def main() -> int:
    """2 and a line for each fault; 0 where all is well."""
    try:
        found = [f"{lesson.slug}: {fault}" for lesson in lessons() for fault in faults(lesson)]
    except ZermeloError as error:
        found = [str(error)]
    found += [] if found else [f"no lesson names the figure {name}" for name in unused()]
    print("\n".join(found) or f"{len(lessons())} lessons are whole")  # noqa: T201 - a command
    return 2 if found else 0


if __name__ == "__main__":
    sys.exit(main())
