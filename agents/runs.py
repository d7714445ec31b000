"""Training runs by spec: prepared, run to the end or in slices; shipped brains retrained."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.roster import OPPONENTS, read_agent
from agents.tabular.tables import why_too_many
from agents.training.brain_files import brain_path, find, save
from agents.training.brains import Brain, Point, from_bytes, to_bytes
from agents.training.curve_exhibit import MAX_CEILING_STATES, Ceiling, ceilings
from agents.training.shipped import SEEDS, SHIPPED, SHIPPED_FILES, recipe, shipped_name, slug
from agents.training.trainer import BRAIN, SEED, Checkpoint, Trainer, length_of, with_length
from engine.catalog import load_game
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Role, Values, parse_spec

MAX_STEM_CHARS = 50  # of a generated brain name
STRETCH_SECONDS = 1.0
# zlib levels of intermediate brains and of kept ones: compression delays the training.
PASSING, KEPT = 1, 4

# Checkpoints pass through it as they come, for a progress bar.
Watch = Callable[[Iterator[Checkpoint]], Iterable[Checkpoint]]


@dataclass(frozen=True, slots=True)
class Run:
    """A training about to begin, and where its brain will be saved."""

    game: Game[Any, Any]
    agent: str
    checkpoints: Iterator[Checkpoint]
    path: Path
    playing: tuple[str, ...] = ()  # how its spec said to play: `unmet=random`


@dataclass(frozen=True, slots=True)
class Trained:
    """The result of a training."""

    game: str
    agent: str
    path: Path  # of the brain
    brain: Brain = field(repr=False)
    metrics: Mapping[str, float]  # how good it is now, against `brain.reference`
    stopped: bool  # before its end, by Ctrl-C
    seconds: float = field(compare=False)
    playing: tuple[str, ...] = ()  # how its spec said to play: `unmet=random`

    @property
    def name(self) -> str:
        """The name of the brain."""
        return self.path.stem

    @property
    def spec(self) -> str:
        """The agent with this brain, for `load_agent`."""
        return f"{self.agent}:{','.join((f'brain={self.name}', *self.playing))}"

    def _repr_svg_(self) -> str | None:
        return self.brain._repr_svg_()

    def __str__(self) -> str:
        brain = self.brain
        now = ", ".join(f"{name} {value:.3g}" for name, value in self.metrics.items())
        against = f" against {brain.reference}" if brain.reference else ""
        return f"{self.spec} on {self.game}, after {brain.steps:,} {brain.unit}: {now}{against}"


@dataclass(frozen=True, slots=True)
class TrainingSlice:
    """The result of one slice of a training; the brain as the bytes of its file."""

    brain: bytes
    digest: str
    step: int
    metrics: Mapping[str, float]
    points: tuple[Point, ...]  # that its curve has gained, each with its brain's digest
    reference: str = ""  # the spec of the opponent the curve is measured against
    ancestors: Mapping[str, bytes] = field(default_factory=dict)  # brains to keep, by digest


def read_learner(spec: str, game: Game[Any, Any]) -> tuple[str, Trainer, Values]:
    """(key, trainer, options) of a learner; raises as `read_agent` does."""
    entry, options = read_agent(spec, game)
    if entry.train is None:
        raise InvalidSpecError(spec, f"{entry.key} does not learn, so there is nothing to train")
    return entry.key, entry.train, options


def train(
    game: Game[Any, Any],
    spec: str,
    *,
    games: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    resume: str | None = None,
    watched: Watch = iter,
) -> Trained:
    """Train a learner and save its brain under the name, by default one of agent and game.

    `resume` continues the training of a named brain. Ctrl-C stops, and saves what there is.
    """
    run = prepare_run(game, spec, games=games, seed=seed, name=name, resume=resume)
    return run_training(run, watched)


def run_training(run: Run, watched: Watch = iter) -> Trained:
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
    return Trained(
        run.game.spec, run.agent, run.path, last.brain, last.metrics, stopped, seconds, run.playing
    )


def prepare_run(
    game: Game[Any, Any],
    spec: str,
    *,
    games: int | None = None,
    seed: int | None = None,
    name: str | None = None,
    resume: str | None = None,
) -> Run:
    """Prepare the run that `train` describes; raises for any invalid argument."""
    _, texts = parse_spec(spec)
    key, train, options = read_learner(spec, game)
    old = None
    if resume is not None:
        old = find(resume).check(key, game.spec)
        # Options that the spec does not name keep the old brain's values.
        kept = {name: value for name, value in old.parameters.items() if name not in texts}
        options = options.but({name: kept[name] for name in kept.keys() & options.keys()})
        if length_of(options) not in texts:
            options = with_length(options, old.total)
    if games is not None:
        if length_of(options) != "games":
            raise InvalidSpecError(spec, f"{key} does not count games: see its options")
        options = with_length(options, games)
    if seed is None:
        seed = SEED if old is None else old.seed
    path = _path(key, game, name, resume)
    return Run(game, key, train(game, options, seed, old), path, _playing(spec, game))


def _playing(spec: str, game: Game[Any, Any]) -> tuple[str, ...]:
    """How an agent plays with any brain, where a spec does not leave that at its default."""
    entry, options = read_agent(spec, game)
    return tuple(
        f"{option.name}={option.write(options[option.name])}"
        for option in entry.all_options
        if option.role is Role.PLAYING
        and option is not BRAIN
        and options[option.name] != option.default
    )


def _path(agent: str, game: Game[Any, Any], name: str | None, resume: str | None) -> Path:
    if name is None and resume is None:
        return free_path(agent, game)
    path = brain_path(name or resume or "")
    if name is not None and name != resume and path.exists():
        why = f"there is a brain called {name} already: give another --name, or --resume {name}"
        raise InvalidSpecError(name, why)
    return path


def free_path(agent: str, game: Game[Any, Any]) -> Path:
    """The path of an unused name: `menace-tictactoe`, `menace-tictactoe-2`."""
    stem = f"{agent}-{slug(game.spec)}"[:MAX_STEM_CHARS].rstrip("-")
    paths = (brain_path(stem if number == 1 else f"{stem}-{number}") for number in count(1))
    return next(path for path in paths if not path.exists())


def train_slice(
    game: str,
    agent: str,
    seed: int,
    brain: bytes | None,
    until: int,
    seconds: float = STRETCH_SECONDS,
) -> TrainingSlice:
    """Train for about `seconds`, to the step `until` at most: a task of a job.

    The brain after a step is the same however many slices led there. At least one step is taken,
    and a generation may take longer than `seconds`.
    """
    old = None if brain is None else from_bytes(brain)
    if brain is not None and old is not None and old.steps >= until:
        metrics = old.curve[-1].metrics if old.curve else {}
        return TrainingSlice(brain, old.digest, old.steps, metrics, (), old.reference)
    rules = load_game(game)
    _, train, options = read_learner(agent, rules)
    points: list[Point] = []
    ancestors: dict[str, bytes] = {}
    end = inf
    for last in train(rules, with_length(options, until), seed, old):
        end = min(end, perf_counter() + seconds)  # counted from the first step, as kernels compile
        new = last.brain
        if new.curve and new.curve[-1].step == new.steps:
            points.append(replace(new.curve[-1], digest=new.digest))
            if is_kept(new.steps):
                ancestors[new.digest] = to_bytes(new, KEPT)
        if perf_counter() >= end:
            break
    return TrainingSlice(
        to_bytes(new, PASSING),
        new.digest,
        last.step,
        last.metrics,
        tuple(points),
        new.reference,
        ancestors,
    )


def is_kept(step: int) -> bool:
    """Whether the brain after this many steps is kept: at 1, 2, 5, 10, 20, 50 …"""
    return step > 0 and str(step).rstrip("0") in ("1", "2", "5")


def ceilings_for(game: str, reference: str) -> tuple[Ceiling, ...]:
    """The ceilings against the reference: none if the game is too large, or without a reference."""
    rules = load_game(game)
    if not reference or why_too_many(rules, MAX_CEILING_STATES, "tabulate") is not None:
        return ()
    return ceilings(OPPONENTS, rules, reference)


def shipped_games() -> Iterator[tuple[Game[Any, Any], str]]:
    """(game, agent spec) of every shipped brain."""
    return ((load_game(game), spec) for game, spec in SHIPPED)


def shipped_runs() -> Iterator[Run]:
    """The runs that train every shipped brain anew."""
    for game, spec in shipped_games():
        path = Path(str(SHIPPED_FILES / shipped_file_name(game, spec)))
        yield Run(game, spec, retrain(game, spec), path)


def shipped_file_name(game: Game[Any, Any], spec: str) -> str:
    """The file name of the shipped brain of an agent."""
    key, _, options = read_learner(spec, game)
    return shipped_name(key, game.spec, recipe(options))


def retrain(game: Game[Any, Any], spec: str) -> Iterator[Checkpoint]:
    """Train a shipped brain with its options and seed; its brains are as they ship."""
    entry, _ = read_agent(spec, game)
    _, train, options = read_learner(spec, game)
    for checkpoint in train(game, options, SEEDS.get((game.spec, spec), SEED), None):
        yield replace(checkpoint, brain=entry.ships(checkpoint.brain))
