"""A training as someone asks for it: who learns which game, from where on, under what name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from agents.training.keeping import brain_path, find
from agents.training.shipped import SHIPPED_FILES, file_name, retrain, shipped_games, slug
from agents.training.trainer import SEED, Checkpoint, length_of, read_learner, with_length
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import parse_spec

LONGEST_STEM = 50  # characters of a name that nobody chose


@dataclass(frozen=True, slots=True)
class Run:
    """A training about to begin, and where its brain will be kept."""

    game: Game[Any, Any]
    agent: str
    checkpoints: Iterator[Checkpoint]
    path: Path


def plan(
    game: Game[Any, Any],
    spec: str,
    *,
    games: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    resume: str | None = None,
) -> Run:
    """The run that is asked for; whatever is wrong with it is raised here, at once."""
    _, texts = parse_spec(spec)
    key, train, options = read_learner(spec, game)
    old = None
    if resume is not None:
        old = find(resume).check(key, game.spec)
        # What the spec leaves open goes on as it was.
        kept = {name: value for name, value in old.parameters.items() if name not in texts}
        options = options.but({name: kept[name] for name in kept.keys() & options.keys()})
        if length_of(options) not in texts:
            options = with_length(options, old.total)
    if games is not None:
        if length_of(options) != "games":
            raise InvalidSpecError(spec, f"{key} does not count games: see its options")
        options = with_length(options, games)
    known_seed = SEED if old is None else old.seed
    path = _path(key, game, name, resume)
    begun = train(game, options, known_seed if seed is None else seed, old)
    return Run(game, key, begun, path)


def _path(agent: str, game: Game[Any, Any], name: str | None, resume: str | None) -> Path:
    if name is None and resume is None:
        return free_path(agent, game)
    path = brain_path(name or resume or "")
    if name is not None and name != resume and path.exists():
        why = f"there is a brain called {name} already: give another --name, or --resume {name}"
        raise InvalidSpecError(name, why)
    return path


def free_path(agent: str, game: Game[Any, Any]) -> Path:
    """A name nobody has used yet: `menace-tictactoe`, `menace-tictactoe-2`."""
    stem = f"{agent}-{slug(game.spec)}"[:LONGEST_STEM].rstrip("-")
    paths = (brain_path(stem if number == 1 else f"{stem}-{number}") for number in count(1))
    return next(path for path in paths if not path.exists())


def shipped_runs() -> Iterator[Run]:
    """Every brain that comes with the package, trained anew in its place."""
    for game, spec in shipped_games():
        path = Path(str(SHIPPED_FILES / file_name(game, spec)))
        yield Run(game, spec, retrain(game, spec), path)
