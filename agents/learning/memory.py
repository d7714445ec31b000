"""What every tabular learner says of itself in the evidence: how often it was here, and how it
came to know what it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Fact
from agents.formats import signed
from agents.tabular.graph import Graph
from agents.training.brains import Brain
from engine.core import State


def edges_met(graph: Graph, tried: NDArray[np.int32], state: State[Any]) -> slice | None:
    """The edges of a state, if the learner has tried any of them."""
    at = graph.tables.number.get(state)
    if at is None:  # a legal board that no play from the start leads to
        return None
    edges = graph.edges(at)
    return edges if tried[edges].any() else None


def schooling(brain: Brain) -> list[Fact]:
    """Where the agent's knowledge comes from."""
    return [
        Fact("games learned from", brain.steps),
        Fact("trained against", str(brain.parameters.get("opponent", "self"))),
    ]


def known(number: float, tried: int) -> float | None:
    """What a learned number says of a move's worth: nothing where it was never tried."""
    return min(1.0, max(-1.0, number)) if tried else None


def tries(number: int) -> str:
    """`one try`, `1,234 tries`."""
    return "one try" if number == 1 else f"{number:,} tries"


def beside(move: object, figures: Mapping[Any, float], what: str) -> str:
    """How the move stands among all: `the next best, a1, −0.30.`, or that there is no other."""
    own = figures[move]
    others = {other: figure for other, figure in figures.items() if other != move}
    if not others:
        return "it is the only legal move."
    rival = max(others, key=lambda other: others[other])
    if others[rival] == own:
        alike = sum(figure == own for figure in figures.values())
        return f"{alike} of {len(figures)} {what} the same, so it was drawn."
    if signed(others[rival]) == signed(own):
        return f"just ahead of {rival}."
    return f"the next best, {rival}, {signed(others[rival])}."
