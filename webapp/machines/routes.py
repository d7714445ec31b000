"""Routes of the gallery and of each machine's page."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from agents.roster import ready_spec
from engine import Seat
from webapp.machines.analysis import MachineQuery
from webapp.machines.gallery import gallery_view
from webapp.machines.page import machine_entry, machine_view, shown_game
from webapp.matches.changes import start
from webapp.replays.models import PERSON, new_record
from webapp.services import service
from webapp.web.cookies import player_of_this_request
from webapp.web.htmx import render
from webapp.web.rate_limits import RateLimits
from webapp.workers.requests import ON_THE_SPOT

machines = Blueprint("machines", __name__)
BLUEPRINTS = (machines,)

WITH_EXHIBIT = "?values=1&show=1"


@machines.get("/machines")
def gallery() -> Response:
    """The gallery."""
    view = gallery_view(request.args)
    return make_response(render_template("machines/gallery.html", gallery=view))


@machines.get("/machines/<key>")
def machine(key: str) -> Response:
    """The page of a machine; for htmx its analysis."""
    view = machine_view(key, request.args)
    return render("machines/page.html", "machines/_match.html", machine=view)


@machines.post("/machines/<key>/think")
def think(key: str) -> Response:
    """Start a match from the page's position, the machine to move and its exhibit shown."""
    entry = machine_entry(key)
    service(RateLimits).spend()
    game = shown_game(entry, request.form.get("game", ""))
    match = MachineQuery.parse(entry, game, {}).match
    agent = ready_spec(entry.key, game, ON_THE_SPOT)
    seats = (agent, PERSON) if match.state.to_move is Seat.FIRST else (PERSON, agent)
    return start(new_record(player_of_this_request(), match, seats), WITH_EXHIBIT)
