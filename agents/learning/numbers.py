"""What a learner has to show: its number for every move, and how often each was tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.exhibits import LearnedNumber, Numbers
from agents.tabular.graph import Graph
from agents.training.brains import Brain
from agents.training.curves import curve_of
from engine.core import Game, State


def numbers_of(
    game: Game[Any, Any],
    brain: Brain,
    state: State[Any],
    figures: Mapping[Any, float],
    tried: Mapping[Any, int],
    known: str,
    *,
    name: str,
    says: str,
    high: float = 1.0,
) -> Numbers:
    """The numbers of a position, highest first; those never tried are none."""
    numbers = [
        LearnedNumber(
            str(move), figures.get(move, 0.0) if tried.get(move) else None, tried.get(move, 0)
        )
        for move in state.legal_moves()
    ]

    def order(number: LearnedNumber) -> tuple[bool, float]:
        return number.value is None, -(number.value or 0.0)

    return Numbers(
        numbers=tuple(sorted(numbers, key=order)),
        name=name,
        says=says,
        high=high,
        known=known,
        course=curve_of(brain, game),
    )


def positions_met(graph: Graph, met: NDArray[np.bool_]) -> str:
    """How many of the positions in which there is something to do the learner has met."""
    playing = ~graph.tables.over
    return f"It has met {(met & playing).sum():,} of the {playing.sum():,} positions there are."
