"""How a machine learned, by the curve in the brain that comes along."""

from __future__ import annotations

from typing import Any

from agents.entry import Entry
from agents.roster import agent_title
from agents.training.shipped import known_brain
from engine import Game
from engine.options import Values
from webapp.charts import Chart, Curve, chart

TONES = {"wins": "win", "draws": "draw", "losses": "loss"}


def learning_curve(entry: Entry, game: Game[Any, Any]) -> Chart | None:
    """Its results against a reference as it learned; None where it does not, or none were taken."""
    if entry.train is None:
        return None
    brain = known_brain(entry.key, game, Values.defaults(entry.all_options))
    if brain is None or len(brain.curve) < 2 or not brain.reference:
        return None
    return chart(
        f"How it learned: its results against {agent_title(brain.reference, game.spec)}",
        [
            Curve(name, tone, tuple((point.step, point.metrics[name]) for point in brain.curve))
            for name, tone in TONES.items()
            if name in brain.curve[-1].metrics
        ],
        x_name=brain.unit,
        log=brain.unit == "games",
    )
