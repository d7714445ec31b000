"""A lesson as its page shows it, from the text and what the address holds."""

from __future__ import annotations

from typing import Any

from flask import url_for

from agents.roster import agent_spec, agent_title
from engine.match import Match
from webapp.boards import board_for, picture_for
from webapp.learn.classes import class_question
from webapp.learn.figures import told
from webapp.learn.held import HeldState
from webapp.learn.positions import Position, read_position
from webapp.learn.prose import Writer, with_figures
from webapp.learn.shelf import lessons
from webapp.learn.text import Asked, Block, Headline, LessonText, Machine, Placed, Prose
from webapp.learn.views import (
    AskedBlock,
    BeatBlock,
    DrawnPosition,
    LessonView,
    ListedLesson,
    PageBlock,
    PrintedAnswer,
    WidgetBlock,
    WordsBlock,
)
from webapp.learn.widgets.catalog import WIDGETS
from webapp.learn.widgets.widget import Button
from webapp.questions.query import ask_url

TITLES = {"predict": "First, your guess.", "twin": "Now you."}


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


def lesson_view(lesson: LessonText, held: HeldState) -> LessonView:
    """The whole page."""
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
            _block(block, held, write.within(getattr(block, "name", str(number))))
            for number, block in enumerate(lesson.blocks)
        ),
        answers=tuple(
            _printed(block, write) for block in lesson.blocks if isinstance(block, Asked)
        ),
        sources=tuple(write(source, plain=True) for source in lesson.sources),
        present=held.present,
        action=url_for("learn.lesson", slug=lesson.slug),
        previous=listed[at - 1] if at else None,
        next=listed[at + 1] if at + 1 < len(listed) else None,
    )


def _block(block: Block, held: HeldState, write: Writer) -> PageBlock:
    if isinstance(block, Headline):
        return WordsBlock(write(block.text, plain=True), "learn/heading.html")
    if isinstance(block, Prose):
        return WordsBlock(write(block.text), "learn/prose.html")
    if isinstance(block, Asked):
        return _asked(block, held[block.name], write)
    if isinstance(block, Placed):
        return _widget(block, held[block.name], write)
    return _beat(block, write)


def _asked(block: Asked, held: str, write: Writer) -> AskedBlock:
    """A prediction tells the truth whatever was said; a twin only whoever found it."""
    ask = write(block.ask)
    drawn = _drawn_after(block) if block.position else None
    asks_at = ask_url(class_question(block))
    at = int(held) if held.isdecimal() and len(held) == 1 and int(held) < len(block.choices) else -1
    choices = tuple(
        Button(str(number), with_figures(choice.label), current=number == at)
        for number, choice in enumerate(block.choices)
    )
    if at < 0:
        return AskedBlock(
            block.name, block.kind, TITLES[block.kind], ask, choices, drawn, asks_at, held=""
        )
    truth = block.choices[told(block.right)]
    said = block.choices[at]
    right = said == truth
    tells = right or block.kind == "predict"
    return AskedBlock(
        name=block.name,
        kind=block.kind,
        title=TITLES[block.kind],
        ask=ask,
        choices=() if tells else choices,
        drawn=drawn,
        ask_url=asks_at,
        held=held,
        said=with_figures(said.label),
        truth=with_figures(truth.label) if tells else "",
        right=right,
        why=write(block.why) if tells else None,
        hint=None if tells else write(block.hint),
        again=Button("", "Ask me again", look="quiet") if tells else None,
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
    asks_at = None if position is None else position.ask_url
    return WidgetBlock(
        name=block.name,
        title=with_figures(block.title),
        say=write(block.say),
        held=held,
        view=view,
        url="" if position is None else position.url,
        ask_url=asks_at if posed is None else ask_url(posed),
    )


def _beat(block: Machine, write: Writer) -> BeatBlock:
    position = read_position(block.position)
    opponent = agent_spec(block.opponent, position.game)
    return BeatBlock(
        say=write(block.say),
        machine=agent_title(opponent, position.game.spec),
        drawn=drawn_of(position),
        ask_url=position.ask_url,
        fields=(
            ("game", position.game.spec),
            ("state", str(position.state)),
            ("opponent", opponent),
            ("seat", block.seat),
        ),
    )


def _drawn_after(block: Asked) -> DrawnPosition:
    """Where the question stands, after its moves."""
    position = read_position(block.position)
    moves = [position.game.parse_move(text) for text in block.moves.split()]
    match = Match.replay(position.game, moves, position.state)
    return drawn_of(Position(position.game, match.state))


def drawn_of(position: Position) -> DrawnPosition:
    """The position as a picture; of a game whose board says a rule, with that rule."""
    board: Any = board_for(Match.begin(position.game, position.state), ply=0, may_move=False)
    return DrawnPosition(
        picture=picture_for(position.game, position.state),
        rule=getattr(board, "rule", ""),
        label=f"{position.game.title}, {position.state}",
        url=position.url,
    )
