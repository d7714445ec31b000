"""Routes of `/optimise`: the problems, their pages and their jobs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from flask import Blueprint, Response, make_response, render_template, request, url_for

from agents.optimisers.roster import load_search
from agents.optimisers.snapshots import is_cover
from engine.errors import ZermeloError
from engine.problems.catalog import problems, shape_of
from engine.problems.entry import ProblemShape
from webapp.jobs.admission import admit
from webapp.jobs.kinds.optimisation import SEARCHING, SearchPlan, search_job
from webapp.jobs.models import JobRecord, UnknownJobError
from webapp.jobs.store import JobStore
from webapp.optimise.box_page import BoxPage
from webapp.optimise.box_searches import SearchRuns
from webapp.optimise.cover_page import CoverPage
from webapp.optimise.cover_searches import ask_searches
from webapp.optimise.query import (
    DEFAULT_BOX,
    DEFAULT_COVER,
    BoxQuery,
    CoverQuery,
    check_box,
    check_cover,
)
from webapp.optimise.searches import job_title, read_plan
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import csv_response
from webapp.web.errors import show_errors_on
from webapp.web.forms import Fields
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank

optimise = Blueprint("optimise", __name__, url_prefix="/optimise")
BLUEPRINTS = (optimise,)

COLUMNS = ("problem", "run", "search", "seed", "calls", "best", "diversity")
SEARCH_TIMEOUT_S = 5.0  # to repeat a run up to some call: mostly a fraction of a second
PAGES = {ProblemShape.COVER: "optimise.set_cover", ProblemShape.BOX: "optimise.black_box"}


@optimise.get("")
def show() -> Response:
    """The installed problems."""
    cards = [
        (entry.title, entry.summary, url_for(PAGES[entry.shape], problem=entry.key))
        for entry in problems()
    ]
    return make_response(render_template("optimise/front.html", cards=cards))


@optimise.get("/set-cover")
def set_cover() -> Response:
    """The page of a set cover."""
    show_errors_on(_plain_cover)
    service(RateLimits).spend()
    return _show_cover(check_cover(CoverQuery.parse(request.args)))


def _show_cover(query: CoverQuery, message: Message | None = None, status: int = 200) -> Response:
    record = _find_job(query.run, ProblemShape.COVER)
    answers = ask_searches(service(WorkerClient), query, record)
    path = url_for("optimise.set_cover")
    page = CoverPage(path, query, answers, record, current_player(), message)
    return render("optimise/cover.html", "optimise/_cover.html", status, cover=page)


def _plain_cover(message: Message, status: int) -> Response:
    """The default instance with an error message."""
    sent = CoverQuery.parse(request.args)
    return _show_cover(CoverQuery(DEFAULT_COVER, present=sent.present), message, status)


@optimise.get("/black-box")
def black_box() -> Response:
    """The page of a black box."""
    show_errors_on(_plain_box)
    service(RateLimits).spend()
    return _show_box(check_box(BoxQuery.parse(request.args)))


def _show_box(
    query: BoxQuery,
    message: Message | None = None,
    status: int = 200,
    fields: Fields | None = None,
) -> Response:
    path, run, past, pending = url_for("optimise.black_box"), None, None, False
    if (record := _find_job(query.run, ProblemShape.BOX)) is not None:
        points = service(JobStore).points(record.id)
        run = SearchRuns(record, points, query, path, current_player())
        if (asked := run.past_request) is not None:
            answer = service(WorkerClient).answer(asked, Rank.PANEL, SEARCH_TIMEOUT_S)
            past, pending = None if answer is None else answer.result, answer is None
    page = BoxPage(path, query, run, past, message, pending=pending, fields=fields)
    if partial_is_wanted() and request.args.get("known") == page.known != "":
        return vary(make_response("", 204))
    return render("optimise/box.html", "optimise/_box.html", status, box=page)


def _plain_box(message: Message, status: int) -> Response:
    sent = BoxQuery.parse(request.args)
    return _show_box(replace(DEFAULT_BOX, present=sent.present), message, status)


def _find_job(run: str | None, shape: ProblemShape) -> JobRecord | None:
    """The job named in the query, if any; raises UnknownJobError, also for another problem."""
    if run is None:
        return None
    record = find_search_job(run)
    if shape_of(SearchPlan.of(record).problem) is not shape:
        raise UnknownJobError("this search is of another problem: it has a page of its own")
    return record


@optimise.post("/runs")
def begin() -> Response:
    """Start a job and redirect to its page; errors are shown on that page."""
    show_errors_on(_show_error)
    service(RateLimits).spend()
    plan = read_plan(request.form)
    record = admit(search_job(player_of_this_request(), job_title(plan), plan))
    return go_to(_page_url(record))


def _show_error(message: Message, status: int) -> Response:
    sent = BoxQuery.parse(request.form)
    try:
        if is_cover(sent.problem or "black-box"):
            return _plain_cover(message, status)
        box = check_box(BoxQuery(sent.problem, all=sent.all, present=sent.present))
    except ZermeloError:  # an unknown problem
        return _plain_box(message, status)
    searches = tuple(spec for spec in sent.searches if _is_search(spec, box.problem))
    kept = replace(box, searches=searches, seeds=sent.seeds, calls=sent.calls)
    return _show_box(kept, message, status, request.form)


def _is_search(spec: str, problem: str) -> bool:
    with suppress(ZermeloError):
        return bool(load_search(spec, problem))
    return False


@optimise.get("/runs/<job_id>")
def run(job_id: str) -> Response:
    """Redirect to the page of a job."""
    return go_to(_page_url(find_search_job(job_id)))


@optimise.get("/runs/<job_id>.csv")
def as_csv(job_id: str) -> Response:
    """Every point of every run as CSV."""
    record = find_search_job(job_id)
    plan = SearchPlan.of(record)
    rows = []
    for point in service(JobStore).points(job_id):
        run = plan.runs[point.lane]
        figures = (point.metrics.get(name) for name in ("best", "diversity"))
        texts = ("" if figure is None else repr(figure) for figure in figures)
        rows.append(
            (plan.problem_of(point.lane), point.lane + 1, run.search, run.seed, point.step, *texts)
        )
    return csv_response(COLUMNS, rows, "curves.csv")


def find_search_job(job_id: str) -> JobRecord:
    return service(JobStore).find(job_id, SEARCHING.name)


def _page_url(record: JobRecord) -> str:
    plan = SearchPlan.of(record)
    if is_cover(plan.problem):
        searches = tuple(dict.fromkeys(run.search for run in plan.runs))
        cover = CoverQuery(plan.problem, compared=searches, run=record.id)
        return cover.url(url_for("optimise.set_cover"))
    every = len(plan.problems) > 1
    return BoxQuery(plan.problem, run=record.id, all=every).url(url_for("optimise.black_box"))
