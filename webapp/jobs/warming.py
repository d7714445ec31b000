"""What a process for tasks does before anyone asks: a step of every learner that counts games.

So the first curve of a lesson does not wait until numba is loaded, kernels are read from disk
and small games are tabulated.
"""

from __future__ import annotations

from agents.roster import refusal, roster
from agents.training.trainer import length_of, read_learner, stretch
from engine import load_game
from engine.catalog import catalog
from engine.errors import ZermeloError
from webapp.jobs.executors import Errand
from webapp.jobs.training import PATIENCE


def first_steps() -> tuple[Errand, ...]:
    """Each learner's first game, of the first game that it can learn; those who learn most games
    come first, since they are asked for most."""
    games = [load_game(entry.key) for entry in catalog()]
    found: list[tuple[int, Errand]] = []
    for learner in (entry for entry in roster() if entry.train is not None):
        learned = [game.spec for game in games if refusal(learner, game) is None]
        if learned and _counts_games(learner.key, learned[0]):
            step = (stretch, (learned[0], learner.key, 1, None, 1, 0.0), PATIENCE)
            found.append((-len(learned), step))
    return tuple(step for _, step in sorted(found, key=lambda each: each[0]))


def _counts_games(key: str, game: str) -> bool:
    """Generations may last long, and are nothing to warm up with."""
    try:
        return length_of(read_learner(key, load_game(game))[2]) == "games"
    except (ZermeloError, TypeError):  # of a package that fails
        return False
