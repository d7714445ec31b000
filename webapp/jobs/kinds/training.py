"""Training as a job: a checkpoint for each run, one stretch at a time.

A comparison has several runs with other seeds or parameters. The brain after a step does not depend
on how the job was divided (`agents.training`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from agents.roster import find_agent, read_agent, training_seconds
from agents.runs import TrainingSlice, ceilings_for, train_slice
from agents.training.brains import DIGEST_LENGTH, Brain, Point, from_bytes, to_bytes
from agents.training.curve_exhibit import Ceiling
from agents.training.trainer import length_of, with_length
from engine import load_game
from engine.errors import ZermeloError
from webapp.jobs.models import (
    Change,
    Checkpoint,
    JobKind,
    JobRecord,
    JobSnapshot,
    KeptBrain,
    Task,
    leave_unchanged,
)
from webapp.storage.rows import from_json

# One step first, so that pages show a point at once; then short stretches; then about a second.
ONE_STEP_S, SHORT_STRETCH_S, STRETCH_S = 0.0, 0.15, 0.8
SHORT_STEPS = 10  # within which stretches are short
LONG_STEP_S = 1.5  # a stretch is at least a step
STRETCH_TIMEOUT_S = 600.0  # including a long generation and the compilation of kernels
CEILINGS = "ceilings"  # the task that computes the best possible figures
MAX_CURVE_POINTS = 60  # stored with a brain


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A learner and its seed."""

    agent: str  # a spec without its length
    seed: int


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The parameters of the job."""

    game: str
    runs: tuple[TrainingRun, ...]
    length: int  # steps of each run
    begun_at: int = 0  # steps of the brain that the run continues

    @classmethod
    def of(cls, record: JobRecord) -> TrainingPlan:
        return from_json(cls, record.parameters)

    @property
    def total(self) -> int:
        """Steps of all runs."""
        return (self.length - self.begun_at) * len(self.runs)


@dataclass(frozen=True, slots=True)
class TrainingFigures:
    """The metrics of a training: each run's last figures, their opponent, and the ceilings."""

    lanes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by lane
    digests: Mapping[str, str] = field(default_factory=dict)
    reference: str | None = None
    ceilings: tuple[Ceiling, ...] | None = None  # None: not computed yet

    @classmethod
    def of(cls, record: JobRecord) -> TrainingFigures:
        return from_json(cls, record.metrics)


def _plan(snapshot: JobSnapshot, running: Collection[str]) -> Iterator[Task]:
    """The next stretch of each run that has not ended, those with fewest steps first."""
    plan, figures = TrainingPlan.of(snapshot.record), TrainingFigures.of(snapshot.record)
    steps = _steps(plan, snapshot.checkpoints)
    for lane in sorted(range(len(plan.runs)), key=lambda lane: (steps[lane], lane)):
        if steps[lane] < plan.length and str(lane) not in running:
            checkpoint, run = snapshot.checkpoints.get(lane), plan.runs[lane]
            seconds = _seconds(steps[lane] - plan.begun_at)
            brain = None if checkpoint is None else checkpoint.data
            arguments = (plan.game, run.agent, run.seed, brain, plan.length, seconds)
            lasting = step_seconds(plan.game, run.agent) > LONG_STEP_S
            yield Task(str(lane), train_slice, arguments, STRETCH_TIMEOUT_S, may_last=lasting)
    known = figures.reference is not None and figures.ceilings is None
    if known and CEILINGS not in running:
        yield Task(CEILINGS, ceilings_for, (plan.game, figures.reference), STRETCH_TIMEOUT_S)


@lru_cache(maxsize=256)
def step_seconds(game: str, agent: str) -> float:
    """The estimated time of a generation; 0 where steps are games, which are short."""
    try:
        entry, options = read_agent(agent, load_game(game))
        if length_of(options) == "games":
            return 0.0
        return training_seconds(entry, load_game(game), with_length(options, 1))
    except (ZermeloError, TypeError):  # of a package that is no longer installed
        return 0.0


def _seconds(taken: int) -> float:
    """The length of the next stretch, on which the result does not depend."""
    if taken == 0:
        return ONE_STEP_S
    return SHORT_STRETCH_S if taken < SHORT_STEPS else STRETCH_S


def _take(snapshot: JobSnapshot, task: Task, result: Any) -> Change:
    if task.key == CEILINGS:
        return _take_ceilings(snapshot, tuple(result))
    return _take_stretch(snapshot, int(task.key), result)


def _take_ceilings(snapshot: JobSnapshot, found: tuple[Ceiling, ...]) -> Change:
    plan, figures = TrainingPlan.of(snapshot.record), TrainingFigures.of(snapshot.record)
    done = all(step >= plan.length for step in _steps(plan, snapshot.checkpoints))
    return Change(snapshot.record.step, asdict(replace(figures, ceilings=found)), done=done)


def _take_stretch(snapshot: JobSnapshot, lane: int, result: TrainingSlice) -> Change:
    plan, figures = TrainingPlan.of(snapshot.record), TrainingFigures.of(snapshot.record)
    checkpoints = {lane: Checkpoint(result.step, result.brain)}
    steps = _steps(plan, {**snapshot.checkpoints, **checkpoints})
    at_end = result.step >= plan.length
    points = [replace(point, lane=lane) for point in result.points]
    kept = {}
    if at_end:  # measured, even if the curve has no point here
        kept[result.digest] = result.brain
        points.append(Point(result.step, result.metrics, result.digest, lane))
    updated = TrainingFigures(
        {**figures.lanes, str(lane): dict(result.metrics)},
        {**figures.digests, str(lane): result.digest},
        result.reference,
        figures.ceilings,
    )
    alone = at_end and len(plan.runs) == 1
    return Change(
        step=sum(steps) - plan.begun_at * len(plan.runs),
        metrics=asdict(updated),
        checkpoints=checkpoints,
        points=tuple(points),
        brains=kept,
        ancestors=result.ancestors,
        named=(describe_brain(result.brain),) if alone else (),
        done=figures.ceilings is not None and all(step >= plan.length for step in steps),
    )


def _leave(snapshot: JobSnapshot) -> Change:
    """Cancelled: store each run's brain, and name that of a single run."""
    plan, figures = TrainingPlan.of(snapshot.record), TrainingFigures.of(snapshot.record)
    points, brains = [], {}
    for lane, checkpoint in snapshot.checkpoints.items():
        digest = figures.digests.get(str(lane))
        if digest is not None and checkpoint.step < plan.length:
            points.append(Point(checkpoint.step, figures.lanes[str(lane)], digest, lane))
            brains[digest] = checkpoint.data
    named = tuple(describe_brain(data) for data in brains.values()) if len(plan.runs) == 1 else ()
    return replace(leave_unchanged(snapshot), points=tuple(points), brains=brains, named=named)


def describe_brain(data: bytes, name: str = "") -> KeptBrain:
    """The record of a brain's bytes; raises UnreadableBrainError."""
    brain = from_bytes(data)
    return KeptBrain(
        name=name or name_of(brain),
        digest=brain.digest,
        agent=brain.agent,
        game=brain.game,
        size=len(data),
        facts=facts_of(brain),
    )


def facts_of(brain: Brain) -> dict[str, Any]:
    """What is shown of a brain, as JSON holds it."""
    return {
        "parameters": {key: _plain(value) for key, value in brain.parameters.items()},
        "seed": brain.seed,
        "steps": brain.steps,
        "unit": brain.unit,
        "reference": brain.reference,
        "curve": [[point.step, dict(point.metrics)] for point in _thinned(brain)],
        "points": _points_digest(brain),
    }


def agrees_with(brain: Brain, facts: Mapping[str, Any]) -> bool:
    """Whether a brain's file tells the curve that these facts do: its digest does not say so."""
    told = facts_of(brain)
    return all(told.get(name) == fact for name, fact in facts.items())


def own_file(data: bytes, facts: Mapping[str, Any]) -> bytes:
    """The brain's file with the curve of these facts: whoever stored the shared one first may have
    told another."""
    brain = from_bytes(data)
    if agrees_with(brain, facts):
        return data
    curve = tuple(Point(step, metrics) for step, metrics in facts["curve"])
    measured = {"reference": facts["reference"], "unit": facts["unit"], "total": brain.steps}
    return to_bytes(replace(brain, curve=curve, **measured))


def _points_digest(brain: Brain) -> str:
    """Of every point of its curve, of which a row has a few."""
    told = [[point.step, dict(point.metrics)] for point in brain.curve]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:DIGEST_LENGTH]


def name_of(brain: Brain) -> str:
    """The default name of a brain: `Q-learner after 20,000 games`."""
    try:
        title = find_agent(brain.agent).title
    except ZermeloError:
        title = brain.agent
    return f"{title} after {brain.steps:,} {brain.unit}"


def _thinned(brain: Brain) -> list[Any]:
    every = -(-len(brain.curve) // MAX_CURVE_POINTS) or 1
    return [point for at, point in enumerate(brain.curve[::-1]) if at % every == 0][::-1]


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _steps(plan: TrainingPlan, checkpoints: Mapping[int, Checkpoint]) -> list[int]:
    """The step of each run."""
    begun = Checkpoint(plan.begun_at, b"")
    return [checkpoints.get(lane, begun).step for lane in range(len(plan.runs))]


def _unit(record: JobRecord) -> str:
    """Games or generations, by learner."""
    plan = TrainingPlan.of(record)
    try:
        _, options = read_agent(plan.runs[0].agent, load_game(plan.game))
        return length_of(options)
    except (ZermeloError, TypeError):  # of a package that is no longer installed
        return "steps"


TRAINING = JobKind("training", _unit, _plan, _take, _leave)


def training_job(owner: str, title: str, plan: TrainingPlan) -> JobRecord:
    """A new record, not stored yet."""
    return JobRecord(owner, TRAINING.name, title, asdict(plan), plan.runs[0].seed, plan.total)
