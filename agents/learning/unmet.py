"""What a learner does in a position it never met: nothing learned, so the plain sense of one look
ahead, and it says so."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Fact, Move, conclude, even_chances
from engine.core import State


def improvise(state: State[Move], rng: Random, evidence: Sequence[Fact] = ()) -> Analysis[Move]:
    """Win at once if it can; else avoid what loses at once; else any move."""
    worth = {move: look(state, move) for move in state.legal_moves()}
    best = max(worth.values(), key=lambda seen: seen[0])[0]
    chances = even_chances(worth, [move for move, seen in worth.items() if seen[0] == best])
    candidates = [
        Candidate(move, float(value), chances[move], proven=plies is not None, plies=plies)
        for move, (value, plies) in worth.items()
    ]
    values = [value for value, _ in worth.values()]
    return conclude(
        candidates,
        lambda move: (
            f"Never met in training, so it only looks one move ahead: {_reason(move, values)}."
        ),
        rng,
        evidence=[Fact("times met", 0), *evidence],
    )


def look(state: State[Any], move: Any) -> tuple[int, int | None]:
    """(value, plies) of a move as far as it and one reply can tell: 0 and None where they can't."""
    after = state.play(move)
    if (outcome := after.outcome()) is not None:
        return outcome.score(state.to_move), 1
    for reply in after.legal_moves():
        end = after.play(reply).outcome()
        if end is not None and end.winner is after.to_move:
            return -1, 2
    return 0, None


def _reason(move: object, values: list[int]) -> str:
    wins, losses, moves = values.count(1), values.count(-1), len(values)
    if moves == 1:
        return f"{move} is the only legal move"
    if wins:
        return f"{move} wins at once"
    if losses == moves:
        return f"every move can lose at once, {move} was drawn from {moves}"
    if losses:
        drawn = "is the only one" if moves - losses == 1 else f"was drawn from {moves - losses}"
        return f"{move} {drawn} that cannot be punished at once"
    return f"nothing to win or lose at once, {move} was drawn from {moves}"
