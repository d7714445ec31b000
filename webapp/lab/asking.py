"""A curve of the lab put to a class: how soon it learned, before they see it."""

from __future__ import annotations

from webapp.jobs.kinds.training import TrainingPlan
from webapp.jobs.models import JobPoint, JobRecord
from webapp.questions.learning import curve_question
from webapp.questions.query import ask_url
from webapp.services import services


def ask_about(game: str, spec: str) -> str | None:
    """Where a class is asked about the curve of a brain; None where nothing is known exactly."""
    services().brains.ensure(spec)
    posed = curve_question(game, spec)
    return None if posed is None else ask_url(posed)


def ask_about_training(
    record: JobRecord, points: tuple[JobPoint, ...], kept: frozenset[str]
) -> str | None:
    """The same of a training that has ended: its last brain has all of its curve.

    While it learns nobody knows how soon it will have, and of several runs each has its own curve.
    """
    plan = TrainingPlan.of(record)
    if not record.state.is_over or len(plan.runs) > 1 or not points:
        return None
    last = points[-1]
    if last.digest not in kept:
        return None
    return ask_about(plan.game, f"{plan.runs[0].agent.partition(':')[0]}:brain={last.digest}")
