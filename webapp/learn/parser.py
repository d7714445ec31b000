"""Parser of lessons: headings, paragraphs, and blocks of fields.

    # Nim and the binary trick
    A paragraph with a {nodes minimax nim:heaps=5} that is computed and a [link](nim 1-3-5-7-9 x).

    predict: first
    position: nim:heaps=3-4-5,last=wins
    ask: Is it better to move first or second?
    choice: First = mover wins
    choice: Second = other wins
    truth: value
    why: Because.

A choice states its claim after `=`; the computed truth agrees with exactly one of them. The fields
of each block are in BLOCKS, and docs/adding-a-lesson.md is the guide for authors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.errors import ZermeloError, quoted


class LessonTextError(ZermeloError):
    """A text that is no lesson, with the line."""

    def __init__(self, source: str, line: int, why: str) -> None:
        super().__init__(f"{source}, line {line}: {why}")
        self.source = source
        self.line = line


class UnknownFigureError(ZermeloError):
    """A figure that cannot be, or has not been, computed."""

    def __init__(self, figure: str, why: str) -> None:
        super().__init__(f"figure {quoted(figure)}: {why}")
        self.figure = figure


NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
FIELD = re.compile(r"([a-z]+): +(.+)")
WORD = re.compile(r"[\w’'-]+")
WORDS_PER_MINUTE = 150


@dataclass(frozen=True, slots=True)
class Alternative:
    """One answer, and its claim."""

    label: str
    means: str


@dataclass(frozen=True, slots=True)
class Headline:
    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, with its figures and links as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with choices: a prediction, or a twin, solved only with the same idea."""

    name: str
    kind: str  # predict or twin
    ask: str
    choices: tuple[Alternative, ...]
    truth: str  # of `webapp.questions`, or a figure
    why: str
    position: str = ""
    game: str = ""  # instead of a position
    moves: str = ""  # from there to the position that is asked about
    hint: str = ""  # of a twin, after a wrong answer

    @property
    def right(self) -> str:
        """Name of the figure that is the index of the right choice."""
        claims = " | ".join(choice.means for choice in self.choices)
        return f"right {self.position or self.game}; {self.moves}; {self.truth}; {claims}"


@dataclass(frozen=True, slots=True)
class Placed:
    """A widget: its kind, and what it is about."""

    name: str
    kind: str
    about: str
    title: str
    say: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine to beat from a position."""

    position: str
    opponent: str
    seat: str
    say: str


Block = Headline | Prose | Asked | Placed | Machine


@dataclass(frozen=True, slots=True)
class LessonText:
    """One lesson."""

    number: int
    slug: str
    title: str
    blocks: tuple[Block, ...]
    sources: tuple[str, ...]

    @property
    def words(self) -> int:
        """Number of words, those shown after an answer included."""
        return sum(len(WORD.findall(text)) for text in (self.title, *map(_block_text, self.blocks)))

    @property
    def minutes(self) -> int:
        return -(-self.words // WORDS_PER_MINUTE)

    def of(self, kind: str) -> tuple[Asked, ...]:
        """Its predictions, or its twins."""
        return tuple(
            block for block in self.blocks if isinstance(block, Asked) and block.kind == kind
        )

    @property
    def asked(self) -> tuple[Asked, ...]:
        return (*self.of("predict"), *self.of("twin"))

    @property
    def widgets(self) -> tuple[Placed, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Placed))

    @property
    def machines(self) -> tuple[Machine, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Machine))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the blocks that have a state in the query."""
        return tuple(block.name for block in self.blocks if isinstance(block, Asked | Placed))


OPTIONAL_FIELDS = frozenset({"position", "game", "moves", "choice"})
# By its first field: required and optional fields of a block.
BLOCKS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "predict": (frozenset({"ask", "truth", "why"}), OPTIONAL_FIELDS),
    "twin": (frozenset({"ask", "truth", "why", "hint"}), OPTIONAL_FIELDS),
    "widget": (frozenset({"title"}), frozenset({"say"})),
    "beat": (frozenset({"against", "seat", "say"}), frozenset()),
    "source": (frozenset(), frozenset()),
}


@dataclass(frozen=True, slots=True)
class _Part:
    """Consecutive lines, with the number of the first."""

    line: int
    lines: tuple[str, ...]


def read_lesson(text: str, number: int, slug: str) -> LessonText:
    """Parse a lesson; raises LessonTextError."""
    parts = list(_parts(text))
    if not parts or not parts[0].lines[0].startswith("# "):
        raise LessonTextError(slug, 1, "a lesson begins with `# ` and its title")
    title = parts[0].lines[0].removeprefix("# ").strip()
    sources, blocks = [], []
    for part in parts[1:]:
        if part.lines[0].startswith("source: "):
            sources.append(" ".join(part.lines).removeprefix("source: "))
        else:
            blocks.append(_block(slug, part))
    lesson = LessonText(number, slug, title, tuple(blocks), tuple(sources))
    for name in lesson.names:
        if lesson.names.count(name) > 1:
            raise LessonTextError(slug, 1, f"two blocks are called {name}")
    return lesson


def _parts(text: str) -> Iterator[_Part]:
    """Split at blank lines; a heading is a part of its own."""
    pending: list[str] = []
    for at, line in enumerate([*text.splitlines(), ""], start=1):
        alone = line.startswith("#")
        if pending and (alone or not line.strip()):
            yield _Part(at - len(pending), tuple(pending))
            pending = []
        if alone:
            yield _Part(at, (line.strip(),))
        elif line.strip():
            pending.append(line.strip())


def _block(source: str, part: _Part) -> Block:
    if part.lines[0].startswith("## "):
        return Headline(part.lines[0].removeprefix("## "))
    found = FIELD.fullmatch(part.lines[0])
    if found is None or found[1] not in BLOCKS:
        return Prose(" ".join(part.lines))
    kind = found[1]
    fields, choices = _fields(source, part, kind)
    if kind == "widget":
        return _widget(source, part, fields)
    if kind == "beat":
        return Machine(fields["beat"], fields["against"], fields["seat"], fields["say"])
    return _asked(source, part, kind, fields, choices)


def _fields(source: str, part: _Part, kind: str) -> tuple[dict[str, str], list[Alternative]]:
    must, may = BLOCKS[kind]
    fields: dict[str, str] = {}
    choices: list[Alternative] = []
    for at, line in enumerate(part.lines, start=part.line):
        found = FIELD.fullmatch(line)
        if found is None:
            raise LessonTextError(source, at, f"a line of `{kind}:` reads `field: words`")
        field, words = found[1], found[2].strip()
        if field not in {kind, *must, *may}:
            raise LessonTextError(source, at, f"`{kind}:` has no field `{field}:`")
        if field == "choice":
            label, _, means = words.partition(" = ")
            choices.append(Alternative(label, means or label))
        elif field in fields:
            raise LessonTextError(source, at, f"`{field}:` is there twice")
        else:
            fields[field] = words
    for field in sorted(must - set(fields)):
        raise LessonTextError(source, part.line, f"`{kind}:` lacks its `{field}:`")
    return fields, choices


def _widget(source: str, part: _Part, fields: dict[str, str]) -> Placed:
    name, _, rest = fields["widget"].partition(" ")
    kind, _, about = rest.partition(" ")
    if not kind or not NAME.fullmatch(name):
        raise LessonTextError(source, part.line, "a widget is `widget: NAME KIND ABOUT`")
    return Placed(name, kind, about, fields["title"], fields.get("say", ""))


def _asked(
    source: str, part: _Part, kind: str, fields: dict[str, str], choices: list[Alternative]
) -> Asked:
    if not NAME.fullmatch(fields[kind]):
        raise LessonTextError(source, part.line, f"`{kind}:` is followed by its name")
    if len({choice.means for choice in choices}) < max(2, len(choices)):
        raise LessonTextError(source, part.line, "choices are two at least, and differ")
    return Asked(
        name=fields[kind],
        kind=kind,
        ask=fields["ask"],
        choices=tuple(choices),
        truth=fields["truth"],
        why=fields["why"],
        position=fields.get("position", ""),
        game=fields.get("game", ""),
        moves=fields.get("moves", ""),
        hint=fields.get("hint", ""),
    )


def _block_text(block: Block) -> str:
    """The words of a block."""
    if isinstance(block, Headline | Prose):
        return _readable_text(block.text)
    if isinstance(block, Asked):
        labels = " ".join(choice.label for choice in block.choices)
        return _readable_text(f"{block.ask} {labels} {block.why} {block.hint}")
    return _readable_text(f"{block.title} {block.say}" if isinstance(block, Placed) else block.say)


def _readable_text(text: str) -> str:
    """The text as read: a figure counts as a word, a link as its label."""
    return re.sub(r"\]\([^)]*\)", "", re.sub(r"\{[^}]*\}", "0", text))
