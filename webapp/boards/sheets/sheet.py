"""How a game is played, as a few drawn steps."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.picture import Picture


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """One thing to know, with a position that shows it."""

    title: str  # Take a cube
    text: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Sheet:
    """What someone who never saw the game needs to play it."""

    title: str  # Quixo, 5 × 5
    goal: str  # in one line
    steps: tuple[DrawnStep, ...] = ()
    notes: tuple[str, ...] = ()  # what comes up more rarely
