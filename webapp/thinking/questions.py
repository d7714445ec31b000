"""What is asked of an agent, and what it answers. Texts go to a worker, an analysis comes back."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from agents import Analysis
from engine import Match
from webapp.thinking.replay import replayed

ON_THE_SPOT = 2.0  # seconds that a learner without a brain may train where others wait their turn


@dataclass(frozen=True, slots=True)
class Question:
    """A position and whom to ask. Equal questions have equal answers, so each is thought once."""

    game: str
    start: str | None  # where the match began, unless at the game's own start
    moves: tuple[str, ...]
    agent: str
    seed: str
    show: bool = False  # with what only this technique has to show

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position."""
        return replayed(self.game, self.start, self.moves)

    @property
    def kind(self) -> tuple[str, str, bool]:
        """What has to be compiled but once: an agent's key with a game's, and what it shows."""
        return self.agent.partition(":")[0], self.game.partition(":")[0], self.show

    @property
    def setting(self) -> tuple[str, str]:
        """What fails or takes long in the same way: an agent as it is set, in one variant."""
        return self.agent, self.game


@dataclass(frozen=True, slots=True)
class Answer:
    """The move to play. Without an analysis it is any legal move, and `note` says why."""

    move: str
    analysis: Analysis[Any] | None
    note: str | None = None


def substitute(question: Question, why: str) -> Answer:
    """Any legal move, for an agent that gave none."""
    moves = question.match.state.legal_moves()
    move = Random(question.seed).choice(moves)
    return Answer(str(move), None, f"any legal move was played in its place: {why[:200]}")
