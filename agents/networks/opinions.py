"""What a network thinks of the first moves, as it learns: it overrates them, then comes down."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from agents.exhibits import Course
from agents.networks.layers import Shape, Weights
from agents.networks.measurement import value_of
from agents.networks.rules import Rules
from agents.training.brains import Brain
from agents.training.curve_exhibit import chart_of
from engine.core import Game

MAX_FIRST_MOVES = 3  # different ones: lines that a small chart keeps apart
AFTER = "after "  # begins the metric of a first move
TONES = ("first", "second", "muted")


@lru_cache(maxsize=8)
def first_moves(game: Game[Any, Any]) -> tuple[Any, ...]:
    """The first moves that no symmetry turns into each other; none if they are many."""
    found: list[Any] = []
    for move in game.start.legal_moves():
        if not any(symmetry.move(move) in found for symmetry in game.symmetries):
            found.append(move)
    return tuple(found) if len(found) <= MAX_FIRST_MOVES else ()


def opinions(
    game: Game[Any, Any], rules: Rules, weights: Weights, shape: Shape
) -> dict[str, float]:
    """Metrics of a curve: the network's value of each first move, for the side that plays it."""
    return {
        f"{AFTER}{move}": -value_of(game.start.play(move), rules, weights, shape)
        for move in first_moves(game)
    }


def opinions_chart(brain: Brain) -> Course:
    """A line for each first move, or for the start where the curve lacks them."""
    moves = [name for name in brain.curve[-1].metrics if name.startswith(AFTER)]
    if not moves or any(name not in point.metrics for point in brain.curve for name in moves):
        opinion = {"start": ("its opinion", "first")}
        return chart_of(brain, "What it thought the first move was worth", opinion)
    lines = {
        name: (name.removeprefix(AFTER), tone) for name, tone in zip(moves, TONES, strict=True)
    }
    return chart_of(brain, "What it thought each first move was worth", lines)
