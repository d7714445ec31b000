"""The analysis of the opening by a learner at any point, and retraining to such a point."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents import Analysis, Candidate
from agents.formats import counted, decimal, portion
from agents.roster import find_agent
from agents.training.brains import Point
from engine import Game, load_game
from webapp.boards import picture_for, place_of
from webapp.boards.picture import Picture
from webapp.jobs.kinds.training import TrainingPlan, training_job
from webapp.jobs.models import JobRecord, UnknownJobError
from webapp.jobs.status import unit_of
from webapp.workers.requests import AnalysisRequest, MoveAnswer

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


def opening_request(game: str, spec: str) -> AnalysisRequest:
    """What to ask a worker: the agent's analysis of the start of the game."""
    return AnalysisRequest(game, None, (), spec, "opening")


def opening_of(game: str, answer: MoveAnswer | None) -> Opening:
    """The answer as the page shows it, or a placeholder without one."""
    rules = load_game(game)
    picture = picture_for(rules, rules.start)
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


def find_point(points: Sequence[Point], step: int) -> Point:
    """The last point up to a step that has a brain; raises UnknownJobError."""
    found = [point for point in points if point.digest is not None and point.step <= step]
    if not found:
        raise UnknownJobError(f"there is no point of its curve up to {step:,}")
    return max(found, key=lambda point: point.step)


def kept_before(points: Sequence[Point], kept: Collection[str], step: int) -> Point | None:
    """The last point before a step whose brain is stored."""
    found = [point for point in points if point.digest in kept and point.step < step]
    return max(found, key=lambda point: point.step, default=None)


def retraining_job(record: JobRecord, point: Point, begun_at: int, owner: str) -> JobRecord:
    """The job that ends with the brain of this point; raises UnknownJobError."""
    plan = TrainingPlan.of(record)
    if plan.begun_at and not begun_at:
        raise UnknownJobError("the brain that this training went on from is not kept any more")
    learner = find_agent(plan.runs[0].agent.partition(":")[0]).title
    unit = unit_of(record)
    after = counted(point.step, unit.removesuffix("s"), unit)
    shorter = replace(plan, length=point.step, begun_at=begun_at)
    return training_job(owner, f"{learner} as it was after {after}", shorter)
