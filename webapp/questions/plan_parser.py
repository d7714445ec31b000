"""Reads the plan of a class from its text, collecting all errors, and writes its overview."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from engine.errors import ZermeloError, quoted, unknown_text
from webapp.questions.facts import Truth
from webapp.questions.models import InvalidPlanError, InvalidQuestionError, Problem
from webapp.questions.plan_sections import ALL_NAMES, FieldText, Section, read_step
from webapp.questions.plans import ClassPlan, PlanStep
from webapp.questions.truths import truth_of

MAX_PLAN_BYTES = 64 * 1024  # bytes
MAX_STEPS = 60
MAX_PROBLEMS = 50  # reported of one text
MAX_TITLE_CHARS = 80
MAX_FIELD_CHARS = 2_000
MINUTES = re.compile(r" (\d{1,3}) ?min(?:utes?)?\.?$", re.ASCII)
FIELD = re.compile(r"([A-Za-z-]+):\s*(.*)")
EXAMPLE = "## Nim by hand   5 min"


def plan_from_bytes(data: bytes) -> ClassPlan:
    """Read a plan from the bytes of a file; raises InvalidLessonError."""
    if len(data) > MAX_PLAN_BYTES:
        why = f"a lesson has at most {MAX_PLAN_BYTES // 1024} kB, this file has {len(data) // 1024}"
        raise InvalidPlanError("", [Problem(1, why)])
    try:
        return read_plan(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidPlanError("", [Problem(line, "this is no text in UTF-8")]) from error


@lru_cache(maxsize=32)
def read_plan(text: str) -> ClassPlan:
    """Read a plan from its text; raises InvalidLessonError with all errors."""
    if len(text) > MAX_PLAN_BYTES:
        why = f"a lesson has at most {MAX_PLAN_BYTES:,} characters, this one has {len(text):,}"
        raise InvalidPlanError(text[:MAX_PLAN_BYTES], [Problem(1, why)])
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        reader.take(number, line.rstrip())
    steps = [read_step(section) for section in reader.sections]
    reader.check()
    problems = [*reader.problems, *(one for each in reader.sections for one in each.problems)]
    if problems:
        first = sorted(problems, key=lambda problem: problem.line)[:MAX_PROBLEMS]
        raise InvalidPlanError(text, first)
    about = " ".join(reader.about)
    return ClassPlan(reader.title, about, tuple(step for step in steps if step is not None))


class _Reader:
    """Splits lines into sections and their fields."""

    def __init__(self) -> None:
        self.title = ""
        self.about: list[str] = []
        self.sections: list[Section] = []
        self.problems: list[Problem] = []
        self._last = ""  # the field that an indented line continues

    def take(self, number: int, line: str) -> None:
        if not line.strip():
            return
        if not line.replace("\t", " ").isprintable():
            self._wrong(number, "a character here cannot be shown")
        elif line.startswith("##"):
            self._begin(number, line)
        elif line.startswith("#"):
            self._set_title(number, line[1:].strip())
        elif not self.sections:
            self.about.append(line.strip())
        elif line[0] in " \t":
            self._continue(number, line.strip())
        else:
            self._add_field(number, line)

    def check(self) -> None:
        """Errors of the text as a whole."""
        if not self.title:
            self._wrong(1, "a lesson begins with its title, as in `# How machines play`")
        if not self.sections and not self.problems:
            self._wrong(1, f"a lesson has a step at least, as in `{EXAMPLE}`")
        if len(self.sections) > MAX_STEPS:
            line = self.sections[MAX_STEPS].line
            self._wrong(line, f"a lesson has at most {MAX_STEPS} steps")

    def _set_title(self, number: int, title: str) -> None:
        if self.title or self.sections:
            self._wrong(number, "a lesson has one title; a step begins with ##")
        elif not 1 <= len(title) <= MAX_TITLE_CHARS:
            self._wrong(number, f"a title has 1 to {MAX_TITLE_CHARS} letters, not {len(title)}")
        self.title = self.title or title or "?"

    def _begin(self, number: int, line: str) -> None:
        heading = " ".join(line[2:].split())
        found = MINUTES.search(heading)
        title, minutes = (heading[: found.start()], found[1]) if found else (heading, "1")
        self.sections.append(Section(title, int(minutes), number))
        self._last = ""
        if found is None:
            self._wrong(number, f"say how long {quoted(title)} takes, as in `{EXAMPLE}`")
        elif not 1 <= int(minutes) <= 240:
            self._wrong(number, f"a step takes 1 to 240 minutes, not {minutes}")
        if not 1 <= len(title) <= MAX_TITLE_CHARS:
            self._wrong(number, f"a step's title has 1 to {MAX_TITLE_CHARS} letters")

    def _add_field(self, number: int, line: str) -> None:
        fields = self.sections[-1].fields
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
            self._wrong(number, unknown_text("field", found[1], ALL_NAMES))
        elif name in fields:
            self._wrong(number, f"{name}: was there already, in line {fields[name].line}")
        else:
            self._last = name
            self._set_field(number, name, FieldText(number, text))

    def _continue(self, number: int, text: str) -> None:
        if not self._last:
            self._wrong(number, "this goes on with nothing: only a field can have more lines")
            return
        before = self.sections[-1].fields[self._last]
        joined = f"{before.text} {text}".strip()
        self._set_field(number, self._last, FieldText(before.line, joined))

    def _set_field(self, number: int, name: str, field: FieldText) -> None:
        if len(field.text) > MAX_FIELD_CHARS:
            self._wrong(number, f"{name}: has at most {MAX_FIELD_CHARS:,} letters")
            return
        self.sections[-1].fields[name] = field

    def _wrong(self, number: int, why: str) -> None:
        self.problems.append(Problem(number, why))


# By file name; the first is the default.
SHIPPED_PLANS = ("how-machines-play",)


def plan_text(name: str) -> str:
    """The text of a shipped plan; raises InvalidQuestionError."""
    if name not in SHIPPED_PLANS:
        raise InvalidQuestionError(name, unknown_text("lesson", name, SHIPPED_PLANS))
    file = files("webapp.questions") / "lessons" / f"{name}.txt"
    return file.read_text(encoding="utf-8")


def shipped_plan(name: str) -> ClassPlan:
    """A shipped plan."""
    return read_plan(plan_text(name))


def truths_in(lesson: ClassPlan) -> dict[PlanStep, Truth]:
    """Compute the truth of every round, which takes seconds; raises InvalidLessonError."""
    truths: dict[PlanStep, Truth] = {}
    problems: list[Problem] = []
    for step in lesson.rounds:
        assert step.posed is not None
        try:
            truths[step] = truth_of(step.posed)
        except ZermeloError as error:
            problems.append(Problem(step.truth_line, str(error)))
    if problems:
        raise InvalidPlanError(lesson.title, problems)
    return truths


def overview(lesson: ClassPlan, truths: dict[PlanStep, Truth]) -> Iterator[str]:
    """The plan in lines: when each step begins, what it does, and its truth."""
    begun = 0
    for step in lesson.steps:
        what = step.posed.prompt if step.posed else " ".join(_step_words(step))
        yield f"{begun:>3}′  {step.title} ({step.minutes} min): {what}"
        if (truth := truths.get(step)) is not None:
            yield f"      {_right(step, truth)}. {truth.sentence}"
        begun += step.minutes


def _right(step: PlanStep, truth: Truth) -> str:
    """The right answer in the words of the question: `Less often (yes)`."""
    picked = "" if step.posed is None or step.posed.wants_move else truth.right[0]
    return f"{picked} ({truth.shown})" if picked not in ("", truth.shown) else truth.shown


def _step_words(step: PlanStep) -> Iterator[str]:
    """What a step does, if it is no vote."""
    yield str(step.kind)
    yield from filter(None, (step.machine, step.game, step.link))
    if step.games is not None:
        yield f"{step.games:,} games"
