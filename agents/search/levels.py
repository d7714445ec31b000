"""Levels of play for people: named presets of how deep quixo-deep looks and how often it slips."""

from __future__ import annotations

from dataclasses import dataclass

from agents.core import Limit


@dataclass(frozen=True, slots=True)
class Level:
    """One preset; `rating` is what it was measured at, the first one being 0."""

    name: str
    title: str
    description: str  # one line for someone choosing an opponent
    limit: Limit
    skill: float
    rating: int


LEVELS = (
    Level("first-steps", "First steps", "d", Limit(depth=1), 0.5, 0),
    Level("full", "Full strength", "d", Limit(), 1.0, 1000),
)

FULL_STRENGTH = LEVELS[-1].name


def find_level(name: str) -> Level:
    """The level with this name; raises KeyError."""
    return {level.name: level for level in LEVELS}[name]
