"""A training as someone asks for it: who learns which game, from where on, under what name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.training.brain_files import brain_path, find, save
from agents.training.brains import Brain
from agents.training.shipped import SHIPPED_FILES, file_name, retrain, shipped_games, slug
from agents.training.trainer import SEED, Checkpoint, length_of, read_learner, with_length
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import parse_spec

LONGEST_STEM = 50  # characters of a name that nobody chose


# What checkpoints pass through as they come, for whoever shows progress.
WatchedCourse = Callable[[Iterator[Checkpoint]], Iterable[Checkpoint]]


@dataclass(frozen=True, slots=True)
class Run:
    """A training about to begin, and where its brain will be kept."""

    game: Game[Any, Any]
    agent: str
    checkpoints: Iterator[Checkpoint]
    path: Path


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training came to."""

    game: str
    agent: str
    path: Path  # of the brain
    brain: Brain = field(repr=False)
    metrics: Mapping[str, float]  # how good it is now, against `brain.reference`
    stopped: bool  # before its end, by Ctrl-C
    seconds: float = field(compare=False)

    @property
    def name(self) -> str:
        """What the brain is called."""
        return self.path.stem

    @property
    def spec(self) -> str:
        """Who plays with this brain, for `load_agent`."""
        return f"{self.agent}:brain={self.name}"

    def __str__(self) -> str:
        brain = self.brain
        now = ", ".join(f"{name} {value:.3g}" for name, value in self.metrics.items())
        against = f" against {brain.reference}" if brain.reference else ""
        return f"{self.spec} on {self.game}, after {brain.steps:,} {brain.unit}: {now}{against}"


def train(
    game: Game[Any, Any],
    spec: str,
    *,
    games: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    resume: str | None = None,
    watched: WatchedCourse = iter,
) -> Trained:
    """Let the agent that the spec names learn the game, and keep its brain under the name.

    Without a name it gets one after agent and game; `resume` goes on from a brain with a name.
    Ctrl-C stops, and keeps what there is.
    """
    run = plan(game, spec, games=games, seed=seed, name=name, resume=resume)
    return learn(run, watched)


def learn(run: Run, watched: WatchedCourse = iter) -> Trained:
    """Train to the end or to Ctrl-C, and save the brain."""
    begun = perf_counter()
    last, stopped = None, False
    try:
        for checkpoint in watched(run.checkpoints):
            last = checkpoint
    except KeyboardInterrupt:
        if last is None:
            raise
        stopped = True
    assert last is not None, "a training has one checkpoint at least"
    save(last.brain, run.path)
    seconds = perf_counter() - begun
    return Trained(run.game.spec, run.agent, run.path, last.brain, last.metrics, stopped, seconds)


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
