"""Wrappers around agents: default arguments, and random slips by skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from agents.core import UNLIMITED, Agent, Analysis, Candidate, Limit
from engine.core import Game, State


@dataclass(frozen=True, slots=True)
class LoadedAgent:
    """The result of `load_agent`: an agent with its spec and default arguments."""

    spec: str  # canonical
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
        """Analyse a state that is not over, by default within the agent's own limits.

        Without `rng`, random numbers are seeded by the state, so that repeated calls agree.
        """
        rng = Random(str(state)) if rng is None else rng
        extra = {"show": True} if show else {}
        return self.agent.analyse(state, limit=limit, rng=rng, history=history, **extra)

    def __repr__(self) -> str:
        return f"load_agent({self.spec!r}, {self.game!r})"


@dataclass(frozen=True, slots=True)
class Skilled:
    """Plays as the agent does, or with probability 1 - skill any legal move."""

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
        extra = {"show": True} if show else {}
        own = self.agent.analyse(state, limit=limit, rng=rng, history=history, **extra)
        moves = state.legal_moves()
        slips = rng.random() >= self.skill
        choice = rng.choice(moves) if slips else own.choice
        reason = own.reason
        if choice != own.choice:
            same = state.play(choice) == state.play(own.choice)
            reason = (
                "At this strength it plays some moves at random on purpose, and "
                f"{choice} was one. Without that it would have played {own.choice}"
                f"{', which comes to the same board' if same else ''}."
            )
        return replace(own, candidates=self._mixed(own, moves), choice=choice, reason=reason)

    def _mixed(self, own: Analysis[Any], moves: Sequence[Any]) -> tuple[Candidate[Any], ...]:
        """The agent's chances mixed with equal chances for all legal moves."""
        even = (1 - self.skill) / len(moves)
        mixed = tuple(
            replace(candidate, chance=self.skill * candidate.chance + even)
            for candidate in own.candidates
        )
        listed = {candidate.move for candidate in mixed}
        return mixed + tuple(Candidate(move, chance=even) for move in moves if move not in listed)
