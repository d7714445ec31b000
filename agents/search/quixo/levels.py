"""Levels of quixo-deep: named presets of its search depth and its share of random moves."""

from __future__ import annotations

from agents.core import Limit
from agents.entry import Level

LEVELS = (
    Level(
        "first-steps",
        "First steps",
        "Plays almost anything: one move of twenty is its own.",
        Limit(depth=1),
        0.05,
    ),
    Level(
        "newcomer",
        "Newcomer",
        "One move of five is its own; the others are random.",
        Limit(depth=1),
        0.19,
    ),
    Level(
        "learner",
        "Learner",
        "One move of three is its own; the others are random.",
        Limit(depth=1),
        0.34,
    ),
    Level(
        "beginner",
        "Beginner",
        "Takes a line that is there to take, but nearly half of its moves are random.",
        Limit(depth=1),
        0.54,
    ),
    Level(
        "improver",
        "Improver",
        "Takes most lines that are there to take; a fifth of its moves are random.",
        Limit(depth=1),
        0.78,
    ),
    Level(
        "casual",
        "Casual",
        "Plays for more cubes in line, and does not look at your reply.",
        Limit(depth=1),
        1.0,
    ),
    Level(
        "steady",
        "Steady",
        "Looks at your reply, and slips in one move of ten.",
        Limit(depth=2),
        0.9,
    ),
    Level(
        "keen",
        "Keen",
        "Looks three plies ahead, and slips in one move of twenty.",
        Limit(depth=3),
        0.95,
    ),
    Level(
        "sharp",
        "Sharp",
        "Looks three plies ahead and never slips: it will see your lines coming.",
        Limit(depth=3),
        1.0,
    ),
    Level(
        "tough",
        "Tough",
        "Looks four plies ahead, and slips in one move of fifty.",
        Limit(depth=4),
        0.98,
    ),
    Level(
        "strong", "Strong", "Looks four plies ahead: only a plan will beat it.", Limit(depth=4), 1.0
    ),
    Level("expert", "Expert", "Looks five plies ahead.", Limit(depth=5), 1.0),
    Level("master", "Master", "Looks six plies ahead.", Limit(depth=6), 1.0),
    Level("grandmaster", "Grandmaster", "Looks eight plies ahead.", Limit(depth=8), 1.0),
    Level(
        "full",
        "Full strength",
        "Thinks for as long as it may, about nine plies ahead in a second.",
        Limit(),
        1.0,
    ),
)

FULL_STRENGTH = LEVELS[-1].name


def find_level(name: str) -> Level:
    """The level with this name; raises KeyError."""
    return {level.name: level for level in LEVELS}[name]
