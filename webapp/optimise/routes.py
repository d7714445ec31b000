"""The workshop's addresses."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from flask import Blueprint, Response, make_response, render_template, request, url_for

from agents.optimisers.snapshots import is_cover
from engine.errors import ZermeloError
from engine.problems.catalog import problems, shape_of
from engine.problems.entry import ProblemShape
from webapp.jobs.kinds.search import SEARCHING, SearchPlan, search_job
from webapp.jobs.models import JobRecord, UnknownJobError
from webapp.jobs.queue import JobQueue
from webapp.jobs.store import JobStore
from webapp.optimise.black_box.page import box_view
from webapp.optimise.black_box.query import BoxLook
from webapp.optimise.forms import plan_of, title_for
from webapp.optimise.set_cover.page import cover_view
from webapp.optimise.set_cover.query import CoverLook
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

optimise = Blueprint("optimise", __name__, url_prefix="/optimise")
BLUEPRINTS = (optimise,)

COLUMNS = ("run", "search", "seed", "calls", "best", "diversity")
PAGES = {ProblemShape.COVER: "optimise.set_cover", ProblemShape.BOX: "optimise.black_box"}


@optimise.get("")
def show() -> Response:
    """The problems there are, those of packages too."""
    cards = [
        (entry.title, entry.summary, url_for(PAGES[entry.shape], problem=entry.key))
        for entry in problems()
    ]
    return make_response(render_template("optimise/front.html", cards=cards))


@optimise.get("/set-cover")
def set_cover() -> Response:
    """One instance: by hand, by the machines, step by step."""
    show_errors_on(_plain_cover)
    service(RateLimits).spend()
    return _show_cover(CoverLook.of(request.args))


def _show_cover(look: CoverLook, message: Message | None = None, status: int = 200) -> Response:
    record = _looked_at(look.run, ProblemShape.COVER)
    view = cover_view(look, record, current_player(), message)
    return render("optimise/cover.html", "optimise/_cover.html", status, cover=view)


def _plain_cover(message: Message, status: int) -> Response:
    """The usual instance and what was wrong: nothing is asked for it."""
    return _show_cover(CoverLook(present=request.args.get("present") == "1"), message, status)


@optimise.get("/black-box")
def black_box() -> Response:
    """One box: asked by hand, searched, opened."""
    show_errors_on(_plain_box)
    service(RateLimits).spend()
    return _show_box(BoxLook.of(request.args))


def _show_box(look: BoxLook, message: Message | None = None, status: int = 200) -> Response:
    record = _looked_at(look.run, ProblemShape.BOX)
    points = () if record is None else service(JobStore).points(record.id)
    view = box_view(look, record, points, current_player(), message)
    if partial_is_wanted() and request.args.get("known") == view.known != "":
        return vary(make_response("", 204))
    return render("optimise/box.html", "optimise/_box.html", status, box=view)


def _plain_box(message: Message, status: int) -> Response:
    return _show_box(BoxLook(present=request.args.get("present") == "1"), message, status)


def _looked_at(run: str | None, shape: ProblemShape) -> JobRecord | None:
    """The job that an address names, if it names one; raises UnknownJobError.

    Also for a job of a problem that another page shows.
    """
    if run is None:
        return None
    record = found_run(run)
    if shape_of(SearchPlan.of(record).problem) is not shape:
        raise UnknownJobError("this search is of another problem: it has a page of its own")
    return record


@optimise.post("/runs")
def begin() -> Response:
    """A job that searches, and the page that shows it; what is wrong is said on that page."""
    show_errors_on(_on_its_page)
    service(RateLimits).spend()
    plan = plan_of(request.form)
    record = service(JobQueue).begin(search_job(player_of_this_request(), title_for(plan), plan))
    return go_to(_address(record))


def _on_its_page(message: Message, status: int) -> Response:
    try:
        covers = is_cover(request.form.get("problem", "black-box"))
    except ZermeloError:  # a problem that nobody has
        covers = False
    return _plain_cover(message, status) if covers else _plain_box(message, status)


@optimise.get("/runs/<job_id>")
def run(job_id: str) -> Response:
    """Where a job of ours is shown."""
    return go_to(_address(found_run(job_id)))


@optimise.get("/runs/<job_id>.csv")
def as_csv(job_id: str) -> Response:
    """Every point of every run, as a spreadsheet reads it."""
    record = found_run(job_id)
    plan = SearchPlan.of(record)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for point in service(JobStore).points(job_id):
        run = plan.runs[point.lane]
        figures = (point.metrics.get(name) for name in ("best", "diversity"))
        said = ("" if figure is None else repr(figure) for figure in figures)
        rows.writerow((point.lane + 1, run.search, run.seed, point.step, *said))
    response = make_response(text.getvalue())
    response.mimetype = "text/csv"
    response.headers["Content-Disposition"] = 'attachment; filename="curves.csv"'
    return response


def found_run(job_id: str) -> JobRecord:
    """The job, if it searches; raises UnknownJobError."""
    record = service(JobStore).find(job_id)
    if record.kind != SEARCHING.name:
        raise UnknownJobError("this job is no search")
    return record


def _address(record: JobRecord) -> str:
    plan = SearchPlan.of(record)
    if is_cover(plan.problem):
        searches = tuple(dict.fromkeys(run.search for run in plan.runs))
        look = CoverLook(plan.problem, compared=searches, run=record.id)
        return look.url(url_for("optimise.set_cover"))
    return replace(BoxLook(plan.problem), run=record.id).url(url_for("optimise.black_box"))
