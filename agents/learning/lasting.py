"""About how long a table takes to learn: its games, and an exact look at every point of a curve."""

from __future__ import annotations

from typing import Any

from agents.tabular.policies import tabulating
from agents.training.loop import Points
from engine.core import Game
from engine.options import Values

A_GAME = 2e-6  # seconds, of the longer kind
A_LOOK = 2.5e-6  # for each state
A_LOOK_IN_CIRCLES = 8e-6  # where play can come back to a state


def seconds(game: Game[Any, Any], options: Values, games: int, points: Points) -> float:
    """Training from so many games, its opponent tabulated first; raises for one that cannot be."""
    look = A_LOOK if game.ply_limit is None else A_LOOK_IN_CIRCLES
    looks = points.up_to(games) + 1
    learning = games * A_GAME + looks * look * (game.states or 0)
    return learning + tabulating(options.text("opponent"), game)
