"""How a learner plays in a position it never met: by looking one move ahead, or at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

from agents.core import (
    Analysis,
    Candidate,
    Effort,
    Fact,
    Limit,
    Measure,
    Move,
    conclude,
    even_chances,
)
from engine.core import State


def one_move_ahead(
    state: State[Move], limit: Limit, rng: Random, evidence: Sequence[Fact] = ()
) -> Analysis[Move]:
    """Win at once if it can; else avoid what loses at once; else any move."""
    begun = perf_counter()
    lookahead = Lookahead(limit)
    worth = {move: lookahead.value(state, move) for move in state.legal_moves()}
    values = [value for value, _ in worth.values()]
    best = [move for move, (value, _) in worth.items() if value == max(values)]
    chances = even_chances(worth, best)
    candidates = [
        Candidate(
            move,
            None if plies is None else float(value),
            chances[move],
            proven=plies is not None,
            plies=plies,
        )
        for move, (value, plies) in worth.items()
    ]
    return conclude(
        candidates,
        lambda move: (
            f"It never met this position in training, so it only looked one move ahead: "
            f"{_reason(move, values)}."
        ),
        rng,
        evidence=[Fact("times met", 0), *evidence],
        effort=Effort(lookahead.nodes, lookahead.depth, perf_counter() - begun),
        measure=Measure.CHANCE,
    )


def random_move(
    state: State[Move], limit: Limit, rng: Random, evidence: Sequence[Fact] = ()
) -> Analysis[Move]:
    """Any legal move, each as likely."""
    moves = state.legal_moves()
    return conclude(
        [Candidate(move, chance=1 / len(moves)) for move in moves],
        lambda move: (
            f"It never met this position in training, so it picked {move} at random out of "
            f"{len(moves)} moves."
        ),
        rng,
        evidence=[Fact("times met", 0), *evidence],
        measure=Measure.CHANCE,
    )


@dataclass(slots=True)
class Lookahead:
    """A search of a move and the replies to it, within the limit."""

    limit: Limit
    nodes: int = 0
    depth: int = 0

    def value(self, state: State[Any], move: Any) -> tuple[int, int | None]:
        """(value, plies) of a move where it or one reply decides; else (0, None)."""
        if not self._spend(1):
            return 0, None
        after = state.play(move)
        if (outcome := after.outcome()) is not None:
            return outcome.score(state.to_move), 1
        for reply in after.legal_moves():
            if not self._spend(2):
                break
            end = after.play(reply).outcome()
            if end is not None and end.winner is after.to_move:
                return -1, 2
        return 0, None

    def _spend(self, depth: int) -> bool:
        """Count one more position at this depth; returns whether it is within the limit."""
        deepest = self.limit.depth
        if self.nodes == self.limit.nodes or (deepest is not None and depth > deepest):
            return False
        self.nodes += 1
        self.depth = max(self.depth, depth)
        return True


def _reason(move: object, values: list[int]) -> str:
    wins, losses, moves = values.count(1), values.count(-1), len(values)
    if moves == 1:
        return f"{move} is the only legal move"
    if wins:
        return f"{move} wins at once"
    if losses == moves:
        return f"every move can lose at once, so it picked {move} out of {moves}"
    if losses:
        safe = moves - losses
        alone = "the only move" if safe == 1 else f"one of {safe} moves"
        return f"{move} is {alone} that cannot lose at once"
    return f"there is nothing to win or lose at once, so it picked {move} out of {moves} moves"
