"""The protocol of exhibits, and the context in which one is shown: position, selection, links."""

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
    """The result of `webapp.exhibits.exhibit_view`: one frozen dataclass per kind."""

    @property
    def template(self) -> str:
        """The template that draws it, such as `exhibits/columns.html`."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """Its style sheets."""

    @property
    def title(self) -> str:
        """Its heading."""

    @property
    def press(self) -> str | None:
        """The label of the button that plays the agent's move, if it waits: `Draw a bead`."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The open path of a tree, and links to others."""

    open: tuple[int, ...]  # indices of children
    at: Callable[[tuple[int, ...]], str]  # the address of another path
    action: str  # of a form with the field `open`
    fields: Settings  # its hidden fields


@dataclass(frozen=True, slots=True)
class Stand:
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

    @property
    def begin(self) -> Settings:
        """The fields of the lobby's form for this game."""
        key, texts = parse_spec(self.game.spec)
        options = tuple((f"{key}.{name}", text) for name, text in texts.items())
        return (("game", key), *((("preset", "custom"), *options) if options else ()))


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another part, step or setting."""

    label: str
    url: str
    current: bool = False


def course_chart(course: Course, presses: Sequence[Press] = ()) -> Chart:
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
