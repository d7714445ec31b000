"""What a kind of truth is: how it is written, answered and found, and what it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from webapp.questions.arguments import Arguments
from webapp.questions.facts import KnownFact
from webapp.questions.posed import PosedQuestion


class AnsweredBy(StrEnum):
    """What a truth is held against."""

    MOVE = "a move"
    WINNER = "who wins"
    HOLDS = "yes or no"
    NUMBER = "a number"


class About(IntEnum):
    """What a truth is about, and so what a question has to name and a page to draw."""

    NO_GAME = 0
    GAME = 1  # nothing is drawn of it
    POSITION = 2


@dataclass(frozen=True, slots=True)
class TruthKind:
    """One way to find out what is true."""

    usage: str  # its name first, what it needs in capitals, what may be left out in brackets
    answers: AnsweredBy
    tells: str
    find: Callable[[PosedQuestion, Arguments], KnownFact]
    least: int = 0  # words after its name
    most: int = 0
    options: tuple[str, ...] = ()
    about: About = About.POSITION

    @property
    def name(self) -> str:
        return self.usage.partition(" ")[0]
