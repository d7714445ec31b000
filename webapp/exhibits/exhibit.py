"""Where an exhibit is shown, and what it is to a page, whichever kind it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.exhibits import Course
from engine import Game
from engine.options import parse_spec
from webapp.charts import Chart, Curve, Press, chart

Settings = tuple[tuple[str, str], ...]


class ExhibitView(Protocol):
    """What `webapp.exhibits.exhibit_view` makes: one frozen dataclass per kind."""

    @property
    def template(self) -> str:
        """The template that draws it, such as `exhibits/columns.html`."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """Its style sheets, loaded with it."""

    @property
    def title(self) -> str:
        """What stands above it."""

    @property
    def press(self) -> str | None:
        """What the agent's move is called here, if it waits for a press: `Draw a bead`."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The path of a tree that is open, and the ways to others."""

    open: tuple[int, ...]  # the first answer is 0
    at: Callable[[tuple[int, ...]], str]  # the address of another
    action: str  # where a form goes that asks for one: `open`
    fields: Settings  # what it sends besides


@dataclass(frozen=True, slots=True)
class Stand:
    """The position an exhibit is about, how it is looked at, and the ways from there."""

    game: Game[Any, Any]
    state: Any
    part: str | None  # which side of it is looked at
    step: int | None
    turn_to: Callable[[str | None, int | None], str]  # the address of another part or step
    look_at: Callable[[Settings], str]  # the address of the same agent's, set otherwise
    spec_of: Callable[[Settings], str]  # that agent's spec, to play against
    paths: Paths | None = None  # through a tree; None where trees are not walked through
    choice: str = ""  # the move the agent plays there; nothing where no move is told

    def plays(self, moves: Iterable[str]) -> bool:
        """Whether the move it plays is one of these."""
        return self.choice in moves

    @property
    def begin(self) -> Settings:
        """The fields by which the lobby's form names this game."""
        key, texts = parse_spec(self.game.spec)
        options = tuple((f"{key}.{name}", text) for name, text in texts.items())
        return (("game", key), *((("preset", "custom"), *options) if options else ()))


@dataclass(frozen=True, slots=True)
class Link:
    """A way to look at it otherwise."""

    label: str
    url: str
    current: bool = False


def course_chart(course: Course, presses: Sequence[Press] = ()) -> Chart:
    """The course drawn."""
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
