"""What positions of small games are worth, worked out by looking at everything that can follow."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agents.core import Candidate
from engine.catalog import find_entry
from engine.core import Game, Verdict


@lru_cache(maxsize=20_000)
def worth(state: Any) -> int:
    """1, 0 or -1 for the side to move; once a move wins, nothing else is looked at."""
    outcome = state.outcome()
    if outcome is not None:
        return int(outcome.score(state.to_move))
    best = -1
    for move in state.legal_moves():
        best = max(best, -worth(state.play(move)))
        if best == 1:
            break
    return best


def value_of(game: Game[Any, Any], state: Any) -> int:
    """The same by theory, where the game has one."""
    theory = find_entry(game.key).theory
    verdict: Verdict | None = None if theory is None else theory.verdict(state)
    return worth(state) if verdict is None else verdict.value


def valued(game: Game[Any, Any], state: Any) -> dict[str, Candidate[Any]]:
    """Every move with what it is worth, as boards show it."""
    return {
        str(move): Candidate(
            move, chance=0.0, value=float(-value_of(game, state.play(move))), proven=True
        )
        for move in state.legal_moves()
    }
