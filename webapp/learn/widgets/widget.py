"""What a widget is to a page, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from webapp.learn.positions import Position
from webapp.questions.models import PosedQuestion


class WidgetView(Protocol):
    """What a widget's `view` makes: one frozen dataclass per kind."""

    @property
    def template(self) -> str:
        """The template that draws it."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """Its style sheets."""

    @property
    def position(self) -> Position | None:
        """Where it stands, to be opened as a page of its own; None where it is no position."""


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what the address holds after it, and what it says."""

    held: str
    label: str
    name: str = ""  # for ears, where the label is not enough
    look: str = ""
    current: bool = False


@dataclass(frozen=True, slots=True)
class Widget:
    """A kind of widget: from what a text says it is about, and what the address holds of it."""

    view: Callable[[str, str], WidgetView]
    needs: Callable[[str], Iterable[str]] = lambda about: ()  # figures
    # What a class is asked of one that has no position; None: about its position, if it has one.
    asks: Callable[[str, str], PosedQuestion | None] = lambda about, held: None
