"""Numbers that a lesson's text types out instead of having them computed.

A number may be typed where it is given and not found: where it stands in a position, a problem or
a figure that the lesson itself names, or is a year. Whatever else is a number belongs in `{…}`, but
for the few in TYPED. Words up to ten are words of the language ("two players"), and not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from webapp.learn.needs import FIGURE, links_of, texts_of
from webapp.learn.text import LessonText

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
# By lesson, what is typed all the same, and why.
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
    "quixo": {"5": "the side of the usual board, which its spec does not write out"},
}


def typed_numbers(lesson: LessonText) -> Iterator[str]:
    """Every number in its words that nothing gives and nothing computes."""
    given = set(_given(lesson)) | set(TYPED.get(lesson.slug, ()))
    for text in (lesson.title, *texts_of(lesson)):
        read = TARGET.sub("]", FIGURE.sub("", text))
        for found in (*DIGITS.findall(read), *WORD.findall(read)):
            number = str(WORDS.get(found.lower(), found)).replace(",", "")
            if number not in given and not YEAR.fullmatch(number):
                yield found


def _given(lesson: LessonText) -> Iterator[str]:
    """Numbers in what the lesson names: positions, problems, figures, depths, how many games."""
    named = [name for text in texts_of(lesson) for name in FIGURE.findall(text)]
    named += [target for _, target in links_of(lesson)]
    for asked in lesson.asked:
        named += [asked.position, asked.game, asked.moves, asked.truth]
    for machine in lesson.machines:
        named += [machine.position, machine.opponent]
    named += [placed.about for placed in lesson.widgets]
    for text in named:
        yield from re.findall(r"\d+(?:\.\d+)?", text)
