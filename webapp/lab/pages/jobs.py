"""Jobs: one's own, each one's page, and how to stop or throw away one."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, url_for

from webapp.jobs.errors import FinishedJobError
from webapp.jobs.standing import check_owner, job_view, row_of
from webapp.lab.pages.kinds import PAGES, plain
from webapp.services import services
from webapp.web.htmx import go_to, partial_is_wanted, vary
from webapp.web.inputs import page_number
from webapp.web.players import current_player

jobs = Blueprint("jobs", __name__, url_prefix="/jobs")

A_PAGE = 20


@jobs.get("")
def mine() -> Response:
    """One's own jobs, the newest first."""
    player = current_player()
    at = page_number()
    found = (
        () if player is None else services().jobs.own(player, A_PAGE + 1, after=(at - 1) * A_PAGE)
    )
    lines = [job_view(record, player) for record in found[:A_PAGE]]
    following = url_for("jobs.mine", page=at + 1) if len(found) > A_PAGE else None
    page = render_template(
        "lab/jobs.html",
        jobs=lines,
        following=following,
        at=at,
        kept=services().config.jobs_kept,
    )
    return vary(Response(page))


@jobs.get("/<job_id>")
def show(job_id: str) -> Response:
    """The job, as its kind is shown."""
    record = services().jobs.find(job_id)
    return PAGES.get(record.kind, plain).show(record)


@jobs.get("/<job_id>.json")
def as_json(job_id: str) -> Response:
    """The job's row, with the figures of its kind."""
    record = services().jobs.find(job_id)
    return jsonify(row_of(record) | PAGES.get(record.kind, plain).figures(record))


@jobs.post("/<job_id>/cancel")
def cancel(job_id: str) -> Response:
    """It ends where it is; what is written stays."""
    services().spend()
    record = services().jobs.find(job_id)
    check_owner(record, current_player())
    if record.state.is_over:
        raise FinishedJobError("this job is over already")
    record = services().jobs.ask_to_cancel(job_id)
    if partial_is_wanted():
        return PAGES.get(record.kind, plain).show(record)
    return go_to(url_for("jobs.show", job_id=job_id))


@jobs.post("/<job_id>/discard")
def discard(job_id: str) -> Response:
    """It goes with all it has written."""
    services().spend()
    record = services().jobs.find(job_id)
    check_owner(record, current_player())
    services().throw_away(job_id)
    return go_to(url_for("jobs.mine"))
