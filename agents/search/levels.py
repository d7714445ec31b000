"""Levels of play for people: named presets of how deep quixo-deep looks and how often it slips."""

from __future__ import annotations

from dataclasses import dataclass

from agents.core import Limit


@dataclass(frozen=True, slots=True)
class Level:
    """One preset; `rating` is about where it stands, the first one being 0."""

    name: str
    title: str
    description: str  # one line for someone choosing an opponent
    limit: Limit
    skill: float
    rating: int


LEVELS = (
    Level(
        "first-steps",
        "First steps",
        "Sees its own next move, and more often than not plays any other.",
        Limit(depth=1),
        0.4,
        0,
    ),
    Level(
        "beginner",
        "Beginner",
        "Takes a line that is there to take, but a third of its moves are random.",
        Limit(depth=1),
        0.65,
        200,
    ),
    Level(
        "casual",
        "Casual",
        "Plays for more cubes, seldom slips, and does not look at your reply.",
        Limit(depth=1),
        0.85,
        400,
    ),
    Level(
        "steady",
        "Steady",
        "Looks at your reply, and slips in one move of eight.",
        Limit(depth=2),
        0.88,
        600,
    ),
    Level(
        "sharp",
        "Sharp",
        "Looks at your reply and hardly ever slips.",
        Limit(depth=2),
        0.97,
        800,
    ),
    Level(
        "tough",
        "Tough",
        "Looks three plies ahead: it will see your lines coming.",
        Limit(depth=3),
        1.0,
        1000,
    ),
    Level(
        "expert",
        "Expert",
        "Looks four plies ahead: only a plan will beat it.",
        Limit(depth=4),
        1.0,
        1200,
    ),
    Level(
        "full",
        "Full strength",
        "Thinks for as long as it may, about nine plies ahead in a second.",
        Limit(),
        1.0,
        1400,
    ),
)

FULL_STRENGTH = LEVELS[-1].name


def find_level(name: str) -> Level:
    """The level with this name; raises KeyError."""
    return {level.name: level for level in LEVELS}[name]
