"""Lessons: their texts in `lessons/`, parsed into blocks.

    # Nim and the binary trick

    A paragraph with a {nodes minimax nim:heaps=5} that is computed and a [link](nim 1-3-5-7-9 x).

    predict: first
    position: nim:heaps=3-4-5,last=wins
    ask: Is it better to move first or second?
    choices: First = mover wins | Second = other wins
    truth: value
    why: Because.

The grammar is that of `webapp.questions.grammar`, the fields of each block are in BLOCKS, and
docs/adding-a-lesson.md is the guide for authors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import count

from engine.errors import quoted
from webapp.learn.algorithms import listing
from webapp.learn.widgets.widget import find_widget
from webapp.questions.grammar import ASK, QUESTION_FIELDS, Section, SectionReader, read_question
from webapp.questions.models import Question

LESSONS_DIR = files("webapp.learn") / "lessons"
NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
WORD = re.compile(r"[\w’'-]+")
FIGURE = re.compile(r"\{([^{}]+)\}")
LINK = re.compile(r"\[([^\[\]]+)\]\(([^()]+)\)")
WORDS_PER_MINUTE = 150


@dataclass(frozen=True, slots=True)
class Headline:
    text: str

    @property
    def texts(self) -> tuple[str, ...]:
        """Its texts that may contain figures or links."""
        return (self.text,)


@dataclass(frozen=True, slots=True)
class Prose(Headline):
    """A paragraph, with its figures and links as written."""


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """A question with choices: a prediction, or a twin, solved only with the same idea."""

    name: str
    kind: str  # predict or twin
    question: Question  # with its figures and links as written
    why: str
    position: str = ""  # as written
    hint: str = ""  # of a twin, after a wrong answer

    @property
    def right(self) -> str:
        """Name of the figure that is the index of the right choice."""
        asked = self.question
        claims = " | ".join(choice.claim for choice in asked.choices)
        return f"right {self.position}; {' '.join(asked.moves)}; {asked.truth}; {claims}"

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.question.prompt, self.why, self.hint)


@dataclass(frozen=True, slots=True)
class LessonWidget:
    """A widget: its kind, and what it is about."""

    name: str
    kind: str
    about: str
    title: str
    say: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.title, self.say)


@dataclass(frozen=True, slots=True)
class LessonOpponent:
    """A machine to beat from a position."""

    name: str  # beat-1, beat-2, in their order
    position: str
    opponent: str
    seat: str
    say: str

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.say,)


@dataclass(frozen=True, slots=True)
class LessonCode:
    """An algorithm as a short program: functions of `algorithms`."""

    functions: str  # their names, separated by blanks
    title: str
    say: str = ""  # how to try it: its numbers are arguments, so it may contain no figure

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.title,)

    @property
    def source(self) -> str:
        return listing(self.functions)


Block = Headline | LessonQuestion | LessonWidget | LessonOpponent | LessonCode


@dataclass(frozen=True, slots=True)
class LessonText:
    """One lesson."""

    number: int
    slug: str
    title: str
    about: str  # in a line, for the list
    blocks: tuple[Block, ...]
    sources: tuple[str, ...]

    @property
    def url(self) -> str:
        return f"/learn/{self.slug}"

    @property
    def words(self) -> int:
        """Number of words, those shown after an answer included; a figure is a word."""
        texts = [self.title, *self.texts]
        texts += [choice.text for block in self.asked for choice in block.question.choices]
        return sum(len(WORD.findall(FIGURE.sub("0", LINK.sub(r"\1", text)))) for text in texts)

    @property
    def minutes(self) -> int:
        return -(-self.words // WORDS_PER_MINUTE)

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that may contain figures or links."""
        return tuple(text for block in self.blocks for text in block.texts)

    @property
    def links(self) -> Iterator[tuple[str, str]]:
        """Label and target of every link: a position, or the path of a page."""
        for text in self.texts:
            yield from LINK.findall(text)

    @property
    def figures(self) -> Iterator[str]:
        """Names of all figures that it shows."""
        for text in self.texts:
            yield from FIGURE.findall(text)
        yield from (block.right for block in self.asked)
        for placed in self.widgets:
            yield from find_widget(placed.kind).needs(placed.about)

    def of(self, kind: str) -> tuple[LessonQuestion, ...]:
        """Its predictions, or its twins."""
        return tuple(
            block
            for block in self.blocks
            if isinstance(block, LessonQuestion) and block.kind == kind
        )

    @property
    def asked(self) -> tuple[LessonQuestion, ...]:
        return (*self.of("predict"), *self.of("twin"))

    @property
    def widgets(self) -> tuple[LessonWidget, ...]:
        return tuple(block for block in self.blocks if isinstance(block, LessonWidget))

    @property
    def machines(self) -> tuple[LessonOpponent, ...]:
        return tuple(block for block in self.blocks if isinstance(block, LessonOpponent))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the blocks that have a state in the query."""
        return tuple(
            block.name
            for block in self.blocks
            if isinstance(block, LessonQuestion | LessonWidget | LessonOpponent)
        )


@cache
def lessons() -> tuple[LessonText, ...]:
    """All lessons: `02-nim.txt` is lesson 2 at /learn/nim. Raises InvalidLessonError."""
    found = sorted(LESSONS_DIR.iterdir(), key=lambda file: file.name)
    return tuple(
        _read_file(file.name, file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".txt")
    )


def find_lesson(slug: str) -> LessonText | None:
    return next((lesson for lesson in lessons() if lesson.slug == slug), None)


def _read_file(name: str, text: str) -> LessonText:
    number, _, slug = name.removesuffix(".txt").partition("-")
    return read_lesson(text, int(number), slug)


# By its first field: required and optional fields of a block.
BLOCKS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "predict": ((ASK, "truth", "why"), QUESTION_FIELDS),
    "twin": ((ASK, "truth", "why", "hint"), QUESTION_FIELDS),
    "widget": (("title",), ("say",)),
    "beat": (("against", "seat", "say"), ()),
    "code": (("title",), ("say",)),
    "about": ((), ()),
    "source": ((), ()),
}
ALL_NAMES = tuple(
    dict.fromkeys(name for kind, (must, may) in BLOCKS.items() for name in (kind, *must, *may))
)


def read_lesson(text: str, number: int, slug: str) -> LessonText:
    """Parse a lesson; raises InvalidLessonError."""
    reader = SectionReader(ALL_NAMES, BLOCKS)
    reader.take(text)
    blocks = [_read_block(section) for section in reader.sections]
    shown = _numbered([block for block in blocks if block is not None])
    abouts, sources = (
        tuple(filter(None, [section.text(name) for section in reader.sections]))
        for name in ("about", "source")
    )
    lesson = LessonText(number, slug, reader.title, " ".join(abouts), shown, sources)
    for name, times in Counter(lesson.names).items():
        if times > 1:
            reader.wrong(1, f"two blocks are called {name}")
    reader.check(text, slug)
    return lesson


def _numbered(blocks: list[Block]) -> tuple[Block, ...]:
    """The blocks, the machines to beat called beat-1, beat-2 and so on."""
    numbers = count(1)
    return tuple(
        replace(block, name=f"beat-{next(numbers)}") if isinstance(block, LessonOpponent) else block
        for block in blocks
    )


def _read_block(section: Section) -> Block | None:
    """The block; None for a source or what it is about, and for a section with problems."""
    if section.heading is not None:
        return Headline(section.heading)
    if section.words:
        return Prose(" ".join(section.words))
    kind = next(iter(section.fields), "source")
    must, may = BLOCKS[kind]
    section.check_fields(kind, (*must, *may))
    for name in must:
        if not section.text(name):
            section.wrong(section.line, f"`{kind}:` lacks its `{name}:`")
    return None if section.problems else _READERS[kind](section)


def _read_asked(section: Section) -> LessonQuestion | None:
    kind = next(iter(section.fields))
    question = read_question(section)
    if not NAME.fullmatch(section.text(kind)):
        section.wrong(section.line, f"`{kind}:` is followed by its name")
    if question is None:
        return None
    if question.wants_move:
        section.wrong(section.line, "a question in a lesson has choices")
    name, *texts = (section.text(field) for field in (kind, "why", "position", "hint"))
    return LessonQuestion(name, kind, question, *texts)


def _read_widget(section: Section) -> LessonWidget | None:
    name, _, rest = section.text("widget").partition(" ")
    kind, _, about = rest.partition(" ")
    if not kind or not NAME.fullmatch(name):
        section.wrong(section.line, "a widget is `widget: NAME KIND ABOUT`")
    return LessonWidget(name, kind, about, section.text("title"), section.text("say"))


def _read_opponent(section: Section) -> LessonOpponent:
    fields = (section.text(name) for name in ("beat", "against", "seat", "say"))
    return LessonOpponent("", *fields)


def _read_code(section: Section) -> LessonCode | None:
    code = LessonCode(*(section.text(name) for name in ("code", "title", "say")))
    try:
        code.source  # noqa: B018 - whether it is there
    except AttributeError:
        section.wrong(section.line, f"there is no program {quoted(code.functions)}")
        return None
    return code


_READERS: Mapping[str, Callable[[Section], Block | None]] = {
    "predict": _read_asked,
    "twin": _read_asked,
    "widget": _read_widget,
    "beat": _read_opponent,
    "code": _read_code,
    "about": lambda _: None,
    "source": lambda _: None,
}
