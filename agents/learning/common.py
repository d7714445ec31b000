"""What the tabular learners share: evidence, words and exhibits, and the time training takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Fact
from agents.exhibits import LearnedNumber, Numbers
from agents.formats import signed
from agents.tabular.graph import Graph
from agents.tabular.policies import tabulating
from agents.training.brains import Brain
from agents.training.curves import curve_of
from agents.training.loop import Points
from engine.core import Game, State
from engine.options import Values

# Seconds, as measured.
SECONDS_PER_GAME = 2e-6
SECONDS_PER_STATE = 2.5e-6  # of a point of the curve, exactly measured
SECONDS_PER_CYCLIC_STATE = 8e-6  # the same where play can return to a state


def edges_met(graph: Graph, tried: NDArray[np.int32], state: State[Any]) -> slice | None:
    """The edges of a state, if the learner has tried any of them."""
    at = graph.tables.number.get(state)
    if at is None:  # a legal board that no play from the start leads to
        return None
    edges = graph.edges(at)
    return edges if tried[edges].any() else None


def training_facts(brain: Brain) -> list[Fact]:
    """Evidence on how the agent was trained."""
    return [
        Fact("games learned from", brain.steps),
        Fact("trained against", str(brain.parameters.get("opponent", "self"))),
    ]


def clipped(number: float, tried: int) -> float | None:
    """A learned number as a move's value; None where it was never tried."""
    return min(1.0, max(-1.0, number)) if tried else None


def tries_text(number: int) -> str:
    """A count as text: `one try`, `1,234 tries`."""
    return "one try" if number == 1 else f"{number:,} tries"


def comparison(move: object, figures: Mapping[Any, float], what: str) -> str:
    """A move compared with the others as text: `the next best, a1, −0.30.`"""
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


def numbers_of(
    game: Game[Any, Any],
    brain: Brain,
    state: State[Any],
    figures: Mapping[Any, float],
    tried: Mapping[Any, int],
    coverage: str,
    *,
    name: str,
    says: str,
    high: float = 1.0,
) -> Numbers:
    """The exhibit of a position's numbers, highest first; None for moves never tried."""
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
        known=coverage,
        course=curve_of(brain, game),
    )


def positions_met(graph: Graph, met: NDArray[np.bool_]) -> str:
    """A sentence on how many of the positions that are not over the learner has met."""
    playing = ~graph.tables.over
    return f"It has met {(met & playing).sum():,} of the {playing.sum():,} positions there are."


def seconds(game: Game[Any, Any], options: Values, games: int, points: Points) -> float:
    """The time of training by so many games, with the tabulation of the opponent.

    Raises for an opponent that cannot be tabulated.
    """
    per_state = SECONDS_PER_STATE if game.ply_limit is None else SECONDS_PER_CYCLIC_STATE
    measurements = points.up_to(games) + 1
    learning = games * SECONDS_PER_GAME + measurements * per_state * (game.states or 0)
    return learning + tabulating(options.text("opponent"), game)
