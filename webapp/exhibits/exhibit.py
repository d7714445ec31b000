"""The base of exhibits' views, and the context of one: position, selection, links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.exhibits import Course, Offer
from engine import Game
from engine.options import parse_spec
from webapp.charts import Chart, ChartLink, Curve, chart

Settings = tuple[tuple[str, str], ...]


class ExhibitView:
    """What a template shows of an exhibit: a subclass for each kind."""

    title: str
    template: str  # such as exhibits/columns.html
    sheets: tuple[str, ...] = ()  # its style sheets
    press: str | None = None  # label of the button that plays the agent's move, if it waits


@dataclass(frozen=True, slots=True)
class Paths:
    """The open path of a tree, and links to others."""

    open: tuple[int, ...]  # indices of children
    at: Callable[[tuple[int, ...]], str]  # the address of another path
    action: str  # of a form with the field `open`
    fields: Settings  # its hidden fields


@dataclass(frozen=True, slots=True)
class ExhibitContext:
    """The position of an exhibit, what of it is selected, and links to other selections."""

    game: Game[Any, Any]
    state: Any
    part: str | None  # the selected part
    step: int | None
    turn_to: Callable[[str | None, int | None], str]  # the address of another part or step
    look_at: Callable[[Settings], str]  # the address of the exhibit with other settings
    spec_of: Callable[[Settings], str]  # the agent's spec with other settings
    paths: Paths | None = None  # None: the tree cannot be opened here
    choice: str = ""  # the agent's move; empty if it is not shown

    def plays(self, moves: Iterable[str]) -> bool:
        """Whether the agent's move is one of these."""
        return self.choice in moves

    def link_to(self, offer: Offer, *, current: bool = False) -> Link:
        """The exhibit with the settings that are offered."""
        return Link(offer.label, self.look_at(offer.settings), current)

    def earlier(self, offer: Offer, *, current: bool = False) -> Earlier:
        """The agent at the age that is offered."""
        return Earlier(self.link_to(offer, current=current), self.spec_of(offer.settings))

    @property
    def begin(self) -> Settings:
        """The fields of the lobby's form for this game."""
        key, texts = parse_spec(self.game.spec)
        options = tuple((f"{key}.{name}", text) for name, text in texts.items())
        return (("game", key), *((("preset", "custom"), *options) if options else ()))


def fixed_context(
    game: Game[Any, Any], state: Any, step: int | None = None, *, url: str = "", spec: str = ""
) -> ExhibitContext:
    """The context of an exhibit without choices of its own: every link leads to the same page."""
    return ExhibitContext(
        game, state, None, step, lambda *_: url, lambda _: url, spec_of=lambda _: spec
    )


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another part, step or setting."""

    label: str
    url: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Earlier:
    """The agent after fewer games or generations, to inspect and to play."""

    link: Link
    spec: str


def course_chart(course: Course, presses: Sequence[ChartLink] = ()) -> Chart:
    """The chart of a course of learning."""
    return chart(
        course.title,
        [Curve(line.name, line.tone, line.points) for line in course.lines],
        x_name=course.unit,
        log=course.powers,
        percent=course.shares,
        stacked=course.stacked,
        ceilings=course.ceilings,
        dots=course.cloud,
        presses=presses,
    )
