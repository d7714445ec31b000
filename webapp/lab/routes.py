"""Routes of the lab: its front page, and the jobs of every kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import (
    Blueprint,
    Response,
    jsonify,
    make_response,
    render_template,
    url_for,
)

from webapp.config import Config
from webapp.jobs.kinds.optimisation import run_documents
from webapp.jobs.models import FinishedJobError, JobRecord
from webapp.jobs.status import JobView, check_owner, job_document
from webapp.jobs.store import JobStore
from webapp.lab.arena.routes import arena, arena_json, show_arena
from webapp.lab.brains.routes import brains
from webapp.lab.grid.routes import grid, grid_json, show_grid
from webapp.lab.training.routes import show_training, train, training_json
from webapp.lab.updates.routes import updates
from webapp.services import service
from webapp.web.cookies import current_player
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.pagination import Listing
from webapp.web.rate_limits import RateLimits

lab = Blueprint("lab", __name__)
jobs = Blueprint("jobs", __name__, url_prefix="/jobs")


# Links of the front page: title, description, endpoint.
CARDS = (
    (
        "Train",
        "Let a machine learn a game while you watch: its curve against the best there is, "
        "what it thinks of the first move, and itself at every age to play against.",
        "train.form",
    ),
    ("Arena", "Everyone against everyone: who is better, and how sure is that?", "arena.form"),
    (
        "Optimise",
        "Puzzles without an opponent, solved by search: cover all with few sets, or open a box you "
        "cannot look into.",
        "optimise.show",
    ),
    (
        "Brains",
        "What your machines have learned: to play, to train on, to take along and to share.",
        "brains.mine",
    ),
    (
        "Bots",
        "Write a player of your own, run it on your computer, and play it here.",
        "bots.front",
    ),
)


@lab.get("/lab")
def front() -> Response:
    """Front page: a card for each part of the lab."""
    cards = [(title, about, url_for(endpoint)) for title, about, endpoint in CARDS]
    page = render_template("lab/front.html", cards=cards, jobs_url=url_for("jobs.mine"))
    return make_response(page)


@dataclass(frozen=True, slots=True)
class KindPages:
    """How a kind of job is shown: its page, and what its JSON adds to the row."""

    show: Callable[[JobRecord], Response]
    document: Callable[[JobRecord], dict[str, Any]]


def _plain_page(record: JobRecord) -> Response:
    return render("lab/job.html", "lab/_job.html", job=JobView(record, current_player()))


def _redirect_to_search(record: JobRecord) -> Response:
    """Searches are shown under `/optimise`."""
    return go_to(url_for("optimise.run", job_id=record.id))


def _search_json(record: JobRecord) -> dict[str, Any]:
    return {"runs": run_documents(record, service(JobStore).points(record.id))}


PLAIN_PAGES = KindPages(_plain_page, lambda _: {})
PAGES: dict[str, KindPages] = {
    "training": KindPages(show_training, training_json),
    "grid": KindPages(show_grid, grid_json),
    "arena": KindPages(show_arena, arena_json),
    "search": KindPages(_redirect_to_search, _search_json),
}


@jobs.get("")
def mine() -> Response:
    """The visitor's jobs, newest first."""
    player, store = current_player(), service(JobStore)
    found = Listing.fetch(lambda most, after: store.own(player, most, after) if player else ())
    page = render_template(
        "lab/jobs.html",
        jobs=[JobView(record, player) for record in found.entries],
        listing=found,
        kept=service(Config).jobs.kept,
    )
    return vary(Response(page))


@jobs.get("/<job_id>")
def show(job_id: str) -> Response:
    """The page of a job."""
    record = service(JobStore).find(job_id)
    return PAGES.get(record.kind, PLAIN_PAGES).show(record)


@jobs.get("/<job_id>.json")
def as_json(job_id: str) -> Response:
    """The row of a job, with the data of its kind."""
    record = service(JobStore).find(job_id)
    return jsonify(job_document(record) | PAGES.get(record.kind, PLAIN_PAGES).document(record))


@jobs.post("/<job_id>/cancel")
def cancel(job_id: str) -> Response:
    """Cancel a job; its results so far are kept."""
    service(RateLimits).spend()
    record = service(JobStore).find(job_id)
    check_owner(record, current_player())
    if record.state.is_over:
        raise FinishedJobError("this job is over already")
    record = service(JobStore).ask_to_cancel(job_id)
    if partial_is_wanted():
        return PAGES.get(record.kind, PLAIN_PAGES).show(record)
    return go_to(url_for("jobs.show", job_id=job_id))


@jobs.post("/<job_id>/discard")
def discard(job_id: str) -> Response:
    """Delete a job with its results."""
    service(RateLimits).spend()
    record = service(JobStore).find(job_id)
    check_owner(record, current_player())
    service(JobStore).remove(job_id)
    return go_to(url_for("jobs.mine"))


BLUEPRINTS = (lab, jobs, train, updates, grid, brains, arena)
