"""The base of widgets, and all of them by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import ClassVar

from webapp.learn.positions import Position
from webapp.questions.models import Question

REVEAL = "!"  # at the end of a state: show the answer, or what was not asked yet
MODULES = (
    "alphabeta",
    "board",
    "evolution",
    "horizon",
    "learning",
    "minimax",
    "networks",
    "problems",
    "symmetry",
)


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its label, and the state of the widget after it is pressed."""

    held: str
    label: str
    name: str = ""  # for screen readers, if the label is not enough
    look: str = ""
    current: bool = False


START_AGAIN = Button("", "Start again")


class Widget:
    """What a widget shows, a pure function of two texts.

    `about` is given by the lesson, `held` is the widget's state in the query string.
    """

    template: ClassVar[str]
    sheets: ClassVar[tuple[str, ...]] = ()
    position: Position | None = None  # that it shows, to link to
    presses: tuple[Button, ...] = ()

    def __init__(self, about: str, held: str) -> None:
        raise NotImplementedError

    @staticmethod
    def needs(about: str) -> Iterable[str]:
        """Names of the figures that it shows."""
        return ()

    @staticmethod
    def asks(about: str, held: str) -> Question | None:
        """The question for a class; None: about its position, if it has one."""
        return None


def held_number(held: str, highest: int) -> int:
    """A state that is a number, brought below the highest; 0 for any other text."""
    return min(int(held), highest) if held.isdecimal() and len(held) < 4 else 0


def read_answers(held: str, letters: str, count: int) -> tuple[str, int]:
    """The letters answered so far, and of how many questions the answers are shown."""
    given = "".join(letter for letter in held.removesuffix(REVEAL) if letter in letters)[:count]
    return given, count if held.endswith(REVEAL) else len(given)


@cache
def widgets() -> dict[str, type[Widget]]:
    """All widgets by the names that texts use: the WIDGETS of each module."""
    found: dict[str, type[Widget]] = {}
    for name in MODULES:
        found |= import_module(f"webapp.learn.widgets.{name}").WIDGETS
    return dict(sorted(found.items()))


def find_widget(kind: str) -> type[Widget]:
    """The widget of this name; raises KeyError."""
    return widgets()[kind]
