"""What is asked and answered. Texts go to a worker; an analysis, a search or a truth comes back."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from agents import Analysis
from agents.optimisers.looking import Seen
from agents.search.recorded import Recording
from engine import Match
from webapp.questions.facts import Truth
from webapp.thinking.problems import SearchQuestion
from webapp.thinking.replay import replayed
from webapp.thinking.searches import TreeQuestion
from webapp.thinking.truths import TruthQuestion

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


Asked = Question | TreeQuestion | SearchQuestion | TruthQuestion
Said = Analysis[Any] | Recording | Seen | Truth


@dataclass(frozen=True, slots=True)
class Answer:
    """The move to play. Without an analysis it is any legal move, and `note` says why.

    A search that was asked for comes as a recording, one without a foe as what was seen of it, a
    truth as a truth; they name no move.
    """

    move: str
    analysis: Analysis[Any] | None
    note: str | None = None
    recording: Recording | None = None
    seen: Seen | None = None
    truth: Truth | None = None

    @property
    def weight(self) -> int:
        """In bytes, where it is more than a few."""
        return 0 if self.recording is None else self.recording.size


def answered(said: Said) -> Answer:
    """What came of a question."""
    if isinstance(said, Recording):
        return Answer("", None, recording=said)
    if isinstance(said, Truth):
        return Answer("", None, truth=said)
    if isinstance(said, Analysis):
        return Answer(str(said.choice), said)
    return Answer("", None, seen=said)


def substitute(question: Asked, why: str) -> Answer:
    """Any legal move, for an agent that gave none; no move where none was asked for."""
    if not isinstance(question, Question):
        return Answer("", None, why[:200])
    moves = question.match.state.legal_moves()
    move = Random(question.seed).choice(moves)
    return Answer(str(move), None, f"any legal move was played in its place: {why[:200]}")
