"""What every tabular learner says of itself in the evidence: how often it was here, and how it
came to know what it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Fact
from agents.exhibits import LearnedNumber, Numbers
from agents.formats import signed
from agents.tabular.graph import Graph
from agents.training.brains import Brain
from agents.training.curves import curve_of
from agents.training.loop import Points
from agents.training.opponents import Opponents
from engine.core import Game, State
from engine.options import Values


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


def numbers_of(
    opponents: Opponents,
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
        course=curve_of(opponents, brain, game),
    )


def positions_met(graph: Graph, met: NDArray[np.bool_]) -> str:
    """How many of the positions in which there is something to do the learner has met."""
    playing = ~graph.tables.over
    return f"It has met {(met & playing).sum():,} of the {playing.sum():,} positions there are."


A_GAME = 2e-6  # seconds, of the longer kind
A_LOOK = 2.5e-6  # for each state
A_LOOK_IN_CIRCLES = 8e-6  # where play can come back to a state


def seconds(
    opponents: Opponents, game: Game[Any, Any], options: Values, games: int, points: Points
) -> float:
    """Training from so many games, its opponent tabulated first; raises for one that cannot be."""
    look = A_LOOK if game.ply_limit is None else A_LOOK_IN_CIRCLES
    looks = points.up_to(games) + 1
    learning = games * A_GAME + looks * look * (game.states or 0)
    return learning + opponents.seconds(options.text("opponent"), game)
