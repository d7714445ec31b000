"""The text of a prepared lesson, read: every problem in it is found, not only the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from engine.errors import ZermeloError, quoted, unknown
from webapp.questions.facts import Truth
from webapp.questions.models import InvalidLessonError, InvalidQuestionError, Problem
from webapp.questions.plan_sections import ALL_NAMES, Entered, Section, step_in
from webapp.questions.plans import PreparedLesson, PreparedStep
from webapp.questions.truths import truth_of

LARGEST = 64 * 1024  # bytes
MOST_STEPS = 60
MOST_PROBLEMS = 50  # told of one text
LONGEST_TITLE = 80
LONGEST_FIELD = 2_000
LASTING = re.compile(r" (\d{1,3}) ?min(?:utes?)?\.?$", re.ASCII)
FIELD = re.compile(r"([A-Za-z-]+):\s*(.*)")
AS_IN = "## Nim by hand   5 min"


def lesson_in(data: bytes) -> PreparedLesson:
    """The lesson in the bytes of a file; raises InvalidLessonError."""
    if len(data) > LARGEST:
        why = f"a lesson has at most {LARGEST // 1024} kB, this file has {len(data) // 1024}"
        raise InvalidLessonError("", [Problem(1, why)])
    try:
        return read_lesson(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidLessonError("", [Problem(line, "this is no text in UTF-8")]) from error


@lru_cache(maxsize=32)
def read_lesson(text: str) -> PreparedLesson:
    """The lesson in a text; raises InvalidLessonError with all that is wrong."""
    if len(text) > LARGEST:
        why = f"a lesson has at most {LARGEST:,} characters, this one has {len(text):,}"
        raise InvalidLessonError(text[:LARGEST], [Problem(1, why)])
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        reader.take(number, line.rstrip())
    steps = [step_in(section) for section in reader.sections]
    reader.check()
    problems = [*reader.problems, *(one for each in reader.sections for one in each.problems)]
    if problems:
        told = sorted(problems, key=lambda problem: problem.line)[:MOST_PROBLEMS]
        raise InvalidLessonError(text, told)
    about = " ".join(reader.about)
    return PreparedLesson(reader.title, about, tuple(step for step in steps if step is not None))


class _Reader:
    """Lines into sections."""

    def __init__(self) -> None:
        self.title = ""
        self.about: list[str] = []
        self.sections: list[Section] = []
        self.problems: list[Problem] = []
        self._last = ""  # the field that an indented line goes on with

    def take(self, number: int, line: str) -> None:
        if not line.strip():
            return
        if not line.replace("\t", " ").isprintable():
            self._wrong(number, "a character here cannot be shown")
        elif line.startswith("##"):
            self._begin(number, line)
        elif line.startswith("#"):
            self._entitle(number, line[1:].strip())
        elif not self.sections:
            self.about.append(line.strip())
        elif line[0] in " \t":
            self._go_on(number, line.strip())
        else:
            self._enter(number, line)

    def check(self) -> None:
        """What only the whole shows."""
        if not self.title:
            self._wrong(1, "a lesson begins with its title, as in `# How machines play`")
        if not self.sections and not self.problems:
            self._wrong(1, f"a lesson has a step at least, as in `{AS_IN}`")
        if len(self.sections) > MOST_STEPS:
            line = self.sections[MOST_STEPS].line
            self._wrong(line, f"a lesson has at most {MOST_STEPS} steps")

    def _entitle(self, number: int, title: str) -> None:
        if self.title or self.sections:
            self._wrong(number, "a lesson has one title; a step begins with ##")
        elif not 1 <= len(title) <= LONGEST_TITLE:
            self._wrong(number, f"a title has 1 to {LONGEST_TITLE} letters, not {len(title)}")
        self.title = self.title or title or "?"

    def _begin(self, number: int, line: str) -> None:
        heading = " ".join(line[2:].split())
        found = LASTING.search(heading)
        title, minutes = (heading[: found.start()], found[1]) if found else (heading, "1")
        self.sections.append(Section(title, int(minutes), number))
        self._last = ""
        if found is None:
            self._wrong(number, f"say how long {quoted(title)} takes, as in `{AS_IN}`")
        elif not 1 <= int(minutes) <= 240:
            self._wrong(number, f"a step takes 1 to 240 minutes, not {minutes}")
        if not 1 <= len(title) <= LONGEST_TITLE:
            self._wrong(number, f"a step's title has 1 to {LONGEST_TITLE} letters")

    def _enter(self, number: int, line: str) -> None:
        entered = self.sections[-1].entered
        found = FIELD.fullmatch(line)
        self._last = ""
        if found is None:
            why = (
                f"{quoted(line)} is no `field: text`; a line that goes on with the one above "
                "begins with a space"
            )
            self._wrong(number, why)
            return
        name, text = found[1].casefold(), found[2].strip()
        if name not in ALL_NAMES:
            self._wrong(number, unknown("field", found[1], ALL_NAMES))
        elif name in entered:
            self._wrong(number, f"{name}: was there already, in line {entered[name].line}")
        else:
            self._last = name
            self._put(number, name, Entered(number, text))

    def _go_on(self, number: int, text: str) -> None:
        if not self._last:
            self._wrong(number, "this goes on with nothing: only a field can have more lines")
            return
        before = self.sections[-1].entered[self._last]
        joined = f"{before.text} {text}".strip()
        self._put(number, self._last, Entered(before.line, joined))

    def _put(self, number: int, name: str, entered: Entered) -> None:
        if len(entered.text) > LONGEST_FIELD:
            self._wrong(number, f"{name}: has at most {LONGEST_FIELD:,} letters")
            return
        self.sections[-1].entered[name] = entered

    def _wrong(self, number: int, why: str) -> None:
        self.problems.append(Problem(number, why))


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


def truths_in(lesson: PreparedLesson) -> dict[PreparedStep, Truth]:
    """The truth of every round, computed, which takes seconds; raises InvalidLessonError."""
    truths: dict[PreparedStep, Truth] = {}
    problems: list[Problem] = []
    for step in lesson.rounds:
        assert step.posed is not None
        try:
            truths[step] = truth_of(step.posed)
        except ZermeloError as error:
            problems.append(Problem(step.truth_line, str(error)))
    if problems:
        raise InvalidLessonError(lesson.title, problems)
    return truths


def overview(lesson: PreparedLesson, truths: dict[PreparedStep, Truth]) -> Iterator[str]:
    """The lesson in lines: when each step begins, what it does, and what is true."""
    begun = 0
    for step in lesson.steps:
        what = step.posed.prompt if step.posed else " ".join(_told(step))
        yield f"{begun:>3}′  {step.title} ({step.minutes} min): {what}"
        if (truth := truths.get(step)) is not None:
            yield f"      {_right(step, truth)}. {truth.sentence}"
        begun += step.minutes


def _right(step: PreparedStep, truth: Truth) -> str:
    """What is right, in the words of the question: `Less often (yes)`."""
    picked = "" if step.posed is None or step.posed.wants_move else truth.right[0]
    return f"{picked} ({truth.shown})" if picked not in ("", truth.shown) else truth.shown


def _told(step: PreparedStep) -> Iterator[str]:
    """What a step does that is no vote."""
    yield str(step.kind)
    yield from filter(None, (step.machine, step.game, step.link))
    if step.games is not None:
        yield f"{step.games:,} games"
