"""Someone who never saw Quixo, and plays by the four steps of its sheet and nothing else."""

from __future__ import annotations

from engine.core import Seat
from engine.quixo import Push, QuixoState


def choose(state: QuixoState) -> Push:
    """A line of one's own if there is one to make, never the other's, else the longest yet."""
    return max(state.legal_moves(), key=lambda push: _likes(state, state.play(push)))


def _likes(before: QuixoState, after: QuixoState) -> tuple[float, float]:
    me = before.to_move
    outcome = after.outcome()
    if outcome is not None:
        return (1000.0 if outcome.winner is me else -1000.0), 0.0
    mine, theirs = (after.x, after.o) if me is Seat.FIRST else (after.o, after.x)
    return _longest(after, mine) - 0.9 * _longest(after, theirs), _longest(after, mine)


def _longest(state: QuixoState, mask: int) -> float:
    """The most marks in any one line."""
    return max((mask & line).bit_count() for line in state.table.lines)
