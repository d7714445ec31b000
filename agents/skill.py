"""Skill: how often an agent plays its own choice rather than any legal move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from agents.core import Agent, Analysis, Candidate, Limit
from engine.core import State


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
