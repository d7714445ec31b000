"""How each kind of job is shown: one line here for every kind that has a page of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Response, url_for

from webapp.jobs.kinds.search import documents
from webapp.jobs.models import JobRecord
from webapp.jobs.status import job_view
from webapp.lab.arena.pages import figures, show_arena
from webapp.lab.pages.training import show_training, training_figures
from webapp.services import services
from webapp.web.cookies import current_player
from webapp.web.htmx import go_to, render


@dataclass(frozen=True, slots=True)
class KindPages:
    """The page of a job (and its partial), and what its JSON has beside the row."""

    show: Callable[[JobRecord], Response]
    figures: Callable[[JobRecord], dict[str, Any]]


def _plain_page(record: JobRecord) -> Response:
    return render("lab/job.html", "lab/_job.html", job=job_view(record, current_player()))


def _no_figures(_: JobRecord) -> dict[str, Any]:
    return {}


def _in_the_workshop(record: JobRecord) -> Response:
    """Searches without a foe have pages of their own, in a room of their own."""
    return go_to(url_for("optimise.run", job_id=record.id))


def _searches(record: JobRecord) -> dict[str, Any]:
    return {"runs": documents(record, services().jobs.points(record.id))}


plain = KindPages(_plain_page, _no_figures)

PAGES: dict[str, KindPages] = {
    "training": KindPages(show_training, training_figures),
    "arena": KindPages(show_arena, figures),
    "search": KindPages(_in_the_workshop, _searches),
}
