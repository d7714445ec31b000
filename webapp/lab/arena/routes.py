"""Routes of the arena: its form, its games and its files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, make_response, request, url_for

from agents.contest.arena import MAX_PLAYERS
from agents.contest.export import document, meetings_csv, standings_csv
from agents.contest.standings import Standings
from engine.catalog import catalog
from webapp.bots.models import AWAY_S, BotRecord
from webapp.bots.store import BotStore
from webapp.config import Config
from webapp.jobs.admission import admit
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.arena import ARENA, ArenaPlan, arena_job
from webapp.jobs.models import JobRecord, UnknownJobError
from webapp.jobs.store import JobStore
from webapp.lab.arena.forms import MAX_SEED, ArenaEntry, ArenaForm, entry_from_plan, read_terms
from webapp.lab.arena.games import PAGE_SIZE, find_key, machine_page, pair_page, replay_record
from webapp.lab.arena.page import ArenaPage, cached_standings
from webapp.lab.query import ArenaQuery
from webapp.matches.changes import play_on
from webapp.replays.models import Record, bot_id_of
from webapp.replays.routes import add_pages
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import file_response
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.pagination import Listing
from webapp.web.rate_limits import RateLimits

arena = Blueprint("arena", __name__)

DEFAULT_TITLE = "An arena"


@arena.get("/arena")
def form() -> Response:
    """The form, filled in from the query or like an existing arena."""
    if like := request.args.get("like"):
        record = find_arena(like)
        return show_form(entry_from_plan(ArenaPlan.of(record), record.title))
    entry = ArenaEntry.parse(request.args)
    return show_form(entry if entry.spec else replace(entry, game=catalog()[0].key))


@arena.post("/arena")
def enter() -> Response:
    """Start an arena; errors are shown on the form."""
    entry = ArenaEntry.parse(request.form)
    show_errors_on(lambda message, status: show_form(entry, message, status))
    service(RateLimits).spend()
    for spec in entry.machines[: MAX_PLAYERS + 1]:
        if bot_id_of(spec) is None:
            service(BrainStore).ensure(spec)
    terms = read_terms(entry, service(Config).jobs.workers, bots_here())
    learned = service(BrainStore).offered(current_player(), terms.game)
    names = {brain.spec: brain.name for brain in learned if brain.spec in terms.players}
    return start_arena(ArenaPlan(terms, names), entry.title)


@arena.post("/jobs/<job_id>/again")
def again(job_id: str) -> Response:
    """Start the same arena with another seed."""
    record = find_arena(job_id)
    service(RateLimits).spend()
    plan = ArenaPlan.of(record)
    seed = (plan.terms.seed + 1) % (MAX_SEED + 1)
    return start_arena(replace(plan, terms=replace(plan.terms, seed=seed)), record.title)


def start_arena(plan: ArenaPlan, title: str) -> Response:
    """Store the arena as a job and redirect to it."""
    job = arena_job(player_of_this_request(), title or DEFAULT_TITLE, plan)
    record = admit(job)
    return go_to(url_for("jobs.show", job_id=record.id))


@arena.get("/jobs/<job_id>/<int:one>-<int:two>")
def pair(job_id: str, one: int, two: int) -> Response:
    """The games of two machines."""
    record = find_arena(job_id)
    terms = ArenaPlan.of(record).terms
    if one == two or not all(1 <= place <= len(terms.players) for place in (one, two)):
        raise UnknownJobError("this arena has no such pair")
    number, _ = find_key(terms, terms.number(one - 1, two - 1, 0))
    store = service(JobStore)
    listing = Listing.fetch(
        lambda most, after: store.games_of_pair(job_id, number, most, after), PAGE_SIZE
    )
    page = pair_page(record, _standings(record), (one - 1, two - 1), listing)
    return render("lab/arena/games.html", "lab/arena/games.html", games=page)


@arena.get("/jobs/<job_id>/machines/<int:entrant>")
def machine(job_id: str, entrant: int) -> Response:
    """The opponents of a machine."""
    record = find_arena(job_id)
    if not 1 <= entrant <= len(ArenaPlan.of(record).terms.players):
        raise UnknownJobError("this arena has no such machine")
    page = machine_page(record, _standings(record), entrant - 1)
    return render("lab/arena/games.html", "lab/arena/games.html", games=page)


@arena.get("/jobs/<job_id>/standings.csv")
def standings_file(job_id: str) -> Response:
    """The table as CSV, as `zermelo arena --csv` writes it."""
    times = request.args.get("times") == "1"
    table = standings_csv(_standings(find_arena(job_id)), times=times)
    return file_response(table, "standings.csv")


@arena.get("/jobs/<job_id>/meetings.csv")
def meetings_file(job_id: str) -> Response:
    """Results of every pair as CSV, by seat."""
    return file_response(meetings_csv(_standings(find_arena(job_id))), "meetings.csv")


def find_game(job_id: str, number: int) -> Record:
    """A game of an arena as a match record; raises UnknownJobError."""
    record = find_arena(job_id)
    game = service(JobStore).game(job_id, *find_key(ArenaPlan.of(record).terms, number))
    return replay_record(record, number, game)


add_pages(arena, "/jobs/<job_id>/games/<int:number>", find_game, play_on)


def find_arena(job_id: str) -> JobRecord:
    return service(JobStore).find(job_id, ARENA.name)


def show_arena(record: JobRecord) -> Response:
    """The arena as a page or as the partial `#arena`; 204 if the page is current."""
    query = ArenaQuery.parse(request.args)
    path = url_for("jobs.show", job_id=record.id)
    page = ArenaPage(path, record, _standings(record), query, current_player())
    if partial_is_wanted() and query.known == page.known:
        return vary(make_response("", 204))
    return render("lab/arena/page.html", "lab/arena/_arena.html", arena=page)


def arena_json(record: JobRecord) -> dict[str, Any]:
    """What the job's JSON adds to its row."""
    return {"arena": document(_standings(record))}


def _standings(record: JobRecord) -> Standings:
    return cached_standings(service(JobStore), record)


def bots_here() -> tuple[BotRecord, ...]:
    return service(BotStore).seen_within(AWAY_S)


def show_form(entry: ArenaEntry, message: Message | None = None, status: int = 200) -> Response:
    brains = service(BrainStore).offered(current_player(), entry.spec)
    page = ArenaForm(entry, brains, service(Config).jobs.workers, message, bots_here())
    return render("lab/arena/form.html", "lab/arena/_entry.html", status, form=page)
