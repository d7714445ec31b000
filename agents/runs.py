"""A training as someone asks for it: who learns which game, from where on, under what name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.roster import OPPONENTS, read_agent
from agents.tabular.tables import why_too_many
from agents.training.brain_files import brain_path, find, save
from agents.training.brains import Brain, Point, from_bytes, to_bytes
from agents.training.curves import MOST_STATES, Ceiling, ceilings
from agents.training.shipped import SEEDS, SHIPPED, SHIPPED_FILES, recipe, shipped_name, slug
from agents.training.trainer import SEED, Checkpoint, Trainer, length_of, with_length
from engine.catalog import load_game
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Values, parse_spec

LONGEST_STEM = 50  # characters of a name that nobody chose
STRETCH_SECONDS = 1.0
# zlib levels for brains passed on and for those kept: a kernel learns a lot meanwhile.
PASSING, KEPT = 1, 4


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


def shipped_games() -> Iterator[tuple[Game[Any, Any], str]]:
    """Every brain that ships, as its game and its agent's spec."""
    return ((load_game(game), spec) for game, spec in SHIPPED)


def file_name(game: Game[Any, Any], spec: str) -> str:
    """The file its brain ships in."""
    key, _, options = read_learner(spec, game)
    return shipped_name(key, game.spec, recipe(options))


def retrain(game: Game[Any, Any], spec: str) -> Iterator[Checkpoint]:
    """Train the brain that ships for this agent, exactly as it was trained."""
    _, train, options = read_learner(spec, game)
    return train(game, options, SEEDS.get((game.spec, spec), SEED), None)


def ceilings_for(game: str, reference: str) -> tuple[Ceiling, ...]:
    """The same as texts and numbers; nothing where the game is too large to tell, or no rival."""
    rules = load_game(game)
    if not reference or why_too_many(rules, MOST_STATES, "tabulate") is not None:
        return ()
    return ceilings(OPPONENTS, rules, reference)


@dataclass(frozen=True, slots=True)
class Milestone:
    """The brain that a point of the curve is: its digest, and the bytes of those that are kept."""

    point: Point
    digest: str
    brain: bytes | None  # at 1, 2, 5, 10, 20, 50 … steps


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a training, done: the brain as the bytes of its file, and what it showed."""

    brain: bytes
    digest: str
    step: int
    metrics: Mapping[str, float]
    marks: tuple[Milestone, ...]  # of the points that its curve has gained
    reference: str = ""  # whom the curve is measured against

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(mark.point for mark in self.marks)


def stretch(
    game: str,
    agent: str,
    seed: int,
    brain: bytes | None,
    until: int,
    seconds: float = STRETCH_SECONDS,
) -> Stretch:
    """Train for about so many seconds, up to the step `until` at most; texts and bytes only.

    A training is a fold of stretches in whatever process: the brain after a step is the same
    however many led there. One step is taken at least, and a generation may last longer.
    """
    known = None if brain is None else from_bytes(brain)
    if brain is not None and known is not None and known.steps >= until:
        metrics = known.curve[-1].metrics if known.curve else {}
        return Stretch(brain, known.digest, known.steps, metrics, (), known.reference)
    rules = load_game(game)
    _, train, options = read_learner(agent, rules)
    marks, end = [], inf
    for last in train(rules, with_length(options, until), seed, known):
        end = min(end, perf_counter() + seconds)  # from the first step on: kernels may compile
        if (mark := _mark(last.brain)) is not None:
            marks.append(mark)
        if perf_counter() >= end:
            break
    packed = to_bytes(last.brain, PASSING)
    done = last.brain
    return Stretch(packed, done.digest, last.step, last.metrics, tuple(marks), done.reference)


def is_kept(step: int) -> bool:
    """Whether the brain after so many steps is kept on the way: at 1, 2, 5, 10, 20, 50 …"""
    return step > 0 and str(step).rstrip("0") in ("1", "2", "5")


def _mark(brain: Brain) -> Milestone | None:
    """The point that the brain stands at, if there is one."""
    if not brain.curve or brain.curve[-1].step != brain.steps:
        return None
    kept = to_bytes(brain, KEPT) if is_kept(brain.steps) else None
    return Milestone(brain.curve[-1], brain.digest, kept)


def read_learner(spec: str, game: Game[Any, Any]) -> tuple[str, Trainer, Values]:
    """(key, trainer, options) of an agent that learns; raises as `read_agent` does."""
    entry, options = read_agent(spec, game)
    if entry.train is None:
        raise InvalidSpecError(spec, f"{entry.key} does not learn, so there is nothing to train")
    return entry.key, entry.train, options
