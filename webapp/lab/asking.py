"""A curve of the lab put to a class: how soon it learned, before they see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.training.brains import from_bytes
from webapp.jobs.records import JobPoint, JobRecord
from webapp.jobs.training import TrainingPlan, facts_of, is_told_by
from webapp.questions.addresses import ask_url
from webapp.questions.curves import curve_question
from webapp.questions.learning import brain_at_hand
from webapp.services import services


def ask_about(game: str, spec: str, facts: Mapping[str, Any]) -> str | None:
    """Where a class is asked about the curve of a brain; None where nothing is known exactly.

    The class is judged by the curve in the brain's file, which someone else may have sent: it has
    to be the one that these facts tell.
    """
    services().brains.ensure(spec)
    posed = curve_question(game, spec)
    if posed is None:
        return None
    brain = brain_at_hand(game, spec)
    return ask_url(posed) if brain is not None and is_told_by(brain, facts) else None


def ask_about_training(
    record: JobRecord, points: tuple[JobPoint, ...], kept: frozenset[str]
) -> str | None:
    """The same of a training that has ended: its last brain has all of its curve.

    While it learns nobody knows how soon it will have, and of several runs each has its own curve.
    """
    plan = TrainingPlan.of(record)
    if not record.state.is_over or len(plan.runs) > 1 or not points:
        return None
    last, strand = points[-1], services().jobs.strand(record.id, 0)
    if last.digest not in kept or strand is None:
        return None
    spec = f"{plan.runs[0].agent.partition(':')[0]}:brain={last.digest}"
    return ask_about(plan.game, spec, facts_of(from_bytes(strand.data)))
