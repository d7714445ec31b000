"""Positions that a match's history turns into draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.core import Game, State


def drawn_states(
    game: Game[Any, Any], state: State[Any], history: Sequence[State[Any]]
) -> frozenset[State[Any]]:
    """The states that would end the match as a draw if they stood once more."""
    if not game.repetition:
        return frozenset()
    stood = Counter((*history, state))
    return frozenset(seen for seen, times in stood.items() if times >= game.repetition - 1)
