"""Learning curves as exhibits, with the best possible score as a ceiling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from agents.exhibits import Course, CourseLine
from agents.tabular.exact import Chances, best_response, chances
from agents.tabular.graph import graph_of
from agents.training.brains import Brain
from agents.training.opponents import Opponents
from engine.core import Game, Seat

TONES = {"wins": "win", "draws": "draw", "losses": "loss"}
WORDS = {"known": "it had been there before"}
MAX_CEILING_STATES = 50_000  # of games for which the best response is computed
NEVER = 0.0005  # shares below it are shown as 0
WON, NOT_LOST = "wins", "not lost"  # measures of a ceiling


class Ceiling(NamedTuple):
    """The best possible result: a label, its share of games, and the measure."""

    name: str
    share: float
    measure: str = WON


def curve_of(opponents: Opponents, brain: Brain, game: Game[Any, Any]) -> Course | None:
    """The chart of a brain's curve; None if nothing was measured."""
    metrics = brain.curve[-1].metrics if len(brain.curve) > 1 else {}
    names = [name for name in metrics if name in TONES or not brain.reference]
    if not names:
        return None
    against = f"its results against {brain.rival}" if brain.reference else "turn by turn"
    series = {name: (WORDS.get(name, name), TONES.get(name, "first")) for name in names}
    best = ceilings(opponents, game, brain.reference) if brain.reference else ()
    return replace(
        chart_of(brain, f"How it learned: {against}", series),
        powers=brain.unit == "games",
        ceilings=tuple((ceiling.name, ceiling.share) for ceiling in best),
    )


def chart_of(brain: Brain, title: str, series: Mapping[str, tuple[str, str]]) -> Course:
    """Some metrics of a brain's curve; series is [metric] -> (name, tone)."""
    return Course(
        title=title,
        unit=brain.unit,
        lines=tuple(
            CourseLine(name, tone, tuple((point.step, point.metrics[key]) for point in brain.curve))
            for key, (name, tone) in series.items()
        ),
    )


@lru_cache(maxsize=32)
def ceilings(opponents: Opponents, game: Game[Any, Any], reference: str) -> tuple[Ceiling, ...]:
    """The share of games that a best response to the reference wins, half of them in either seat;
    if it cannot win, the share that it does not lose."""
    tables, theirs = graph_of(game).tables, opponents.policy(reference, game)
    best = Chances(0.0, 0.0, 0.0)
    for seat in Seat:
        _, answer = best_response(tables, theirs, seat)
        best += chances(tables, answer, theirs, seat) / 2
    if best.wins > NEVER:
        return (Ceiling(f"best possible against it: {best.wins:.1%}", best.wins),)
    if best.losses > NEVER:
        share = 1 - best.losses
        return (Ceiling(f"the best answer to it does not lose {share:.1%}", share, NOT_LOST),)
    return (Ceiling("at best a draw", 1.0, NOT_LOST),)
