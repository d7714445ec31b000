"""Routes of a validation grid: its page, table as CSV and data as JSON."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request, url_for

from agents.grid_runs import documents
from webapp.jobs.kinds.grid import GRID, grid_of, metrics_of
from webapp.jobs.models import JobRecord
from webapp.jobs.store import JobStore
from webapp.lab.grid.page import GridPage, csv_rows
from webapp.lab.query import GridQuery
from webapp.services import service
from webapp.web.cookies import current_player
from webapp.web.downloads import csv_response
from webapp.web.htmx import render

grid = Blueprint("grid", __name__)


def show_grid(record: JobRecord) -> Response:
    """The page of a grid."""
    page = GridPage(
        url_for("jobs.show", job_id=record.id),
        record,
        service(JobStore).points(record.id),
        GridQuery.parse(request.args),
        current_player(),
        url_for("train.form"),
    )
    return render("lab/grid.html", "lab/_grid.html", grid=page)


def grid_json(record: JobRecord) -> dict[str, Any]:
    """What the job's JSON adds to its row: the settings, best first."""
    return {"settings": documents(grid_of(record), metrics_of(service(JobStore).points(record.id)))}


@grid.get("/jobs/<job_id>/grid.csv")
def as_csv(job_id: str) -> Response:
    """The ranked table as CSV."""
    record = service(JobStore).find(job_id, GRID.name)
    found = metrics_of(service(JobStore).points(job_id))
    return csv_response(*csv_rows(grid_of(record), found), "grid.csv")
