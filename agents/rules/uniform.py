"""Random players: the baseline, and the course's Nim random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Limit, Measure, Move, conclude
from agents.errors import UnsuitableAgentError
from engine.core import Game, State
from engine.nim import NimState, Take


@dataclass(frozen=True, slots=True)
class UniformRandom:
    """Any legal move, each with the same chance."""

    def analyse(
        self, state: State[Move], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Move]:
        moves = state.legal_moves()
        candidates = [Candidate(move, chance=1 / len(moves)) for move in moves]
        return conclude(
            candidates,
            lambda move: (
                f"{move}, drawn from {len(moves)} legal moves, each as likely as the next."
                if len(moves) > 1
                else f"{move} is the only legal move."
            ),
            rng,
            measure=Measure.CHANCE,
        )


@dataclass(frozen=True, slots=True)
class HeapRandom:
    """A heap that is not empty, then a count: the same chance for each heap, not each move."""

    @classmethod
    def for_game(cls, game: Game[Any, Any]) -> HeapRandom:
        if not isinstance(game.start, NimState):
            raise UnsuitableAgentError(f"random:by=heap cannot play {game.spec}: it has no heaps")
        return cls()

    def analyse(
        self, state: NimState, *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Take]:
        moves = state.legal_moves()
        counts = Counter(move.heap for move in moves)
        candidates = [
            Candidate(move, chance=1 / (len(counts) * counts[move.heap])) for move in moves
        ]
        return conclude(
            candidates,
            lambda move: (
                f"{move}: one of {len(counts)} heaps, then a count, each as likely as the next."
            ),
            rng,
            measure=Measure.CHANCE,
        )
