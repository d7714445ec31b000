"""Requests to a worker process, and their answers: texts go there, values come back.

A request has keys for statistics (`compile_key`, `stats_key`), runs itself in a worker (`run`)
and turns the result into an answer (`answer`), or its failure into one (`fallback`).
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Protocol

from agents import Agent, Analysis, Limit, load_agent
from agents.core import Candidate, Effort, Fact, ask
from agents.errors import BrokenAgentError
from agents.exhibits import KINDS
from agents.optimisers.snapshots import Snapshot, box_figures, cover_figures, cover_moment, is_cover
from agents.roster import find_agent, pinned_spec, ready_spec
from agents.search.trace import Plan, Recording, record
from engine import Match, load_game
from engine.problems.black_box import MAX_CALLS
from engine.transcript import replayed

MAX_INLINE_TRAINING_S = 2.0  # seconds that a learner without a brain may train within a request
MAX_REASON_CHARS = 2_000  # one sentence, even a long one, is far below
MAX_FACTS = 200
MAX_EXHIBIT_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Answer:
    """The move to play. Without an analysis it is any legal move, and `note` says why.

    A request that asks for no move has its `result` instead.
    """

    move: str
    analysis: Analysis[Any] | None
    note: str | None = None
    result: Any = None

    @property
    def weight(self) -> int:
        """Size in bytes, where it is more than a few."""
        return self.result.size if isinstance(self.result, Recording) else 0


class Request(Protocol):
    """Equal requests have equal answers, so each is run once."""

    @property
    def agent(self) -> str:
        """The agent's name in the log."""

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        """What is compiled once: (agent key, game key, whether it shows its exhibit)."""

    @property
    def stats_key(self) -> tuple[str, str]:
        """Key for timing and failure statistics: (agent spec, game spec)."""

    @property
    def brains(self) -> tuple[str, ...]:
        """Specs of agents whose brains must be on this machine before it runs."""

    def run(self, seconds: float) -> Any:
        """The result, within this time; for a worker."""

    def answer(self, result: Any) -> Answer:
        """The result as an answer."""

    def fallback(self, why: str) -> Answer:
        """The answer where none came."""


class ResultRequest:
    """A request for a result that is no move."""

    @property
    def brains(self) -> tuple[str, ...]:
        return ()

    def answer(self, result: Any) -> Answer:
        return Answer("", None, result=result)

    def fallback(self, why: str) -> Answer:
        return Answer("", None, why[:200])


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A position and the agent to analyse it."""

    game: str
    start: str | None  # where the match began, unless at the game's own start
    moves: tuple[str, ...]
    agent: str
    seed: str
    show: bool = False  # with the exhibit of its technique

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position."""
        return replayed(self.game, self.start, self.moves)

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        return self.agent.partition(":")[0], self.game.partition(":")[0], self.show

    @property
    def stats_key(self) -> tuple[str, str]:
        return self.agent, self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> Analysis[Any]:
        """The agent's analysis; raises BrokenAgentError where it is none that can be shown."""
        return checked(think(self, seconds))

    def answer(self, result: Analysis[Any]) -> Answer:
        return Answer(str(result.choice), result)

    def fallback(self, why: str) -> Answer:
        """Any legal move."""
        move = Random(self.seed).choice(self.match.state.legal_moves())
        return Answer(str(move), None, f"any legal move was played in its place: {why[:200]}")


@dataclass(frozen=True, slots=True)
class TreeRequest(ResultRequest):
    """A position and how the textbook search of it is to be recorded."""

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
        return f"recorded {self.plan.algorithm}"

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        return self.agent, self.game.partition(":")[0], False

    @property
    def stats_key(self) -> tuple[str, str]:
        return f"{self.agent}:depth={self.plan.depth},order={self.plan.order}", self.game

    def run(self, seconds: float) -> Recording:
        """The recorded search, which takes seconds."""
        return record(self.match, self.plan)


@dataclass(frozen=True, slots=True)
class SearchRequest(ResultRequest):
    """A problem and the search for it: all of it where that is quick, or one moment of it."""

    problem: str
    search: str
    seed: int = 0
    step: int | None = None  # of a search over covers
    calls: int | None = None  # after which a search on a box is looked at

    @property
    def agent(self) -> str:
        return self.search

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        return self.search.partition(":")[0], self.problem.partition(":")[0], False

    @property
    def stats_key(self) -> tuple[str, str]:
        return f"{self.search} {'whole' if self.step is None else 'a step'}", self.problem

    def run(self, seconds: float) -> Snapshot:
        """Its figures, or the step that was asked for."""
        if not is_cover(self.problem):
            calls = self.calls or MAX_CALLS
            return box_figures(self.problem, self.search, self.seed, calls, seconds)
        if self.step is None:
            return cover_figures(self.problem, self.search)
        return cover_moment(self.problem, self.search, self.step)


def think(request: AnalysisRequest, seconds: float) -> Analysis[Any]:
    """The agent's analysis; raises where it answers what cannot be played."""
    show = request.show and find_agent(request.compile_key[0]).shows
    game = load_game(request.game)
    agent = _agent(
        pinned_spec(ready_spec(request.agent, game, MAX_INLINE_TRAINING_S), game), game.spec
    )
    limit, rng = Limit(seconds=seconds), Random(request.seed)
    return ask(agent, request.match, limit, rng, show=show)


@lru_cache(maxsize=24)
def _agent(spec: str, game: str) -> Agent[Any, Any]:
    """Loaded once per process, by its brain's digest: agents hold what they learned."""
    return load_agent(spec, load_game(game))


def checked(analysis: Analysis[Any]) -> Analysis[Any]:
    """The analysis, if it is one that pages can show; raises BrokenAgentError."""
    sound = (
        isinstance(analysis, Analysis)
        and isinstance(analysis.reason, str)
        and len(analysis.reason) <= MAX_REASON_CHARS
        and len(analysis.candidates) > 0
        and all(isinstance(candidate, Candidate) for candidate in analysis.candidates)
        and any(candidate.move == analysis.choice for candidate in analysis.candidates)
        and len(analysis.evidence) <= MAX_FACTS
        and all(_is_fact(fact) for fact in analysis.evidence)
        and isinstance(analysis.effort, Effort)
    )
    if not sound:
        raise BrokenAgentError("it said what cannot be shown")
    return analysis if _can_be_shown(analysis.exhibit) else replace(analysis, exhibit=None)


def _can_be_shown(exhibit: object) -> bool:
    """Whether pages have a template for it, and it is small enough."""
    if exhibit is None:
        return True
    return isinstance(exhibit, KINDS) and len(pickle.dumps(exhibit)) <= MAX_EXHIBIT_BYTES


def _is_fact(fact: object) -> bool:
    return (
        isinstance(fact, Fact)
        and isinstance(fact.name, str)
        and isinstance(fact.value, str | int | float)
    )
