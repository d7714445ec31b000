"""The arena's addresses: the form, an arena as it stands, its games, its files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, make_response, request, url_for

from agents.contest.arena import MOST_PLAYERS
from agents.contest.export import document, meetings_csv, standings_csv
from engine.catalog import catalog
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.arena import ARENA, ArenaPlan, arena_job
from webapp.jobs.models import JobRecord, UnknownJobError
from webapp.jobs.queue import JobQueue
from webapp.jobs.store import GameStore, JobStore
from webapp.lab.arena.forms import LONGEST_SEED, ArenaEntry, entry_of, entry_view, terms_of
from webapp.lab.arena.games import A_PAGE, game_key, machine_view, pair_view, replay_of
from webapp.lab.arena.page import ArenaLook, arena_view, table_of
from webapp.matches.replays import add_replays
from webapp.replays.models import Record
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.inputs import page_number
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

arena = Blueprint("arena", __name__)

NAMELESS = "An arena"


@arena.get("/arena")
def form() -> Response:
    """The form, as its fields say, or as an arena was entered."""
    if like := request.args.get("like"):
        record = found_arena(like)
        return show_form(entry_of(ArenaPlan.of(record), record.title))
    fields = {"game": catalog()[0].key} | request.args.to_dict()
    return show_form(ArenaEntry.of(fields, request.args.getlist("machine")))


@arena.post("/arena")
def enter() -> Response:
    """A new arena; what is wrong with the form is said on it."""
    entry = ArenaEntry.of(request.form.to_dict(), request.form.getlist("machine"))
    show_errors_on(lambda message, status: show_form(entry, message, status))
    service(RateLimits).spend()
    for spec in entry.machines[: MOST_PLAYERS + 1]:
        service(BrainStore).ensure(spec)
    terms = terms_of(entry, service(Config).job_workers)
    learned = service(BrainStore).offered(current_player(), terms.game)
    names = {brain.spec: brain.name for brain in learned if brain.spec in terms.players}
    return begun(ArenaPlan(terms, names), entry.title)


@arena.post("/jobs/<job_id>/again")
def again(job_id: str) -> Response:
    """The same arena with another seed, for whoever asks."""
    record = found_arena(job_id)
    service(RateLimits).spend()
    plan = ArenaPlan.of(record)
    seed = (plan.terms.seed + 1) % (LONGEST_SEED + 1)
    return begun(replace(plan, terms=replace(plan.terms, seed=seed)), record.title)


def begun(plan: ArenaPlan, title: str) -> Response:
    """Store the arena as a job and go to it."""
    job = arena_job(player_of_this_request(), title or NAMELESS, plan)
    record = service(JobQueue).begin(job)
    return go_to(url_for("jobs.show", job_id=record.id))


@arena.get("/jobs/<job_id>/<int:one>-<int:two>")
def pair(job_id: str, one: int, two: int) -> Response:
    """The games of two machines, 50 a page."""
    record = found_arena(job_id)
    terms = ArenaPlan.of(record).terms
    if one == two or not all(1 <= place <= len(terms.players) for place in (one, two)):
        raise UnknownJobError("this arena has no such pair")
    at = page_number()
    number, _ = game_key(terms, terms.number(one - 1, two - 1, 0))
    games = service(GameStore).of_pair(job_id, number, A_PAGE + 1, (at - 1) * A_PAGE)
    view = pair_view(record, table_of(record), (one - 1, two - 1), games, at)
    return render("lab/arena/games.html", "lab/arena/games.html", games=view)


@arena.get("/jobs/<job_id>/machines/<int:entrant>")
def machine(job_id: str, entrant: int) -> Response:
    """Whom a machine has met."""
    record = found_arena(job_id)
    if not 1 <= entrant <= len(ArenaPlan.of(record).terms.players):
        raise UnknownJobError("this arena has no such machine")
    view = machine_view(record, table_of(record), entrant - 1)
    return render("lab/arena/games.html", "lab/arena/games.html", games=view)


@arena.get("/jobs/<job_id>/standings.csv")
def standings_file(job_id: str) -> Response:
    """The table as `zermelo arena --csv` writes it."""
    times = request.args.get("times") == "1"
    return _csv(standings_csv(table_of(found_arena(job_id)), times=times), "standings")


@arena.get("/jobs/<job_id>/meetings.csv")
def meetings_file(job_id: str) -> Response:
    """Who scored what against whom, by seat."""
    return _csv(meetings_csv(table_of(found_arena(job_id))), "meetings")


def find_game(job_id: str, number: int) -> Record:
    """A game of an arena as play shows one; raises UnknownJobError."""
    record = found_arena(job_id)
    game = service(GameStore).one(job_id, *game_key(ArenaPlan.of(record).terms, number))
    return replay_of(record, number, game)


add_replays(arena, "/jobs/<job_id>/games/<int:number>", find_game)


def found_arena(job_id: str) -> JobRecord:
    """The job, if it is an arena; raises UnknownJobError."""
    record = service(JobStore).find(job_id)
    if record.kind != ARENA.name:
        raise UnknownJobError("this job is no arena")
    return record


def show_arena(record: JobRecord) -> Response:
    """The arena as a page or as the partial `#arena`; nothing for whoever knows it all."""
    look = ArenaLook(
        seats=request.args.get("seats") == "1", present=request.args.get("present") == "1"
    )
    view = arena_view(record, table_of(record), look, current_player())
    if partial_is_wanted() and request.args.get("known") == view.known:
        return vary(make_response("", 204))
    return render("lab/arena/page.html", "lab/arena/_arena.html", arena=view)


def figures(record: JobRecord) -> dict[str, Any]:
    """What the job's JSON has beside its row."""
    return {"arena": document(table_of(record))}


def show_form(entry: ArenaEntry, message: Message | None = None, status: int = 200) -> Response:
    brains = service(BrainStore).offered(current_player(), entry.game)
    view = entry_view(entry, brains, service(Config).job_workers, message)
    return render("lab/arena/form.html", "lab/arena/_entry.html", status, form=view)


def _csv(text: str, name: str) -> Response:
    response = make_response(text)
    response.mimetype = "text/csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
