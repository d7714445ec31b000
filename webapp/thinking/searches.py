"""A search recorded for whoever wants to walk through it: the second kind of question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.search.recorded import Plan, Recording, record
from engine import Match
from webapp.thinking.replay import replayed


@dataclass(frozen=True, slots=True)
class TreeQuestion:
    """A position, and how it is to be searched. No agent is asked: the search is the textbook's."""

    game: str
    start: str | None
    moves: tuple[str, ...]
    plan: Plan

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position."""
        return replayed(self.game, self.start, self.moves)

    @property
    def agent(self) -> str:
        """Who is said to think, in the log."""
        return f"recorded {self.plan.algorithm}"

    @property
    def kind(self) -> tuple[str, str]:
        return self.agent, self.game.partition(":")[0]

    @property
    def setting(self) -> tuple[str, str]:
        """What takes long in the same way."""
        return f"{self.agent}:depth={self.plan.depth},order={self.plan.order}", self.game

    def recording(self) -> Recording:
        """The search itself, which takes seconds: for a worker."""
        return record(self.match, self.plan)
