"""What an agent makes of a position: the request, and whether pages can show the answer."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from agents import Agent, Analysis, Limit, load_agent
from agents.core import Candidate, Effort, Fact, ask
from agents.errors import BrokenAgentError
from agents.exhibits import KINDS
from agents.players.spec import is_player
from agents.roster import find_agent, pinned_spec, ready_spec
from engine import Match, load_game
from engine.transcript import replayed
from webapp.workers.requests import MoveAnswer, Request

MAX_INLINE_TRAINING_S = 2.0  # seconds that a learner without a brain may train within a request
MAX_REASON_CHARS = 2_000  # one sentence, even a long one, is far below
MAX_FACTS = 200
MAX_EXHIBIT_BYTES = 300_000  # of 3×3 Quixo's worst network: all that it gets wrong


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
        return MoveAnswer(result, move=str(result.choice), weight=exhibit_bytes(result.exhibit))

    def without_result(self, note: str) -> MoveAnswer:
        return MoveAnswer(None, note)

    def fallback(self, why: str) -> MoveAnswer:
        """Any legal move; a player from outside forfeits."""
        if self.is_outside:
            return MoveAnswer(None, why, forfeits=True)
        move = Random(self.seed).choice(self.match.state.legal_moves())
        why = f"any legal move was played in its place: {why[:200]}"
        return MoveAnswer(None, why, move=str(move))


def think(request: AnalysisRequest, seconds: float) -> Analysis[Any]:
    """The agent's analysis; raises where it answers what cannot be played."""
    show = request.show and find_agent(request.compile_key[0]).shows
    game = load_game(request.game)
    agent = loaded_agent(
        pinned_spec(ready_spec(request.agent, game, MAX_INLINE_TRAINING_S), game), game.spec
    )
    limit, rng = Limit(seconds=seconds, nodes=request.nodes), Random(request.seed)
    return ask(agent, request.match, limit, rng, show=show)


@lru_cache(maxsize=24)
def loaded_agent(spec: str, game: str) -> Agent[Any, Any]:
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
    return isinstance(exhibit, KINDS) and exhibit_bytes(exhibit) <= MAX_EXHIBIT_BYTES


def exhibit_bytes(exhibit: object) -> int:
    """What an exhibit weighs, pickled; 0 for none."""
    return 0 if exhibit is None else len(pickle.dumps(exhibit))


def _is_fact(fact: object) -> bool:
    return (
        isinstance(fact, Fact)
        and isinstance(fact.name, str)
        and isinstance(fact.value, str | int | float)
    )
