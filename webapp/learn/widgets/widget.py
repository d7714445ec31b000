"""The interface between widgets and pages.

A widget is a pure function of two texts: `about`, which the lesson gives it, and `held`, its state
in the query string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Protocol

from webapp.exhibits.exhibit import ExhibitContext
from webapp.learn.positions import Position
from webapp.questions.models import Question


class WidgetView(Protocol):
    """What a widget's `view` returns: a frozen dataclass per kind."""

    @property
    def template(self) -> str:
        """Its template."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """Its style sheets."""

    @property
    def position(self) -> Position | None:
        """The position it shows, to link to; None without one."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its label, and the state of the widget after it is pressed."""

    held: str
    label: str
    name: str = ""  # for screen readers, if the label is not enough
    look: str = ""
    current: bool = False


@dataclass(frozen=True, slots=True)
class Widget:
    """A kind of widget: functions of `about` and `held`."""

    view: Callable[[str, str], WidgetView]
    needs: Callable[[str], Iterable[str]] = lambda about: ()  # names of figures
    # Question for a class; None: about its position, if it has one.
    asks: Callable[[str, str], Question | None] = lambda about, held: None


MODULES = (*("alphabeta", "board", "learning", "minimax", "problems", "symmetry"),)


@cache
def widgets() -> dict[str, Widget]:
    """All widgets by the names that texts use: the WIDGETS of each module."""
    found: dict[str, Widget] = {}
    for name in MODULES:
        found |= import_module(f"webapp.learn.widgets.{name}").WIDGETS
    return dict(sorted(found.items()))


def find_widget(kind: str) -> Widget:
    """The widget of this name; raises KeyError."""
    return widgets()[kind]


def exhibit_stand(position: Position, step: int | None = None) -> ExhibitContext:
    """Context of an exhibit in a lesson: it has no links of its own."""
    return ExhibitContext(
        position.game, position.state, None, step, lambda *_: "", lambda _: "", lambda _: ""
    )
