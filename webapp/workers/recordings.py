"""Searches and trainings that are recorded, to be looked at step by step."""

from __future__ import annotations

from dataclasses import dataclass

from agents.q_trace import Episode, next_episode
from agents.search.trace import Plan, Recording, record
from agents.search.uct import UctPlan, UctRecording, record_uct
from engine import load_game
from engine.transcript import replayed
from webapp.workers.requests import Answer, ResultRequest


@dataclass(frozen=True, slots=True)
class TreeRequest(ResultRequest[Recording]):
    """A position and how the textbook search of it is to be recorded."""

    game: str
    start: str | None
    moves: tuple[str, ...]
    plan: Plan

    @property
    def key(self) -> tuple[str, str]:
        plan = self.plan
        return f"recorded {plan.algorithm}:depth={plan.depth},order={plan.order}", self.game

    def run(self, seconds: float) -> Recording:
        """The recorded search, which takes seconds."""
        return record(replayed(self.game, self.start, self.moves), self.plan)

    def answer(self, result: Recording) -> Answer[Recording]:
        return Answer(result, weight=result.size)


@dataclass(frozen=True, slots=True)
class UctRequest(ResultRequest[UctRecording]):
    """A position and how UCT's search of it is to be recorded."""

    game: str
    start: str | None
    moves: tuple[str, ...]
    plan: UctPlan

    @property
    def key(self) -> tuple[str, str]:
        return f"recorded uct:games={self.plan.games}", self.game

    def run(self, seconds: float) -> UctRecording:
        return record_uct(replayed(self.game, self.start, self.moves), self.plan)

    def answer(self, result: UctRecording) -> Answer[UctRecording]:
        return Answer(result, weight=result.size)


@dataclass(frozen=True, slots=True)
class EpisodeRequest(ResultRequest[Episode]):
    """The next game of a Q-learner's training, some games after those of its brain."""

    game: str
    agent: str
    ahead: int

    @property
    def key(self) -> tuple[str, str]:
        return f"{self.agent.partition(':')[0]} update by update", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> Episode:
        return next_episode(self.agent, load_game(self.game), self.ahead)
