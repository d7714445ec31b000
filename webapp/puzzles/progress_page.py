"""What stands beside a puzzle, and where there is none to show: progress, and which come next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from agents.formats import counted
from agents.puzzles.models import LEVELS, Theme
from engine.catalog import find_entry
from webapp.puzzles.models import DAY_S, SPRINT_S, Attempt, Progress
from webapp.puzzles.query import PATH, PuzzleQuery
from webapp.web.forms import Choice

MAX_RESULTS = 8  # shown of the latest


@dataclass(frozen=True, slots=True)
class Shelf:
    """What there is to choose from, and what waits for the player."""

    games: tuple[str, ...]  # keys
    themes: tuple[str, ...]  # of the chosen game
    due: int = 0  # to be asked again now
    waiting: int = 0  # later
    next_due: int | None = None  # when, in seconds since 1970
    own: int = 0  # from the player's matches


@dataclass(frozen=True, slots=True)
class Chooser:
    """What a player can choose from; a choice's value is its address."""

    query: PuzzleQuery
    keys: Sequence[str]  # of games
    names: Sequence[str]  # of the chosen game's themes

    @property
    def games(self) -> tuple[Choice, ...]:
        titles = ((key, find_entry(key).title) for key in self.keys)
        chosen = (self.query.game or "").partition(":")[0]
        return self._links("game", [(None, "All"), *titles], chosen or None, theme=None)

    @property
    def themes(self) -> tuple[Choice, ...]:
        names = ((Theme(theme), theme_title(theme)) for theme in self.names)
        return self._links("theme", [(None, "All"), *names], self.query.theme)

    @property
    def levels(self) -> tuple[Choice, ...]:
        names = ((level, str(level)) for level in LEVELS)
        return self._links("level", [(None, "Follows you"), *names], self.query.level)

    @property
    def assign_fields(self) -> Mapping[str, str | int | None]:
        """The form of an assignment with puzzles of this kind."""
        chosen = {"game": self.query.game, "theme": self.query.theme, "level": self.query.level}
        return {"add": "puzzles", **chosen}

    def _links(
        self, name: str, choices: Sequence[tuple[Any, str]], chosen: Any, **others: Any
    ) -> tuple[Choice, ...]:
        query = replace(self.query.kept, mine=False, missed=False, sprint=False)
        return tuple(
            Choice(query.url(PATH, **{name: value}, **others), label, chosen=value == chosen)
            for value, label in choices
        )


@dataclass(frozen=True)  # no slots: cached properties
class ProgressPart:
    """Streak, latest results, and what comes back."""

    progress: Progress
    latest: Sequence[Attempt]
    shelf: Shelf
    now: int

    @property
    def title(self) -> str:
        return f"Your streak: {self.progress.streak}"

    @property
    def results(self) -> tuple[tuple[str, str], ...]:
        """Glyph and word of the latest, the oldest first."""
        return tuple(("▲", "solved") if each.first else ("▼", "missed") for each in self.latest)

    @property
    def repetition(self) -> str:
        """What comes back, and when."""
        shelf = self.shelf
        if shelf.due:
            return f"{counted(shelf.due, 'puzzle', 'puzzles')} that you missed can be tried again."
        if not shelf.waiting or shelf.next_due is None:
            return "" if self.progress.tried else "What you miss comes back after a day and a week."
        what = counted(shelf.waiting, "puzzle you missed comes", "puzzles you missed come")
        first = ", the first" if shelf.waiting > 1 else ""
        return f"{what} back{first} {self._when(shelf.next_due)}."

    def _when(self, at: int) -> str:
        day, today = (datetime.fromtimestamp(each, UTC).date() for each in (at, self.now))
        days = (day - today).days
        return {0: "later today", 1: "tomorrow"}.get(days, f"in {days} days")

    @property
    def strength(self) -> str:
        """Level and rating with its uncertainty, once there is one to speak of."""
        if not self.progress.tried:
            return "You begin at level 1. The better you solve, the harder they get."
        rating = self.progress.strength
        known = f"{self.progress.solved} of {self.progress.tried} at the first try"
        return f"You are at level {self.progress.level} and solved {known}. Your rating: {rating}."


@dataclass(frozen=True)  # no slots: cached properties
class NonePage:
    """Where there is no puzzle to show: nothing is due, none is yours, or time is up."""

    query: PuzzleQuery
    progress: ProgressPart
    title: str
    texts: tuple[str, ...]

    @property
    def minutes(self) -> int:
        return SPRINT_S // 60


def theme_title(theme: str) -> str:
    """As a button says it: `Only move`, `Win in n moves`."""
    return f"{theme.capitalize()}{' moves' if theme == Theme.WIN else ''}"


def due_text(shelf: Shelf, now: int) -> str:
    """When what was missed comes back."""
    if shelf.next_due is None:
        return "What you miss comes back after a day, and once more after a week."
    days = max(1, round((shelf.next_due - now) / DAY_S))
    return f"The next comes back in {counted(days, 'day', 'days')}."
