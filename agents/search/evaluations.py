"""What a position is worth at the horizon, before anyone has won: as its game says."""

from __future__ import annotations

from typing import Any

from engine.catalog import find_entry
from engine.core import Game
from engine.entry import Theory
from engine.square import Evaluation

# `lines` is what `game` was called while only boards of lines had one: matches are stored with it.
CHOICES = ("none", "game", "theory", "lines")
BY_THEORY = 0.9  # of a win: certain to a mathematician, but no search has seen it


def evaluation_for(name: str, game: Game[Any, Any]) -> Evaluation:
    """The evaluation with this name; where the game has none, every position counts 0."""
    entry = find_entry(game.key)
    if name == "theory" and entry.theory is not None:
        return by_theory(entry.theory)
    if name in ("game", "lines") and entry.evaluation is not None:
        return entry.evaluation
    return nothing


def nothing(state: object) -> float:
    """Nothing is known about an open position."""
    return 0.0


def by_theory(theory: Theory) -> Evaluation:
    """Won, lost or drawn as theory has it; 0 where it is silent."""

    def evaluate(state: Any) -> float:
        verdict = theory.verdict(state)
        return 0.0 if verdict is None else BY_THEORY * verdict.value

    return evaluate
