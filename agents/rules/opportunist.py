"""The opportunist: takes a win that is there to be taken, and otherwise plays at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Fact, Limit, Measure, Move, conclude, even_chances
from engine.core import State


@dataclass(frozen=True, slots=True)
class Opportunist:
    """Looks one move ahead and no further, so it neither blocks nor plans."""

    def analyse(
        self, state: State[Move], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Move]:
        moves = state.legal_moves()
        scores = {move: _score(state, move) for move in moves}
        wins = [move for move in moves if scores[move] == 1]
        chances = even_chances(moves, wins or moves)
        candidates = [
            Candidate(
                move,
                None if score is None else float(score),
                chances[move],
                proven=score is not None,
                plies=None if score is None else 1,
                line=(move,),
            )
            for move, score in scores.items()
        ]
        return conclude(
            candidates,
            lambda move: _reason(move, len(wins), len(moves)),
            rng,
            evidence=[Fact("winning moves", len(wins)), Fact("legal moves", len(moves))],
            measure=Measure.CHANCE,
        )


def _score(state: State[Move], move: Move) -> int | None:
    """What the move is worth to the mover if it ends the game."""
    outcome = state.play(move).outcome()
    return None if outcome is None else outcome.score(state.to_move)


def _reason(move: object, wins: int, moves: int) -> str:
    if wins:
        alone = "no other move does" if wins == 1 else f"{wins} moves do, this one was drawn"
        return f"{move} wins at once; {alone}."
    if moves == 1:
        return f"{move} is the only legal move."
    return f"Nothing wins at once, so {move} was drawn from {moves} legal moves."
