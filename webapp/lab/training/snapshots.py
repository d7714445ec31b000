"""The analysis of the opening by a learner at any point, and retraining to such a point."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents import Analysis, Candidate
from agents.formats import counted, decimal, portion
from agents.roster import find_agent
from agents.training.brains import from_bytes
from engine import Game, load_game
from webapp.boards import picture_for, place_of
from webapp.boards.picture import Picture
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import TrainingPlan, facts_of, is_told_by, training_job
from webapp.jobs.models import JobPoint, JobRecord, Strand, UnknownJobError
from webapp.jobs.queue import JobQueue
from webapp.jobs.status import unit_of
from webapp.jobs.store import JobStore
from webapp.questions.learning import brain_at_hand, curve_question
from webapp.questions.query import ask_url
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import AnalysisRequest

MAX_OPENING_ROWS = 9
NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """One move with its value to the learner."""

    move: str
    figure: str
    percent: float  # of the bar
    best: bool
    at: tuple[int, int] | None  # cell in the picture, if moves are cells


@dataclass(frozen=True, slots=True)
class Opening:
    """An analysis of the opening; without rows while pending or failed."""

    picture: Picture
    on_board: bool  # the figures stand on the picture
    heading: str  # what the figures are
    rows: tuple[OpeningRow, ...]
    others: int  # moves that are not shown
    reason: str
    pending: bool


def opening_view(game: str, spec: str) -> Opening:
    """The agent's analysis of the start of the game, or a placeholder."""
    rules = load_game(game)
    picture = picture_for(rules, rules.start)
    question = AnalysisRequest(game, None, (), spec, "opening")
    answer = service(WorkerClient).answer(question, Rank.PANEL)
    if answer is None:
        return Opening(picture, False, "", (), 0, "It is being asked …", pending=True)
    if answer.analysis is None:
        return Opening(picture, False, "", (), 0, "It could not be asked this time.", pending=False)
    return opening_from_analysis(rules, picture, answer.analysis)


def opening_from_analysis(
    game: Game[Any, Any], picture: Picture, analysis: Analysis[Any]
) -> Opening:
    """An analysis as rows of values or of chances."""
    valued = any(candidate.value is not None for candidate in analysis.candidates)
    rows = [_row(game, analysis, each, valued=valued) for each in analysis.candidates]
    on_board = all(row.at is not None for row in rows)
    shown = rows if on_board else rows[:MAX_OPENING_ROWS]
    heading = "what each move is worth to it" if valued else "how often it plays each move"
    return Opening(
        picture,
        on_board,
        heading,
        tuple(shown),
        len(rows) - len(shown),
        analysis.reason,
        pending=False,
    )


def _row(
    game: Game[Any, Any], analysis: Analysis[Any], candidate: Candidate[Any], *, valued: bool
) -> OpeningRow:
    """A row with a value, or with a chance if no move has a value."""
    value, text = candidate.value, str(candidate.move)
    best = candidate == analysis.candidates[0]
    if not valued:
        figure, share = portion(candidate.chance), candidate.chance
    elif value is None:
        figure, share = NO_VALUE, 0.0
    else:
        figure, share = decimal(value), (value + 1) / 2
    return OpeningRow(text, figure, round(100 * share, 1), best, place_of(game, text))


def find_point(points: Sequence[JobPoint], step: int) -> JobPoint:
    """The last point up to a step that has a brain; raises UnknownJobError."""
    found = [point for point in points if point.digest is not None and point.step <= step]
    if not found:
        raise UnknownJobError(f"there is no point of its curve up to {step:,}")
    return max(found, key=lambda point: point.step)


def start_retraining(
    record: JobRecord, points: Sequence[JobPoint], point: JobPoint, owner: str
) -> JobRecord:
    """Start the job that ends with the brain of this point."""
    service(BrainStore).check_room(owner, service(Config).jobs.brains_bytes)
    plan = TrainingPlan.of(record)
    strands, begun_at = {}, 0
    before = _kept_before(points, service(BrainStore).there(record.id), point.step)
    if before is not None and (data := service(BrainStore).data(before.digest or "")) is not None:
        strands, begun_at = {0: Strand(before.step, data)}, before.step
    elif plan.begun_at:
        raise UnknownJobError("the brain that this training went on from is not kept any more")
    learner = find_agent(plan.runs[0].agent.partition(":")[0]).title
    unit = unit_of(record)
    after = counted(point.step, unit.removesuffix("s"), unit)
    shorter = replace(plan, length=point.step, begun_at=begun_at)
    job = training_job(owner, f"{learner} as it was after {after}", shorter)
    return service(JobQueue).begin(job, strands, _curve(strands))


def _kept_before(points: Sequence[JobPoint], kept: Collection[str], step: int) -> JobPoint | None:
    found = [point for point in points if point.digest in kept and point.step < step]
    return max(found, key=lambda point: point.step, default=None)


def _curve(strands: dict[int, Strand]) -> tuple[JobPoint, ...]:
    """The points before the retraining."""
    return tuple(
        JobPoint(lane, point.step, point.metrics)
        for lane, strand in strands.items()
        for point in from_bytes(strand.data).curve
    )


def question_url(game: str, spec: str, facts: Mapping[str, Any]) -> str | None:
    """Link to ask a class about a brain's curve; None if no exact curve is known.

    The answer is taken from the curve in the brain's file, which another visitor may have uploaded:
    it has to agree with these facts.
    """
    service(BrainStore).ensure(spec)
    posed = curve_question(game, spec)
    if posed is None:
        return None
    brain = brain_at_hand(game, spec)
    return ask_url(posed) if brain is not None and is_told_by(brain, facts) else None


def training_question_url(
    record: JobRecord, points: tuple[JobPoint, ...], kept: frozenset[str]
) -> str | None:
    """Link to ask a class about the curve of a finished training.

    None before its end, and for several runs, each of which has a curve of its own.
    """
    plan = TrainingPlan.of(record)
    if not record.state.is_over or len(plan.runs) > 1 or not points:
        return None
    last, strand = points[-1], service(JobStore).strand(record.id, 0)
    if last.digest not in kept or strand is None:
        return None
    spec = f"{plan.runs[0].agent.partition(':')[0]}:brain={last.digest}"
    return question_url(plan.game, spec, facts_of(from_bytes(strand.data)))
