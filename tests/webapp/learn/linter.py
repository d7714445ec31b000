"""Linter of lessons: `python -m tests.webapp.learn.linter`, a part of `make check`.

It reads the texts and the stored figures but computes nothing, so it is quick;
tests/webapp/learn/test_figures.py computes each figure again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping

from agents.roster import agent_spec
from engine.core import Seat
from engine.errors import ZermeloError
from webapp.learn.lesson import FIGURE, LessonText, lessons
from webapp.learn.markup import figure_value, stored
from webapp.learn.page import class_question
from webapp.learn.positions import read_position
from webapp.learn.widgets.widget import widgets
from webapp.questions.query import parse_question, question_fields

MAX_WORDS = 900
MAX_MINUTES = 6
MIN_QUESTIONS = {"predict": 2, "twin": 1}
MIN_LINKS = 3
TARGET = re.compile(r"\]\([^()]+\)")
DIGITS = re.compile(r"(?<!\w)\d+(?:[.,]\d+)*")
YEAR = re.compile(r"(?:19|20)\d\d")
TEENS = (
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
    *("sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
WORDS: Mapping[str, int] = {
    **{word: at for at, word in enumerate(TEENS, start=11)},
    **{word: 10 * at for at, word in enumerate(TENS, start=2)},
    **{
        f"{ten}-{unit}": 10 * at + more
        for at, ten in enumerate(TENS, start=2)
        for more, unit in enumerate(UNITS, start=1)
    },
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
}
# Longer words first: `twenty-five` is not `twenty`.
WORD = re.compile(r"\b(?:" + "|".join(sorted(WORDS, key=len, reverse=True)) + r")\b", re.IGNORECASE)
# By lesson, numbers that may be typed, and why.
TYPED: Mapping[str, Mapping[str, str]] = {
    "answers": {
        "0": "where the counting of a heap begins",
        "4": "counted on from there",
        "6": "counted on from there",
    },
    "nim": {
        "0": "a nim-sum in which nothing remains",
        "2": "a power of two, of which heaps are made",
    },
    "minimax": {"1": "the name of a row", "3": "the name of a row"},
    "monte-carlo": {"1": "a button of the widget", "10": "a button of the widget"},
    "evolution": {
        "0": "a nim-sum in which nothing remains",
        "9": "a heap of the usual game, which its spec does not write out",
    },
}


def typed_numbers(lesson: LessonText) -> Iterator[str]:
    """Numbers in the text that are neither given nor computed."""
    given = set(_given_numbers(lesson)) | set(TYPED.get(lesson.slug, ()))
    for text in (lesson.title, *lesson.texts):
        read = TARGET.sub("]", FIGURE.sub("", text))
        for found in (*DIGITS.findall(read), *WORD.findall(read)):
            number = str(WORDS.get(found.lower(), found)).replace(",", "")
            if number not in given and not YEAR.fullmatch(number):
                yield found


def _given_numbers(lesson: LessonText) -> Iterator[str]:
    """Numbers in positions, problems, figures, depths and counts that the lesson names."""
    named = [name for text in lesson.texts for name in FIGURE.findall(text)]
    named += [target for _, target in lesson.links]
    for asked in lesson.asked:
        question = asked.question
        named += [question.position, *question.moves, question.truth]
    for machine in lesson.machines:
        named += [machine.position, machine.opponent]
    named += [placed.about for placed in lesson.widgets]
    for text in named:
        yield from re.findall(r"\d+(?:\.\d+)?", text)


def faults(lesson: LessonText) -> Iterator[str]:
    """What is wrong with a lesson, one line each."""
    if lesson.words > MAX_WORDS or lesson.minutes > MAX_MINUTES:
        yield f"it has {lesson.words} words: {MAX_WORDS} are the most"
    for kind, least in MIN_QUESTIONS.items():
        if (count := len(lesson.of(kind))) < least:
            yield f"`{kind}:` is there {count} times, not {least}"
    unknown = [placed.kind for placed in lesson.widgets if placed.kind not in widgets()]
    if unknown:
        yield f"there is no widget {unknown[0]}; there are {', '.join(widgets())}"
        return
    places = [target for _, target in lesson.links if not target.startswith("/")]
    if len(places) < MIN_LINKS:
        yield f"it links to {len(places)} positions, not {MIN_LINKS}"
    if not lesson.machines:
        yield "there is no machine to beat"
    if not lesson.sources:
        yield "it names no source"
    yield from _wrong_places(lesson, places)
    yield from _wrong_figures(lesson)
    yield from _wrong_questions(lesson)
    for number in typed_numbers(lesson):
        yield f"the number {number} is typed: compute it in {{}}, or name what gives it"


def _wrong_places(lesson: LessonText, links: list[str]) -> Iterator[str]:
    for text in (*links, *(machine.position for machine in lesson.machines)):
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
    for name in lesson.figures:
        try:
            figure_value(name)
        except ZermeloError as error:
            yield str(error)


def _wrong_questions(lesson: LessonText) -> Iterator[str]:
    for asked in lesson.asked:
        try:
            parse_question(dict(question_fields(class_question(asked))))
        except ZermeloError as error:
            yield f"no class can be asked {asked.name}: {error}"


def unused_figures() -> list[str]:
    """Stored figures that no lesson names."""
    named = {name for lesson in lessons() for name in lesson.figures}
    return sorted(set(stored()) - named)


def main() -> int:
    """Print every fault; exit code 2 if there is one."""
    try:
        found = [f"{lesson.slug}: {fault}" for lesson in lessons() for fault in faults(lesson)]
    except ZermeloError as error:
        found = [str(error)]
    found += [] if found else [f"no lesson names the figure {name}" for name in unused_figures()]
    print("\n".join(found) or f"{len(lessons())} lessons are whole")  # noqa: T201 - a command
    return 2 if found else 0


if __name__ == "__main__":
    sys.exit(main())
