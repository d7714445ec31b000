"""The page of a lesson, from its text and the query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from markupsafe import Markup

from agents.roster import agent_spec, agent_title
from webapp.learn.lesson import (
    Block,
    Headline,
    LessonCode,
    LessonOpponent,
    LessonQuestion,
    LessonText,
    LessonWidget,
    Prose,
    lessons,
)
from webapp.learn.markup import Writer, figure_value, plain, with_figures
from webapp.learn.positions import position_of, read_position
from webapp.learn.query import LessonQuery
from webapp.learn.widgets.widget import Button, find_widget
from webapp.questions.models import Choice, Question
from webapp.questions.query import ask_url
from webapp.questions.truths import has_board
from webapp.web.query import Pairs

WON = "won"  # what the query says of a machine that was beaten
TITLES = {"predict": "First, your guess.", "twin": "Now you."}


@dataclass(frozen=True, slots=True)
class WordsBlock:
    """A heading or a paragraph."""

    html: Markup
    template: str  # learn/heading.html or learn/prose.html
    name: str = ""


class AskedBlock:
    """A question: a prediction shows the truth after any answer, a twin after the right one."""

    template = "learn/_asked.html"

    def __init__(self, block: LessonQuestion, held: str, write: Writer) -> None:
        question = class_question(block)
        choices = question.choices
        self.name, self.kind, self.title = block.name, block.kind, TITLES[block.kind]
        self.ask = write(block.question.prompt)
        self.drawn = position_of(question.match) if has_board(question) else None
        self.ask_url = ask_url(question)
        at = int(held) if held.isdecimal() and len(held) == 1 and int(held) < len(choices) else -1
        right = figure_value(block.right)
        answered, self.right = at >= 0, at == right
        shows_truth = self.right or (answered and block.kind == "predict")
        self.held = held if answered else ""
        self.said = choices[at].text if answered else ""
        self.truth = choices[right].text if shows_truth else ""
        self.why = write(block.why) if shows_truth else None
        self.hint = write(block.hint) if answered and not shows_truth else None
        self.again = Button("", "Ask me again", look="quiet") if shows_truth else None
        self.choices = tuple(
            Button(str(number), choice.text, current=number == at)
            for number, choice in enumerate(choices)
            if not shows_truth
        )


class WidgetBlock:
    """A widget in its card."""

    template = "learn/_widget.html"

    def __init__(self, block: LessonWidget, held: str, write: Writer) -> None:
        kind = find_widget(block.kind)
        self.name, self.held = block.name, held
        self.title = with_figures(block.title)
        self.say = write(block.say)
        self.view = kind(block.about, held)
        position, question = self.view.position, kind.asks(block.about, held)
        self.url = "" if position is None else position.url
        self.ask_url = None if position is None else position.ask_url
        if question is not None:
            self.ask_url = ask_url(question)


class BeatBlock:
    """A machine to beat, from a position; `won` as soon as the visitor came back from a win."""

    template = "learn/beat.html"

    def __init__(self, block: LessonOpponent, held: str, lesson: str, write: Writer) -> None:
        position = read_position(block.position)
        self.name, self.won = block.name, held == WON
        self.held = WON if self.won else ""
        opponent = agent_spec(block.opponent, position.game)
        self.say = write(block.say)
        self.machine = agent_title(opponent, position.game.spec)
        self.drawn = position
        self.ask_url = position.ask_url
        self.fields = (
            *position.match_fields(opponent, block.seat),
            ("lesson", f"{lesson}.{block.name}"),
        )


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """An algorithm as a short program, to read and to copy."""

    title: str
    say: str
    source: str
    key: str  # of its id
    name: str = ""
    template: str = "learn/code.html"


MAX_SLIDE_CHARS = 1_000  # of paragraphs on one slide of a projector
PageBlock = WordsBlock | AskedBlock | WidgetBlock | BeatBlock | CodeBlock


class LessonPage:
    """The page of a lesson in the state that its query says."""

    def __init__(self, lesson: LessonText, query: LessonQuery) -> None:
        self.text = lesson
        self.query = query
        self.entries = lessons()  # for the list beside the page
        self._write = Writer()

    @cached_property
    def blocks(self) -> tuple[PageBlock, ...]:
        """All blocks, in their order: a glossary word is explained where it occurs first."""
        return tuple(
            self._block(block, self._write.within(getattr(block, "name", str(number))))
            for number, block in enumerate(self.text.blocks)
        )

    def _block(self, block: Block, write: Writer) -> PageBlock:
        match block:
            case LessonQuestion():
                return AskedBlock(block, self.query[block.name], write)
            case LessonWidget():
                return WidgetBlock(block, self.query[block.name], write)
            case LessonOpponent():
                return BeatBlock(block, self.query[block.name], self.text.slug, write)
            case LessonCode():
                return CodeBlock(block.title, block.say, block.source, block.functions.split()[0])
            case Prose():
                return WordsBlock(write(block.text), "learn/prose.html")
            case Headline():
                return WordsBlock(write(block.text, plain=True), "learn/heading.html")

    @cached_property
    def slides(self) -> tuple[tuple[PageBlock, ...], ...]:
        """The blocks as a projector shows them: a heading goes with what follows it, short
        paragraphs go together."""
        slides: list[list[PageBlock]] = []
        room = 0  # letters that the last slide still takes
        for text, block in zip(self.text.blocks, self.blocks, strict=True):
            if isinstance(text, Prose):
                if len(text.text) > room:
                    slides.append([])
                    room = MAX_SLIDE_CHARS
                slides[-1].append(block)
                room -= len(text.text)
            elif isinstance(text, Headline):
                slides.append([block])
                room = MAX_SLIDE_CHARS
            else:
                if not slides or len(slides[-1]) != 1 or room != MAX_SLIDE_CHARS:
                    slides.append([])
                slides[-1].append(block)
                room = 0
        return tuple(map(tuple, slides))

    @property
    def slide(self) -> int:
        return min(self.query.slide, len(self.slides) - 1)

    @property
    def shown(self) -> tuple[PageBlock, ...]:
        """The blocks on the page: all of them, or on a projector those of its slide."""
        return self.slides[self.slide] if self.query.present else self.blocks

    @property
    def hidden_states(self) -> Pairs:
        """What blocks hold that are not on the page."""
        names = {block.name for block in self.shown}
        return tuple(pair for pair in self.query.states if pair[0] not in names)

    def slide_url(self, block: PageBlock) -> str:
        """Where a projector shows this block, as the page holds it."""
        number = next(at for at, slide in enumerate(self.slides) if block in slide)
        return self.query.url(self.text.url, slide=number)

    def block(self, name: str) -> PageBlock:
        return next(block for block in self.blocks if block.name == name)

    @cached_property
    def answers(self) -> tuple[tuple[Markup, str, Markup], ...]:
        """Every question with its answer and why, printed at the end of a lesson on paper."""
        return tuple(
            (
                self._write(block.question.prompt, plain=True),
                with_figures(block.question.choices[figure_value(block.right)].text),
                self._write(block.why, plain=True),
            )
            for block in self.text.blocks
            if isinstance(block, LessonQuestion)
        )

    @cached_property
    def sources(self) -> tuple[Markup, ...]:
        return tuple(self._write(source, plain=True) for source in self.text.sources)

    @cached_property
    def sheets(self) -> tuple[str, ...]:
        """Style sheets of its widgets, each once."""
        views = [block.view for block in self.blocks if isinstance(block, WidgetBlock)]
        return tuple(dict.fromkeys(sheet for view in views for sheet in view.sheets))

    @property
    def previous(self) -> LessonText | None:
        at = self.entries.index(self.text)
        return self.entries[at - 1] if at else None

    @property
    def next(self) -> LessonText | None:
        return next(iter(self.entries[self.entries.index(self.text) + 1 :]), None)


def class_question(block: LessonQuestion) -> Question:
    """The question as a class is asked it, with its figures filled in."""
    return replace(
        block.question,
        prompt=plain(block.question.prompt),
        choices=tuple(Choice(plain(one.text), one.claim) for one in block.question.choices),
    )
