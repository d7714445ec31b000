"""Training as a job: one strand for each run, a stretch at a time.

A single training is one run; to compare several there are as many strands, with other seeds or
parameters. The brain after a step is the same however the job was cut (`agents.training`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from agents.roster import find_agent, read_agent
from agents.runs import Stretch, ceilings_for, stretch
from agents.training.brains import DIGEST_LENGTH, Brain, from_bytes
from agents.training.curves import Ceiling
from agents.training.trainer import length_of
from engine import load_game
from engine.errors import ZermeloError
from webapp.jobs.kinds.kind import JobKind, Task
from webapp.jobs.models import Change, JobPoint, JobRecord, KeptBrain, Strand, Written

# A first step by itself, so that a page shows a point at once; then a moment; then about a second.
ONE_STEP, SOON_SECONDS, STRETCH_SECONDS = 0.0, 0.15, 0.8
SOON = 10  # steps within which stretches are short
PATIENCE = 600.0  # a generation may last long, and kernels are compiled by the first
CEILINGS = "ceilings"  # the task that says how good anyone could be
MOST_KEPT_POINTS = 60  # of a curve, beside a brain's name


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One run: who learns, from which seed."""

    agent: str  # a spec without its length
    seed: int


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What a training job is asked for."""

    game: str
    runs: tuple[TrainingRun, ...]
    length: int  # steps of each run
    begun_at: int = 0  # steps which the brain had learned from that its run goes on with

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "runs": [{"agent": run.agent, "seed": run.seed} for run in self.runs],
            "length": self.length,
            "begun_at": self.begun_at,
        }

    @classmethod
    def of(cls, record: JobRecord) -> TrainingPlan:
        said = record.parameters
        runs = tuple(TrainingRun(run["agent"], run["seed"]) for run in said["runs"])
        return cls(said["game"], runs, said["length"], said["begun_at"])

    @property
    def total(self) -> int:
        """Steps that all runs take together."""
        return (self.length - self.begun_at) * len(self.runs)


@dataclass(frozen=True, slots=True)
class TrainingFigures:
    """What a training's metrics say: each run's last figures, whom they are against, the best."""

    lanes: Mapping[str, Mapping[str, float]]  # by lane, once it has any
    digests: Mapping[str, str]
    reference: str | None
    ceilings: tuple[Ceiling, ...] | None  # None: not worked out yet

    @classmethod
    def of(cls, record: JobRecord) -> TrainingFigures:
        said = record.metrics
        known = said.get(CEILINGS)
        return cls(
            said.get("lanes", {}),
            said.get("digests", {}),
            said.get("reference"),
            None if known is None else tuple(Ceiling(*best) for best in known),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "lanes": dict(self.lanes),
            "digests": dict(self.digests),
            "reference": self.reference,
            CEILINGS: self.ceilings,
        }


def _plan(written: Written, running: Collection[str]) -> Iterator[Task]:
    """The next stretch of each run that is not at its end; those that are behind come first."""
    plan, standing = TrainingPlan.of(written.record), TrainingFigures.of(written.record)
    steps = _steps(plan, written.strands)
    for lane in sorted(range(len(plan.runs)), key=lambda lane: (steps[lane], lane)):
        if steps[lane] < plan.length and str(lane) not in running:
            strand, run = written.strands.get(lane), plan.runs[lane]
            seconds = _seconds(steps[lane] - plan.begun_at)
            brain = None if strand is None else strand.data
            asked = (plan.game, run.agent, run.seed, brain, plan.length, seconds)
            yield Task(str(lane), stretch, asked, seconds=PATIENCE)
    known = standing.reference is not None and standing.ceilings is None
    if known and CEILINGS not in running:
        yield Task(CEILINGS, ceilings_for, (plan.game, standing.reference), seconds=PATIENCE)


def _seconds(taken: int) -> float:
    """How long the next stretch may be; what comes out in the end does not hang on it."""
    if taken == 0:
        return ONE_STEP
    return SOON_SECONDS if taken < SOON else STRETCH_SECONDS


def _take(written: Written, task: Task, result: Any) -> Change:
    if task.key == CEILINGS:
        return _take_ceilings(written, tuple(result))
    return _take_stretch(written, int(task.key), result)


def _take_ceilings(written: Written, found: tuple[Ceiling, ...]) -> Change:
    plan, standing = TrainingPlan.of(written.record), TrainingFigures.of(written.record)
    told = TrainingFigures(standing.lanes, standing.digests, standing.reference, found)
    done = all(step >= plan.length for step in _steps(plan, written.strands))
    return Change(written.record.step, told.to_json(), done=done)


def _take_stretch(written: Written, lane: int, result: Stretch) -> Change:
    plan, standing = TrainingPlan.of(written.record), TrainingFigures.of(written.record)
    strands = {lane: Strand(result.step, result.brain)}
    steps = _steps(plan, {**written.strands, **strands})
    at_end = result.step >= plan.length
    points = [
        JobPoint(lane, mark.point.step, mark.point.metrics, mark.digest) for mark in result.marks
    ]
    ancestors = {mark.digest: mark.brain for mark in result.marks if mark.brain is not None}
    kept = {}
    if at_end:  # measured, whether a point of everyone's curve stands here or not
        kept[result.digest] = result.brain
        points.append(JobPoint(lane, result.step, result.metrics, result.digest))
    told = TrainingFigures(
        {**standing.lanes, str(lane): dict(result.metrics)},
        {**standing.digests, str(lane): result.digest},
        result.reference,
        standing.ceilings,
    )
    alone = at_end and len(plan.runs) == 1
    return Change(
        step=sum(steps) - plan.begun_at * len(plan.runs),
        metrics=told.to_json(),
        strands=strands,
        points=tuple(points),
        brains=kept,
        ancestors=ancestors,
        named=(described(result.brain),) if alone else (),
        done=standing.ceilings is not None and all(step >= plan.length for step in steps),
    )


def _leave(written: Written) -> Change:
    """Stopped: each run's brain is kept as it stands, that of a single one under a name."""
    plan, standing = TrainingPlan.of(written.record), TrainingFigures.of(written.record)
    points, brains = [], {}
    for lane, strand in written.strands.items():
        digest = standing.digests.get(str(lane))
        if digest is not None and strand.step < plan.length:
            figures = standing.lanes[str(lane)]
            points.append(JobPoint(lane, strand.step, figures, digest))
            brains[digest] = strand.data
    named = tuple(described(data) for data in brains.values()) if len(plan.runs) == 1 else ()
    return Change(
        written.record.step,
        standing.to_json(),
        points=tuple(points),
        brains=brains,
        named=named,
    )


def described(data: bytes, name: str = "") -> KeptBrain:
    """A brain's file as a line of its owner's list; raises UnreadableBrainError."""
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


def is_told_by(brain: Brain, facts: Mapping[str, Any]) -> bool:
    """Whether a brain's file tells the curve that these facts do: its digest does not say so."""
    told = facts_of(brain)
    return all(told.get(name) == fact for name, fact in facts.items())


def _points_digest(brain: Brain) -> str:
    """Of every point of its curve, of which a row has a few."""
    told = [[point.step, dict(point.metrics)] for point in brain.curve]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:DIGEST_LENGTH]


def name_of(brain: Brain) -> str:
    """`Q-learner after 20,000 games`: what a brain is called that nobody has named."""
    try:
        title = find_agent(brain.agent).title
    except ZermeloError:
        title = brain.agent
    return f"{title} after {brain.steps:,} {brain.unit}"


def _thinned(brain: Brain) -> list[Any]:
    every = -(-len(brain.curve) // MOST_KEPT_POINTS) or 1
    return [point for at, point in enumerate(brain.curve[::-1]) if at % every == 0][::-1]


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _steps(plan: TrainingPlan, strands: Mapping[int, Strand]) -> list[int]:
    """How far each run is."""
    return [
        strands[lane].step if lane in strands else plan.begun_at for lane in range(len(plan.runs))
    ]


def _unit(record: JobRecord) -> str:
    """Games or generations, as the learner counts."""
    plan = TrainingPlan.of(record)
    try:
        _, options = read_agent(plan.runs[0].agent, load_game(plan.game))
        return length_of(options)
    except (ZermeloError, TypeError):  # of a package that is gone
        return "steps"


TRAINING = JobKind("training", _unit, _plan, _take, _leave)


def training_job(owner: str, title: str, plan: TrainingPlan) -> JobRecord:
    """The job that does it, not stored yet."""
    return JobRecord(
        owner=owner,
        kind=TRAINING.name,
        title=title,
        parameters=plan.to_json(),
        seed=plan.runs[0].seed,
        total=plan.total,
    )
