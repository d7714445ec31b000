"""An agent as it comes through the door: with its name, and content with a state alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from agents.core import UNLIMITED, Agent, Analysis, Candidate, Limit
from engine.core import Game, State


@dataclass(frozen=True, slots=True)
class LoadedAgent:
    """What `load_agent` gives. Who writes an agent need not think of defaults: they are here."""

    spec: str  # in its shortest form
    game: Game[Any, Any]
    agent: Agent[Any, Any] = field(compare=False)

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit = UNLIMITED,
        rng: Random | None = None,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        """What it thinks of a state that is not over.

        Unlimited, it thinks as far as its own parameters say. Without `rng` its luck follows from
        the state alone, so that asked again it says the same again.
        """
        luck = Random(str(state)) if rng is None else rng
        shown = {"show": True} if show else {}
        return self.agent.analyse(state, limit=limit, rng=luck, history=history, **shown)

    def __repr__(self) -> str:
        """What gives it back."""
        return f"load_agent({self.spec!r}, {self.game!r})"


@dataclass(frozen=True, slots=True)
class Skilled:
    """Another agent that slips: with chance 1 - skill it plays any legal move."""

    agent: Agent[Any, Any]
    skill: float

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        shown = {"show": True} if show else {}
        own = self.agent.analyse(state, limit=limit, rng=rng, history=history, **shown)
        moves = state.legal_moves()
        slips = rng.random() >= self.skill
        choice = rng.choice(moves) if slips else own.choice
        reason = own.reason
        if slips:
            reason = f"A slip: {choice} was picked at random; its own choice was {own.choice}."
        return replace(own, candidates=self._mixed(own, moves), choice=choice, reason=reason)

    def _mixed(self, own: Analysis[Any], moves: Sequence[Any]) -> tuple[Candidate[Any], ...]:
        """The mixture of the agent's chances with an even one over every legal move."""
        even = (1 - self.skill) / len(moves)
        said = tuple(
            replace(candidate, chance=self.skill * candidate.chance + even)
            for candidate in own.candidates
        )
        unsaid = set(moves) - {candidate.move for candidate in said}
        silent = tuple(Candidate(move, chance=even) for move in moves if move in unsaid)
        return said + silent
