"""The loop every learner shares: a stretch of games, a look at how good it is now, a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Any

from numpy.typing import NDArray

from agents.arrays.exact import Policy, over_seats
from agents.arrays.graph import graph_of
from agents.arrays.policies import policy_of
from agents.errors import UnsuitableBrainError
from agents.training.brains import Brain
from agents.training.trainer import Checkpoint, parameters, stretch_seed
from engine.core import Game, Options, OptionValue
from engine.options import Kind, Option

STRETCHES = 100  # a run is cut into so many: the points of its curve, the moments to stop it
LONGEST_STRETCH = 200_000  # games: about a second, so that nobody waits long for a stop

Arrays = dict[str, NDArray[Any]]


def games_option(default: int) -> Option:
    return Option("games", Kind.INTEGER, default, "games it learns from", low=1, high=20_000_000)


def number(value: OptionValue) -> float:
    """The value of an option that is a number."""
    assert isinstance(value, int | float)
    return value


def begin(agent: str, game: Game[Any, Any], options: Options, seed: int, reference: str) -> Brain:
    """A brain that knows nothing yet."""
    return Brain(agent, game.spec, parameters(options), seed, 0, {}, reference=reference)


def resumed(old: Brain, new: Brain, total: int) -> Brain:
    """The new brain with what the old one knows; raises UnsuitableBrainError."""
    old.check(new.agent, new.game)
    if old.steps >= total:
        why = f"this brain has learned from {old.steps:,} games already: ask for more than that"
        raise UnsuitableBrainError(old.agent, why)
    return Brain(
        new.agent,
        new.game,
        new.parameters,
        new.seed,
        old.steps,
        old.arrays,
        old.curve,
        new.reference,
    )


def lessons(
    brain: Brain,
    total: int,
    arrays: Callable[[], Arrays],
    learn: Callable[[int, int, float], None],
    measure: Callable[[], Mapping[str, float]],
    stretches: int = STRETCHES,
) -> Iterator[Checkpoint]:
    """Train to the total, a checkpoint after every stretch.

    learn(games, seed, done) changes what `arrays` gives; `done` is the share of the run behind it.
    """
    stretch = min(ceil(total / stretches), LONGEST_STRETCH)
    while brain.steps < total:
        games = min(stretch, total - brain.steps)
        learn(games, stretch_seed(brain.seed, brain.steps), brain.steps / total)
        metrics = measure()
        kept = {name: array.copy() for name, array in arrays().items()}
        brain = brain.grown(brain.steps + games, kept, metrics)
        yield Checkpoint(brain.steps, total, metrics, brain)


def against(reference: str, game: Game[Any, Any], policy: Policy) -> dict[str, float]:
    """What the policy scores against the reference, exactly, half the games in either seat."""
    seen = over_seats(graph_of(game).tables, policy, policy_of(reference, game))
    return {"wins": seen.wins, "draws": seen.draws, "losses": seen.losses}
