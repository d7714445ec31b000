"""A lesson as text: headings, paragraphs, and blocks of fields that begin with what they are.

    # Nim and the binary trick
    A paragraph with a {nodes minimax nim:heaps=5} that is computed and a [link](nim 1-3-5-7-9 x).

    predict: first
    position: nim:heaps=3-4-5,last=wins
    ask: Is it better to move first or second?
    choice: First = mover wins
    choice: Second = other wins
    truth: value
    why: Because.

A choice says after its `=` what it claims, and the truth, which is computed, agrees with one of
them. What a block may say, and must, stands in BLOCKS. docs/adding-a-lesson.md tells it to whoever
writes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.errors import ZermeloError, quoted


class LessonTextError(ZermeloError):
    """A text that is no lesson: where, and why."""

    def __init__(self, source: str, line: int, why: str) -> None:
        super().__init__(f"{source}, line {line}: {why}")
        self.source = source
        self.line = line


class UnknownFigureError(ZermeloError):
    """A figure that nothing computes, or that was not computed yet."""

    def __init__(self, figure: str, why: str) -> None:
        super().__init__(f"figure {quoted(figure)}: {why}")
        self.figure = figure


NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
FIELD = re.compile(r"([a-z]+): +(.+)")
WORD = re.compile(r"[\w’'-]+")
WORDS_A_MINUTE = 150


@dataclass(frozen=True, slots=True)
class Alternative:
    """One answer, and what it claims."""

    label: str
    means: str


@dataclass(frozen=True, slots=True)
class Headline:
    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, with its figures and links still in it."""

    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with choices: a prediction, or a twin, which only the idea solves."""

    name: str
    kind: str  # predict or twin
    ask: str
    choices: tuple[Alternative, ...]
    truth: str  # of the shelf of questions, or a figure
    why: str
    position: str = ""
    game: str = ""  # where it is about a game and no position of it
    moves: str = ""  # that led to what is asked about, where that matters
    hint: str = ""  # of a twin, for whoever was wrong

    @property
    def right(self) -> str:
        """The figure that says which choice is right."""
        claims = " | ".join(choice.means for choice in self.choices)
        return f"right {self.position or self.game}; {self.moves}; {self.truth}; {claims}"


@dataclass(frozen=True, slots=True)
class Placed:
    """A widget by its kind, with what it is about."""

    name: str
    kind: str
    about: str
    title: str
    say: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine to beat: where, whom, and on which seat."""

    position: str
    opponent: str
    seat: str
    say: str


Block = Headline | Prose | Asked | Placed | Machine


@dataclass(frozen=True, slots=True)
class LessonText:
    """One page."""

    number: int
    slug: str
    title: str
    blocks: tuple[Block, ...]
    sources: tuple[str, ...]

    @property
    def words(self) -> int:
        """All that is there to be read, what shows only after an answer included."""
        return sum(len(WORD.findall(text)) for text in (self.title, *map(_read, self.blocks)))

    @property
    def minutes(self) -> int:
        return -(-self.words // WORDS_A_MINUTE)

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
        """Of what keeps something in the address."""
        return tuple(block.name for block in self.blocks if isinstance(block, Asked | Placed))


MAY_ASK = frozenset({"position", "game", "moves", "choice"})
# By its first field: which others a block must have, and may.
BLOCKS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "predict": (frozenset({"ask", "truth", "why"}), MAY_ASK),
    "twin": (frozenset({"ask", "truth", "why", "hint"}), MAY_ASK),
    "widget": (frozenset({"title"}), frozenset({"say"})),
    "beat": (frozenset({"against", "seat", "say"}), frozenset()),
    "source": (frozenset(), frozenset()),
}


@dataclass(frozen=True, slots=True)
class _Part:
    """Lines that belong together, and where the first of them stands."""

    line: int
    lines: tuple[str, ...]


def read_lesson(text: str, number: int, slug: str) -> LessonText:
    """The lesson in a text; raises LessonTextError."""
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
    """What blank lines keep apart; a heading stands alone."""
    held: list[str] = []
    for at, line in enumerate([*text.splitlines(), ""], start=1):
        alone = line.startswith("#")
        if held and (alone or not line.strip()):
            yield _Part(at - len(held), tuple(held))
            held = []
        if alone:
            yield _Part(at, (line.strip(),))
        elif line.strip():
            held.append(line.strip())


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


def _read(block: Block) -> str:
    """The words of a block."""
    if isinstance(block, Headline | Prose):
        return _plain(block.text)
    if isinstance(block, Asked):
        labels = " ".join(choice.label for choice in block.choices)
        return _plain(f"{block.ask} {labels} {block.why} {block.hint}")
    return _plain(f"{block.title} {block.say}" if isinstance(block, Placed) else block.say)


def _plain(text: str) -> str:
    """As it is read: a figure is a word, of a link its label."""
    return re.sub(r"\]\([^)]*\)", "", re.sub(r"\{[^}]*\}", "0", text))
