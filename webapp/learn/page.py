"""The page of a lesson, from its text and the query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import url_for
from markupsafe import Markup

from agents.roster import agent_spec, agent_title
from engine.match import Match
from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.learn.catalogue import lessons
from webapp.learn.figures import told
from webapp.learn.parser import Asked, Block, Headline, LessonText, Machine, Placed, Prose
from webapp.learn.positions import Position, read_position, rule_text
from webapp.learn.prose import Writer, class_question, with_figures
from webapp.learn.query import LessonQuery
from webapp.learn.widgets.catalog import WIDGETS
from webapp.learn.widgets.widget import Button, WidgetView
from webapp.questions.query import ask_url

TITLES = {"predict": "First, your guess.", "twin": "Now you."}


@dataclass(frozen=True, slots=True)
class ListedLesson:
    """A lesson in the list."""

    number: int
    title: str
    slug: str
    url: str
    current: bool
    predictions: int


@dataclass(frozen=True, slots=True)
class DrawnPosition:
    """A position as a picture, with its rule."""

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
    """A question: its choices before an answer, the truth afterwards."""

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
    """A question with its answer, printed at the end of a lesson on paper."""

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


@dataclass(frozen=True)  # without slots: cached properties need a __dict__
class LessonView:
    """The page."""

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
        """Style sheets of its widgets, each once."""
        found: dict[str, Any] = {}
        for block in self.blocks:
            if isinstance(block, WidgetBlock):
                found |= dict.fromkeys(block.view.sheets)
        return tuple(found)

    def block(self, name: str) -> PageBlock:
        return next(block for block in self.blocks if block.name == name)


def entries(current: LessonText | None = None) -> tuple[ListedLesson, ...]:
    """Every lesson, for the list beside a page."""
    return tuple(
        ListedLesson(
            lesson.number,
            lesson.title,
            lesson.slug,
            url_for("learn.lesson", slug=lesson.slug),
            lesson == current,
            len(lesson.asked),
        )
        for lesson in lessons()
    )


def lesson_view(lesson: LessonText, query: LessonQuery) -> LessonView:
    write = Writer()
    listed = entries(lesson)
    at = next(at for at, entry in enumerate(listed) if entry.current)
    return LessonView(
        slug=lesson.slug,
        number=lesson.number,
        title=lesson.title,
        minutes=lesson.minutes,
        entries=listed,
        blocks=tuple(
            _block(block, query, write.within(getattr(block, "name", str(number))))
            for number, block in enumerate(lesson.blocks)
        ),
        answers=tuple(
            _printed(block, write) for block in lesson.blocks if isinstance(block, Asked)
        ),
        sources=tuple(write(source, plain=True) for source in lesson.sources),
        present=query.present,
        action=url_for("learn.lesson", slug=lesson.slug),
        previous=listed[at - 1] if at else None,
        next=listed[at + 1] if at + 1 < len(listed) else None,
    )


def _block(block: Block, query: LessonQuery, write: Writer) -> PageBlock:
    if isinstance(block, Headline):
        return WordsBlock(write(block.text, plain=True), "learn/heading.html")
    if isinstance(block, Prose):
        return WordsBlock(write(block.text), "learn/prose.html")
    if isinstance(block, Asked):
        return _asked(block, query[block.name], write)
    if isinstance(block, Placed):
        return _widget(block, query[block.name], write)
    return _beat(block, write)


def _asked(block: Asked, held: str, write: Writer) -> AskedBlock:
    """A question: a prediction shows the truth after any answer, a twin after the right one."""
    ask = write(block.ask)
    drawn = _drawn_after(block) if block.position else None
    class_url = ask_url(class_question(block))
    at = int(held) if held.isdecimal() and len(held) == 1 and int(held) < len(block.choices) else -1
    choices = tuple(
        Button(str(number), with_figures(choice.label), current=number == at)
        for number, choice in enumerate(block.choices)
    )
    if at < 0:
        return AskedBlock(
            block.name, block.kind, TITLES[block.kind], ask, choices, drawn, class_url, held=""
        )
    truth = block.choices[told(block.right)]
    chosen = block.choices[at]
    right = chosen == truth
    shows_truth = right or block.kind == "predict"
    return AskedBlock(
        name=block.name,
        kind=block.kind,
        title=TITLES[block.kind],
        ask=ask,
        choices=() if shows_truth else choices,
        drawn=drawn,
        ask_url=class_url,
        held=held,
        said=with_figures(chosen.label),
        truth=with_figures(truth.label) if shows_truth else "",
        right=right,
        why=write(block.why) if shows_truth else None,
        hint=None if shows_truth else write(block.hint),
        again=Button("", "Ask me again", look="quiet") if shows_truth else None,
    )


def _printed(block: Asked, write: Writer) -> PrintedAnswer:
    truth = block.choices[told(block.right)]
    return PrintedAnswer(
        write(block.ask, plain=True), with_figures(truth.label), write(block.why, plain=True)
    )


def _widget(block: Placed, held: str, write: Writer) -> WidgetBlock:
    kind = WIDGETS[block.kind]
    view = kind.view(block.about, held)
    position, posed = view.position, kind.asks(block.about, held)
    class_url = None if position is None else position.ask_url
    return WidgetBlock(
        name=block.name,
        title=with_figures(block.title),
        say=write(block.say),
        held=held,
        view=view,
        url="" if position is None else position.url,
        ask_url=class_url if posed is None else ask_url(posed),
    )


def _beat(block: Machine, write: Writer) -> BeatBlock:
    position = read_position(block.position)
    opponent = agent_spec(block.opponent, position.game)
    return BeatBlock(
        say=write(block.say),
        machine=agent_title(opponent, position.game.spec),
        drawn=draw_position(position),
        ask_url=position.ask_url,
        fields=(
            ("game", position.game.spec),
            ("state", str(position.state)),
            ("opponent", opponent),
            ("seat", block.seat),
        ),
    )


def _drawn_after(block: Asked) -> DrawnPosition:
    """The position that is asked about, after its moves."""
    position = read_position(block.position)
    moves = [position.game.parse_move(text) for text in block.moves.split()]
    match = Match.replay(position.game, moves, position.state)
    return draw_position(Position(position.game, match.state))


def draw_position(position: Position) -> DrawnPosition:
    """A position as a picture, with the rule that its board states."""
    return DrawnPosition(
        picture=picture_for(position.game, position.state),
        rule=rule_text(position),
        label=f"{position.game.title}, {position.state}",
        url=position.url,
    )
