"""Requests to a worker process, and their answers: texts go there, values come back.

A request has a `key` for statistics, runs itself in a worker (`run`) and turns the result into an
answer of its type (`answer`), or its failure into one (`fallback`).
"""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Generic, TypeVar

from agents import Agent, Analysis, Limit, load_agent
from agents.core import Candidate, Effort, Fact, ask
from agents.errors import BrokenAgentError
from agents.exhibits import KINDS
from agents.export import export_source
from agents.knowledge import knowledge_csv
from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.set_cover.run import CoverRun
from agents.optimisers.snapshots import CoverMoment, box_figures, cover_figures, cover_moment
from agents.perfect.oracles import oracle_for
from agents.players.spec import is_player
from agents.q_trace import Episode, next_episode
from agents.roster import find_agent, pinned_spec, ready_spec
from agents.search.trace import Plan, Recording, record
from agents.search.uct import UctPlan, UctRecording, record_uct
from agents.tabular.exact import beatable_seats
from agents.tabular.tables import tabulate
from engine import Match, Seat, load_game
from engine.transcript import replayed

MAX_INLINE_TRAINING_S = 2.0  # seconds that a learner without a brain may train within a request
MAX_REASON_CHARS = 2_000  # one sentence, even a long one, is far below
MAX_FACTS = 200
MAX_EXHIBIT_BYTES = 200_000
MAX_KNOWN_MOVES = 100_000  # about 5 MB, which a page reads through


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The result of a request; without one, `note` says why."""

    result: T | None
    note: str | None = None
    weight: int = 0  # bytes, where it is more than a few


@dataclass(frozen=True, slots=True)
class MoveAnswer(Answer[Analysis[Any]]):
    """The move to play: the analysis' choice, or any legal move where there is none."""

    move: str = ""
    forfeits: bool = False  # a player from outside that failed, for the reason in `note`

    @property
    def analysis(self) -> Analysis[Any] | None:
        return self.result


A = TypeVar("A", bound=Answer[Any])


class Request(ABC, Generic[A]):
    """Runs in a worker; equal requests have equal answers, so each is run once."""

    __slots__ = ()

    @property
    @abstractmethod
    def key(self) -> tuple[str, str]:
        """For timing and failure statistics: (agent spec, game spec), or what stands for them."""

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        """What is compiled once: (agent key, game key, whether it shows its exhibit)."""
        agent, game = self.key
        return agent.partition(":")[0], game.partition(":")[0], False

    @property
    def brains(self) -> tuple[str, ...]:
        """Specs of agents whose brains must be on this machine before it runs."""
        return ()

    @property
    def about(self) -> str:
        """What failed, for the log."""
        return " of ".join(self.key)

    @property
    def is_outside(self) -> bool:
        """Whether it asks a player from outside, in a process of its own."""
        return False

    @abstractmethod
    def run(self, seconds: float) -> Any:
        """The result, within this time; for a worker."""

    @abstractmethod
    def answer(self, result: Any) -> A:
        """The result as an answer."""

    @abstractmethod
    def without_result(self, note: str) -> A:
        """The answer to a request that was not run."""

    def fallback(self, why: str) -> A:
        """The answer to a request that failed."""
        return self.without_result(why[:200])


class ResultRequest(Request[Answer[T]], Generic[T]):
    """A request for a result that is no move."""

    __slots__ = ()

    def answer(self, result: T) -> Answer[T]:
        return Answer(result)

    def without_result(self, note: str) -> Answer[T]:
        return Answer(None, note)


@dataclass(frozen=True, slots=True)
class AnalysisRequest(Request[MoveAnswer]):
    """A position and the agent to analyse it."""

    game: str
    start: str | None  # where the match began, unless at the game's own start
    moves: tuple[str, ...]
    agent: str
    seed: str
    show: bool = False  # with the exhibit of its technique
    nodes: int | None = None  # at most so many positions

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position."""
        return replayed(self.game, self.start, self.moves)

    @property
    def key(self) -> tuple[str, str]:
        return self.agent, self.game

    @property
    def is_outside(self) -> bool:
        return is_player(self.agent)

    @property
    def about(self) -> str:
        return f"{self.agent} forfeits in {self.match.state} of {self.game}"

    @property
    def occasion(self) -> str:
        """The match, or the page, that it is asked for: the same for all plies."""
        return self.seed.partition(":")[0]

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        return self.agent.partition(":")[0], self.game.partition(":")[0], self.show

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> Analysis[Any]:
        """The agent's analysis; raises BrokenAgentError where it is none that can be shown."""
        return checked(think(self, seconds))

    def answer(self, result: Analysis[Any]) -> MoveAnswer:
        return MoveAnswer(result, move=str(result.choice))

    def without_result(self, note: str) -> MoveAnswer:
        return MoveAnswer(None, note)

    def fallback(self, why: str) -> MoveAnswer:
        """Any legal move; a player from outside forfeits."""
        if self.is_outside:
            return MoveAnswer(None, why, forfeits=True)
        move = Random(self.seed).choice(self.match.state.legal_moves())
        why = f"any legal move was played in its place: {why[:200]}"
        return MoveAnswer(None, why, move=str(move))


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


@dataclass(frozen=True, slots=True)
class SourceRequest(ResultRequest[str]):
    """An agent as the source of a Python file."""

    game: str
    agent: str

    @property
    def key(self) -> tuple[str, str]:
        return f"{self.agent} as source", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> str:
        return export_source(self.agent, load_game(self.game))

    def answer(self, result: str) -> Answer[str]:
        return Answer(result, weight=len(result))


@dataclass(frozen=True, slots=True)
class KnowledgeRequest(ResultRequest[str]):
    """What a table learner knows, as CSV."""

    game: str
    agent: str

    @property
    def key(self) -> tuple[str, str]:
        return f"knowledge of {self.agent.partition(':')[0]}", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> str:
        return knowledge_csv(self.agent, load_game(self.game), MAX_KNOWN_MOVES)

    def answer(self, result: str) -> Answer[str]:
        return Answer(result, weight=len(result))


@dataclass(frozen=True, slots=True)
class Weakness:
    """The seats (their marks) in which an agent can be beaten, and the one that is lost anyway."""

    beaten: tuple[str, ...]
    lost: str  # empty where the game is a draw


@dataclass(frozen=True, slots=True)
class WeaknessRequest(ResultRequest[Weakness]):
    """Whether anyone can beat an agent: every reply to every move of it, in a small game."""

    game: str
    agent: str

    @property
    def key(self) -> tuple[str, str]:
        return f"weakness of {self.agent.partition(':')[0]}", self.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.agent,)

    def run(self, seconds: float) -> Weakness:
        game = load_game(self.game)
        tables = tabulate(game)
        policy = tables.policy(_agent(pinned_spec(self.agent, game), game.spec))
        lost = {1: Seat.SECOND.mark, 0: "", -1: Seat.FIRST.mark}
        beaten = tuple(seat.mark for seat in beatable_seats(tables, policy))
        return Weakness(beaten, lost[oracle_for(game).probe(game.start).value])


@dataclass(frozen=True, slots=True)
class CoverRequest(ResultRequest[CoverRun]):
    """A search for a cover, to its end where that is quick."""

    problem: str
    search: str

    @property
    def key(self) -> tuple[str, str]:
        return self.search, f"{self.problem}:whole"

    def run(self, seconds: float) -> CoverRun:
        return cover_figures(self.problem, self.search)


@dataclass(frozen=True, slots=True)
class CoverStepRequest(ResultRequest[CoverMoment]):
    """One step of a search for a cover."""

    problem: str
    search: str
    step: int

    @property
    def key(self) -> tuple[str, str]:
        return self.search, f"{self.problem}:a step"

    def run(self, seconds: float) -> CoverMoment:
        return cover_moment(self.problem, self.search, self.step)


@dataclass(frozen=True, slots=True)
class BoxRequest(ResultRequest[BoxRun]):
    """A search on a black box after so many calls."""

    problem: str
    search: str
    seed: int
    calls: int

    @property
    def key(self) -> tuple[str, str]:
        return self.search, self.problem

    def run(self, seconds: float) -> BoxRun:
        return box_figures(self.problem, self.search, self.seed, self.calls, seconds)


def think(request: AnalysisRequest, seconds: float) -> Analysis[Any]:
    """The agent's analysis; raises where it answers what cannot be played."""
    show = request.show and find_agent(request.compile_key[0]).shows
    game = load_game(request.game)
    agent = _agent(
        pinned_spec(ready_spec(request.agent, game, MAX_INLINE_TRAINING_S), game), game.spec
    )
    limit, rng = Limit(seconds=seconds, nodes=request.nodes), Random(request.seed)
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
