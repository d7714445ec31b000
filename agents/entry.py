"""Roster entries: an agent's name, games, options, factory and trainer as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.core import Agent, Limit
from agents.training.brains import Brain
from agents.training.trainer import Trainer, TrainingSeconds
from engine.core import Game
from engine.entry import Preset
from engine.options import Kind, Option, Role, Values
from engine.registry import KEY


class Technique(StrEnum):
    """The families of agents, named like their packages."""

    RULES = "rules"
    SEARCH = "search"
    LEARNING = "learning"
    NETWORKS = "networks"
    EVOLUTION = "evolution"
    PERFECT = "perfect"
    PLAYERS = "players"  # from outside


SKILL = Option(
    "skill",
    Kind.NUMBER,
    1.0,
    "how often it plays its own choice rather than a random move",
    low=0.0,
    high=1.0,
    role=Role.PLAYING,
)


@dataclass(frozen=True, slots=True)
class Level:
    """A named playing strength of an agent."""

    name: str  # the value of the option `level`
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
    options: tuple[Option, ...] = ()  # its own
    refuses: Callable[[Game[Any, Any]], str | None] = lambda game: None  # why it cannot play it
    knows_only: Callable[[Game[Any, Any]], str | None] = lambda game: None  # the only part it knows
    presets: tuple[Preset, ...] = ()  # settings with a name, as `key:preset=published`
    levels: tuple[Level, ...] = ()  # values of its option `level`, weakest first
    train: Trainer | None = None  # for learners, whose `make` gets the brain from `recall`
    # The metrics at the end of a training (game, options, seed), without those on the way.
    final: Callable[[Game[Any, Any], Values, int], Mapping[str, float]] | None = None
    remembered: tuple[str, ...] = ()  # options of playing that its brains keep, if set
    sampled: int = 0  # games played to measure a point of its curve; 0 if computed exactly
    lasts: TrainingSeconds = lambda game, options: 0.0  # of training before it can play
    # Raises UnsuitableAgentError for options unfit for the game.
    suits: Callable[[Game[Any, Any], Values], None] = lambda game, options: None
    ships: Callable[[Brain], Brain] = lambda brain: brain  # the part of a brain that ships
    lessons: bool = False  # its `Matchbox` exhibit can show what a match would teach it
    shows: bool = False  # its agents are `Exhibitor`s
    # Python source of `chances(state, legal)`, standard library only, for `agents.export`; None
    # where it has none for the game, and is written as a table if the game is small.
    source: Callable[[Game[Any, Any], Values], str | None] | None = None
    order: int = 0  # among ours of its technique

    def check(self) -> None:
        """Raises TypeError for a field of the wrong type, as plug-ins may have."""
        texts = (self.key, self.title, self.description)
        functions = (self.make, self.refuses, self.knows_only, self.lasts, self.suits)
        fields = (
            all(isinstance(text, str) and text.isprintable() for text in texts)
            and KEY.fullmatch(self.key)
            and isinstance(self.technique, Technique)
            and all(callable(function) for function in functions)
            and all(isinstance(option, Option) for option in self.options)
            and all(isinstance(preset, Preset) for preset in self.presets)
            and all(isinstance(level, Level) for level in self.levels)
            and (self.train is None or callable(self.train))
            and isinstance(self.sampled, int)
        )
        if not fields:
            raise TypeError(f"the entry {self.key!r} has fields of the wrong type"[:200])

    @property
    def all_options(self) -> tuple[Option, ...]:
        """Its own options and the skill that every agent has."""
        return (*self.options, SKILL)


def only(*keys: str) -> Callable[[Game[Any, Any]], str | None]:
    """A `refuses` for an agent that plays only these games."""
    return lambda game: None if game.key in keys else f"it plays only {' and '.join(keys)}"
