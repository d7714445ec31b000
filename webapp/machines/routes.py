"""Routes of the gallery and of each machine's page."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, render_template, request

from agents.entry import Entry
from agents.export import can_export
from agents.roster import ready_spec, roster
from engine import Seat
from engine.catalog import catalog
from engine.errors import quoted
from webapp.api.source import source_response
from webapp.machines.analysis import Demonstration
from webapp.machines.gallery import GalleryPage
from webapp.machines.page import MachinePage
from webapp.machines.query import GalleryQuery, MachineQuery, played_by
from webapp.matches.changes import start
from webapp.replays.models import PERSON, new_record
from webapp.services import service
from webapp.web.cookies import player_of_this_request
from webapp.web.htmx import render
from webapp.web.rate_limits import RateLimits
from webapp.workers.analyses import MAX_INLINE_TRAINING_S
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

machines = Blueprint("machines", __name__)
BLUEPRINTS = (machines,)

WITH_EXHIBIT = "?values=1&show=1"


@machines.get("/machines")
def gallery() -> Response:
    """The gallery."""
    page = GalleryPage(GalleryQuery.parse(request.args))
    return make_response(render_template("machines/gallery.html", gallery=page))


@machines.get("/machines/<key>")
def machine(key: str) -> Response:
    """The page of a machine; for htmx its analysis."""
    shown = Demonstration(machine_entry(key), MachineQuery.parse(request.args))
    try:
        answer = service(WorkerClient).answer(shown.request, Rank.PANEL)
    except BusyError:
        answer = None
    page = MachinePage(shown, answer)
    return render("machines/page.html", "machines/_match.html", machine=page)


@machines.post("/machines/<key>/think")
def think(key: str) -> Response:
    """Start a match from the page's position, the machine to move and its exhibit shown."""
    entry = machine_entry(key)
    service(RateLimits).spend()
    shown = Demonstration(entry, MachineQuery(game=request.form.get("game")))
    agent = ready_spec(entry.key, shown.game, MAX_INLINE_TRAINING_S)
    seats = (agent, PERSON) if shown.match.state.to_move is Seat.FIRST else (PERSON, agent)
    return start(new_record(player_of_this_request(), shown.match, seats), WITH_EXHIBIT)


@machines.get("/machines/<key>/source")
def source(key: str) -> Response:
    """The machine as a Python file; while a worker writes it, a page that asks again."""
    entry, query = machine_entry(key), MachineQuery.parse(request.args)
    game = Demonstration(entry, query).game
    if not can_export(entry, game):
        abort(404, f"{entry.title} cannot be written as a file for this game.")
    spec = ready_spec(entry.key, game, MAX_INLINE_TRAINING_S)
    return source_response(spec, game, entry.title, entry.key.replace("-", "_"))


def machine_entry(key: str) -> Entry:
    """The machine with this key; aborts with 404 if there is none, or it plays no game here."""
    machines = {entry.key: entry for entry in roster()}
    if key not in machines:
        abort(404, f"There is no machine called {quoted(key)}.")
    if not any(played_by(machines[key], game) for game in catalog()):
        abort(404, f"{machines[key].title} plays no game that there is here.")
    return machines[key]
