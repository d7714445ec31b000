"""The grammar of lessons and of plans of classes: a title, words, and sections of fields.

    # Nim and the binary trick
    Some words.

    position: nim:heaps=3-4-5,last=wins
    ask: Is it better to move first
      or second?
    choices: First = mover wins | Second = other wins
    truth: value

A line that begins with a space continues the field above. In a plan the sections are what stands
below each `##`; in a lesson they are parted by blank lines, and the first field says what kind it
is. A question is written in the same fields in both. All problems of a text are collected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from agents.roster import agent_spec
from engine import Match
from engine.errors import ZermeloError, quoted, unknown_text
from webapp.questions.facts import About
from webapp.questions.models import InvalidLessonError, Problem, Question
from webapp.questions.parser import (
    MAX_PROMPT_CHARS,
    check_length,
    match_fields,
    parse_choices,
    parse_position,
    play_moves,
)
from webapp.questions.plain import right_truth
from webapp.questions.truths import check_question, subject_of

T = TypeVar("T")

MAX_TITLE_CHARS = 80
MAX_FIELD_CHARS = 2_000
MAX_PROBLEMS = 50  # reported of one text
FIELD = re.compile(r"([A-Za-z-]+):\s*(.*)")
ASK = "ask"
QUESTION_FIELDS = ("position", "moves", "choices", "truth", "machine")  # beside `ask`
GAME_FIELDS = {"position", "moves", "machine"}
POSITION_EXAMPLE = "position: tictactoe  x.o/.x./..o x"


@dataclass(frozen=True, slots=True)
class FieldText:
    """The text of a field, and its first line."""

    line: int
    text: str


@dataclass(slots=True)
class Section:
    """A heading, words or fields, and the problems found so far."""

    line: int
    heading: str | None = None
    words: list[str] = field(default_factory=list)
    fields: dict[str, FieldText] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.fields[name].text if name in self.fields else ""

    def line_of(self, *names: str) -> int:
        """The line of the first of these fields that is present, else of the section."""
        return next((self.fields[name].line for name in names if name in self.fields), self.line)

    def wrong(self, line: int, why: str) -> None:
        self.problems.append(Problem(line, why))

    def read(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Parse a field; None if it is missing, or invalid, which is noted as a problem."""
        if name not in self.fields:
            return None
        return self.attempt(self.line_of(name), lambda: parse(self.text(name)))

    def attempt(self, line: int, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except ZermeloError as error:
            self.wrong(line, str(error))
            return None

    def whole(self, name: str, low: int, high: int) -> int | None:
        """A field with a whole number within bounds."""
        if name not in self.fields:
            return None
        text = self.text(name).replace(",", "")
        if text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high:
            return int(text)
        self.wrong(self.line_of(name), f"{name} is a whole number from {low} to {high:,}")
        return None

    def check_fields(self, kind: str, allowed: Collection[str]) -> None:
        """Note every field that has no meaning in a section of this kind."""
        for name, entry in self.fields.items():
            if name not in (kind, *allowed):
                self.wrong(entry.line, f"{name}: means nothing beside {kind}:")


class SectionReader:
    """Splits a text into its title and its sections.

    `starts` are the fields that begin a section of a lesson; without them every heading begins
    one, as in a plan. `head` are fields that may stand before the first heading.
    """

    def __init__(
        self,
        names: Collection[str],
        starts: Collection[str] = (),
        head: Collection[str] = (),
        field_chars: int = MAX_FIELD_CHARS,
        what: str = "a lesson",
    ) -> None:
        self.title = ""
        self._what = what  # for messages
        self.sections: list[Section] = []
        self._names = names
        self._starts = starts
        self._head = head
        self._field_chars = field_chars
        self._problems: list[Problem] = []
        self._open: Section | None = None
        self._last = ""  # the field that an indented line continues

    def take(self, text: str) -> None:
        for number, line in enumerate(text.splitlines(), start=1):
            self._take_line(number, line.rstrip())

    def wrong(self, number: int, why: str) -> None:
        self._problems.append(Problem(number, why))

    @property
    def problems(self) -> list[Problem]:
        """All problems, those of the sections included, by line."""
        found = [*self._problems, *(one for each in self.sections for one in each.problems)]
        return sorted(found, key=lambda problem: problem.line)

    def check(self, text: str, source: str = "") -> None:
        """Raise InvalidLessonError if there are problems; its message names the source."""
        if not self.title:
            self.wrong(1, f"{self._what} begins with its title, as in `# How machines play`")
        if problems := self.problems:
            raise InvalidLessonError(text, problems[:MAX_PROBLEMS], source)

    def _take_line(self, number: int, line: str) -> None:
        if not line.strip():
            if self._starts:
                self._open = None
        elif not line.replace("\t", " ").isprintable():
            self.wrong(number, "a character here cannot be shown")
        elif line.startswith("##"):
            self._begin(Section(number, " ".join(line[2:].split())))
            if self._starts:
                self._open = None
        elif line.startswith("#"):
            self._set_title(number, line[1:].strip())
        elif self._open is None:
            found = FIELD.fullmatch(line)
            self._begin(Section(number))
            if found is not None and found[1].casefold() in (*self._starts, *self._head):
                self._add_field(number, line)
            else:
                self._add_words(line)
        elif self._open.words:
            self._add_words(line)
        elif line[0] in " \t":
            self._continue(number, line.strip())
        else:
            self._add_field(number, line)

    def _begin(self, section: Section) -> None:
        self._open = section
        self._last = ""
        self.sections.append(section)

    def _set_title(self, number: int, title: str) -> None:
        if self.title or any(each.heading is not None for each in self.sections):
            self.wrong(number, f"{self._what} has one title; a part of it begins with ##")
        elif not 1 <= len(title) <= MAX_TITLE_CHARS:
            self.wrong(number, f"a title has 1 to {MAX_TITLE_CHARS} letters, not {len(title)}")
        self.title = self.title or title or "?"

    def _add_words(self, line: str) -> None:
        self.sections[-1].words.append(line.strip())

    def _add_field(self, number: int, line: str) -> None:
        fields = self.sections[-1].fields
        found = FIELD.fullmatch(line)
        self._last = ""
        if found is None:
            why = (
                f"{quoted(line)} is no `field: text`; a line that goes on with the one above "
                "begins with a space"
            )
            self.wrong(number, why)
            return
        name, text = found[1].casefold(), found[2].strip()
        if name not in self._names:
            self.wrong(number, unknown_text("field", found[1], self._names))
        elif name in fields:
            self.wrong(number, f"{name}: was there already, in line {fields[name].line}")
        else:
            self._last = name
            self._set_field(number, name, FieldText(number, text))

    def _continue(self, number: int, text: str) -> None:
        if not self._last:
            self.wrong(number, "this goes on with nothing: only a field can have more lines")
            return
        before = self.sections[-1].fields[self._last]
        joined = f"{before.text} {text}".strip()
        self._set_field(number, self._last, FieldText(before.line, joined))

    def _set_field(self, number: int, name: str, entry: FieldText) -> None:
        if len(entry.text) > self._field_chars:
            self.wrong(number, f"{name}: has at most {self._field_chars:,} letters")
            return
        self.sections[-1].fields[name] = entry


def read_question(section: Section) -> Question | None:
    """The question in the fields of a section; None if it is invalid, noted as problems."""
    prompt = section.read(ASK, lambda text: check_length(text, "what is asked", MAX_PROMPT_CHARS))
    choices = section.read("choices", parse_choices) or ()
    truth = right_truth(section.text("right")) if "right" in section.fields else ""
    truth = truth or section.text("truth") or "best"
    subject = section.attempt(section.line_of("truth"), lambda: subject_of(truth))
    told = {"truth", "right"} & section.fields.keys()
    if "choices" in section.fields and not told:
        why = (
            "choices need a truth that says which is right, such as `truth: value`, or `right:` "
            "with one of them, or `truth: poll`"
        )
        section.wrong(section.line_of("choices"), why)
    if len(told) > 1:
        section.wrong(section.line_of("right"), "either truth: or right:, not both")
    bare = Question("", prompt or "", truth, choices=choices)
    is_placed = subject is not About.NO_GAME or bool(GAME_FIELDS & section.fields.keys())
    question = _placed(section, bare) if is_placed else bare
    if question is None or section.problems:
        return None
    return section.attempt(truth_line(section), lambda: check_question(question))


def truth_line(section: Section) -> int:
    """The line to which errors of a question's truth belong."""
    return section.line_of("right", "choices", "truth", ASK)


def _placed(section: Section, question: Question) -> Question | None:
    """The question with its position; None if that is invalid, which is noted as a problem."""
    if (match := read_match(section)) is None:
        return None
    machine = section.read("machine", lambda text: agent_spec(text, match.game)) or ""
    return replace(question, machine=machine, **match_fields(match))


def read_match(section: Section) -> Match[Any, Any] | None:
    """The match up to the position; None if invalid, which is noted as a problem."""
    if "position" not in section.fields:
        name = section.heading or section.text(ASK)
        why = f"{quoted(name)} needs a position, as in `{POSITION_EXAMPLE}`"
        section.wrong(section.line, why)
        return None
    begun = section.read("position", parse_position)
    if begun is None or "moves" not in section.fields:
        return begun
    return section.read("moves", lambda text: play_moves(begun, text))
