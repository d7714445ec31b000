"""One agent as data: what it is called, what it plays, its parameters and how it is made."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.core import Agent, Limit
from agents.training.trainer import Lasting, Trainer
from engine.core import Game
from engine.options import Kind, Option, Role, Values


class Technique(StrEnum):
    """The families the agents belong to, as their folders are named."""

    RULES = "rules"
    SEARCH = "search"
    LEARNING = "learning"
    EVOLUTION = "evolution"
    PERFECT = "perfect"


# A key stands in specs, addresses and the names of files.
KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

SKILL = Option(
    "skill",
    Kind.NUMBER,
    1.0,
    "how often it plays its own choice rather than any legal move",
    low=0.0,
    high=1.0,
    role=Role.PLAYING,
)


def _at_once(_: Game[Any, Any], options: Values) -> float:
    return 0.0


Suiting = Callable[[Game[Any, Any], Values], None]


def _suits_all(_: Game[Any, Any], options: Values) -> None:
    return None


def _plays_all(_: Game[Any, Any]) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Level:
    """A named setting of how strong an agent plays, for someone choosing an opponent."""

    name: str  # what the option `level` says
    title: str
    description: str  # one line about it
    limit: Limit
    skill: float


@dataclass(frozen=True, slots=True)
class Entry:
    """One agent of the roster."""

    key: str
    title: str
    technique: Technique
    description: str  # two sentences for a player
    make: Callable[[Game[Any, Any], Values], Agent[Any, Any]]
    options: tuple[Option, ...] = ()  # its own parameters
    refuses: Callable[[Game[Any, Any]], str | None] = _plays_all  # why it cannot play this game
    knows_only: Callable[[Game[Any, Any]], str | None] = _plays_all  # which part of this game
    levels: tuple[Level, ...] = ()  # what its option `level` may be, gentlest first
    train: Trainer | None = None  # how it learns, where it does; `make` finds its brain by `recall`
    sampled: int = 0  # games that each point of its curve was measured by; 0: it is exact
    lasts: Lasting = _at_once  # about how many seconds it trains before it can play
    suits: Suiting = _suits_all  # raises UnsuitableAgentError for options that do not fit the game
    lessons: bool = False  # it shows a `Matchbox`, which says what one match would teach it
    shows: bool = False  # its agents are `Exhibitor`s: `analyse` takes `show` and makes an exhibit

    def check(self) -> None:
        """Raises TypeError where a field is not what its type says: pages rely on every one."""
        texts = (self.key, self.title, self.description)
        fields = (
            all(isinstance(text, str) and text.isprintable() for text in texts)
            and KEY.fullmatch(self.key)
            and isinstance(self.technique, Technique)
            and callable(self.make)
            and callable(self.refuses)
            and callable(self.knows_only)
            and callable(self.lasts)
            and callable(self.suits)
            and all(isinstance(option, Option) for option in self.options)
            and all(isinstance(level, Level) for level in self.levels)
            and (self.train is None or callable(self.train))
            and isinstance(self.sampled, int)
        )
        if not fields:
            raise TypeError(f"the entry {self.key!r} has fields of the wrong type"[:200])

    @property
    def all_options(self) -> tuple[Option, ...]:
        """Its own parameters, and the skill that every agent has."""
        return (*self.options, SKILL)


def only(*keys: str) -> Callable[[Game[Any, Any]], str | None]:
    """For an agent that knows just these games."""
    return lambda game: None if game.key in keys else f"it plays only {' and '.join(keys)}"
