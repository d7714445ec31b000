"""What the templates of a lesson are given: everything in words, nothing left to work out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from webapp.boards.scene import Board
from webapp.learn.widgets.widget import Button, WidgetView


@dataclass(frozen=True, slots=True)
class ListedLesson:
    """A lesson in the list of all."""

    number: int
    title: str
    slug: str
    url: str
    current: bool
    predictions: int


@dataclass(frozen=True, slots=True)
class DrawnPosition:
    """A position as a picture, with the rule it is played by."""

    picture: Board
    rule: str
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class WordsBlock:
    """A heading or a paragraph."""

    html: Markup
    template: str  # learn/heading.html or learn/prose.html
    name: str = ""


@dataclass(frozen=True, slots=True)
class AskedBlock:
    """A question: before an answer its choices, afterwards what was said beside the truth."""

    name: str
    kind: str  # predict or twin
    title: str
    ask: Markup
    choices: tuple[Button, ...]
    drawn: DrawnPosition | None
    ask_url: str
    held: str
    said: str = ""
    truth: str = ""
    right: bool = False
    why: Markup | None = None
    hint: Markup | None = None
    again: Button | None = None
    template: str = "learn/_asked.html"


@dataclass(frozen=True, slots=True)
class PrintedAnswer:
    """A question with its truth, as it stands at the end of a lesson on paper."""

    ask: Markup
    truth: str
    why: Markup


@dataclass(frozen=True, slots=True)
class WidgetBlock:
    """A widget in its card."""

    name: str
    title: str
    say: Markup
    held: str
    view: WidgetView
    url: str
    ask_url: str | None
    template: str = "learn/_widget.html"


@dataclass(frozen=True, slots=True)
class BeatBlock:
    """A machine to beat, from a position."""

    say: Markup
    machine: str
    drawn: DrawnPosition
    ask_url: str | None
    fields: tuple[tuple[str, str], ...]
    name: str = ""
    template: str = "learn/beat.html"


PageBlock = WordsBlock | AskedBlock | WidgetBlock | BeatBlock


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class LessonView:
    """One page."""

    slug: str
    number: int
    title: str
    minutes: int
    entries: tuple[ListedLesson, ...]
    blocks: tuple[PageBlock, ...]
    answers: tuple[PrintedAnswer, ...]
    sources: tuple[Markup, ...]
    present: bool
    action: str
    previous: ListedLesson | None
    next: ListedLesson | None

    @cached_property
    def sheets(self) -> tuple[str, ...]:
        """The style sheets of what stands on it, each once."""
        found: dict[str, Any] = {}
        for block in self.blocks:
            if isinstance(block, WidgetBlock):
                found |= dict.fromkeys(block.view.sheets)
        return tuple(found)

    def block(self, name: str) -> PageBlock:
        return next(block for block in self.blocks if block.name == name)
