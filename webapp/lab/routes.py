"""The lab's first page: what can be done here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    make_response,
    render_template,
    url_for,
)

from webapp.config import Config
from webapp.jobs.kinds.search import documents
from webapp.jobs.models import FinishedJobError, JobRecord
from webapp.jobs.queue import JobQueue
from webapp.jobs.status import check_owner, job_view, row_of
from webapp.jobs.store import JobStore
from webapp.lab.arena.routes import arena, figures, show_arena
from webapp.lab.brains.routes import brains
from webapp.lab.training.routes import show_training, train, training_figures
from webapp.services import service
from webapp.web.cookies import current_player
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.inputs import page_number
from webapp.web.rate_limits import RateLimits

lab = Blueprint("lab", __name__)


@dataclass(frozen=True, slots=True)
class Card:
    """One thing to do in the lab."""

    title: str
    about: str
    endpoint: str


CARDS = (
    Card(
        "Train",
        "Let a machine learn a game while you watch: its curve against the best there is, "
        "what it thinks of the opening, and every ancestor to play against.",
        "train.form",
    ),
    Card(
        "Arena",
        "Everyone against everyone: who is better, and how sure is that?",
        "arena.form",
    ),
    Card(
        "Optimise",
        "Problems without a foe: cover things with few sets, or find the bits in a box.",
        "optimise.show",
    ),
    Card(
        "Brains",
        "What your machines have learned: to play, to train on, to take along and to share.",
        "brains.mine",
    ),
)


@lab.get("/lab")
def front() -> Response:
    """The cards of the rooms that are there."""
    cards = [
        (card.title, card.about, url_for(card.endpoint))
        for card in CARDS
        if card.endpoint in current_app.view_functions
    ]
    page = render_template("lab/front.html", cards=cards, jobs_url=url_for("jobs.mine"))
    return make_response(page)


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
    return {"runs": documents(record, service(JobStore).points(record.id))}


plain = KindPages(_plain_page, _no_figures)

PAGES: dict[str, KindPages] = {
    "training": KindPages(show_training, training_figures),
    "arena": KindPages(show_arena, figures),
    "search": KindPages(_in_the_workshop, _searches),
}


jobs = Blueprint("jobs", __name__, url_prefix="/jobs")

A_PAGE = 20


@jobs.get("")
def mine() -> Response:
    """One's own jobs, the newest first."""
    player = current_player()
    at = page_number()
    found = (
        () if player is None else service(JobStore).own(player, A_PAGE + 1, after=(at - 1) * A_PAGE)
    )
    lines = [job_view(record, player) for record in found[:A_PAGE]]
    following = url_for("jobs.mine", page=at + 1) if len(found) > A_PAGE else None
    page = render_template(
        "lab/jobs.html",
        jobs=lines,
        following=following,
        at=at,
        kept=service(Config).jobs_kept,
    )
    return vary(Response(page))


@jobs.get("/<job_id>")
def show(job_id: str) -> Response:
    """The job, as its kind is shown."""
    record = service(JobStore).find(job_id)
    return PAGES.get(record.kind, plain).show(record)


@jobs.get("/<job_id>.json")
def as_json(job_id: str) -> Response:
    """The job's row, with the figures of its kind."""
    record = service(JobStore).find(job_id)
    return jsonify(row_of(record) | PAGES.get(record.kind, plain).figures(record))


@jobs.post("/<job_id>/cancel")
def cancel(job_id: str) -> Response:
    """It ends where it is; what is written stays."""
    service(RateLimits).spend()
    record = service(JobStore).find(job_id)
    check_owner(record, current_player())
    if record.state.is_over:
        raise FinishedJobError("this job is over already")
    record = service(JobStore).ask_to_cancel(job_id)
    if partial_is_wanted():
        return PAGES.get(record.kind, plain).show(record)
    return go_to(url_for("jobs.show", job_id=job_id))


@jobs.post("/<job_id>/discard")
def discard(job_id: str) -> Response:
    """It goes with all it has written."""
    service(RateLimits).spend()
    record = service(JobStore).find(job_id)
    check_owner(record, current_player())
    service(JobQueue).remove(job_id)
    return go_to(url_for("jobs.mine"))


BLUEPRINTS = (lab, jobs, train, brains, arena)
