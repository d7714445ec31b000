"""The machines' pages: the gallery, and one for each."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from agents.roster import ready_spec
from engine import Seat
from webapp.machines.analysis import Showing
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

OPEN_HEAD = "?values=1&show=1"


@machines.get("/machines")
def gallery() -> Response:
    """Every way to play, with how strong it was measured to be."""
    view = gallery_view(request.args)
    return make_response(render_template("machines/gallery.html", gallery=view))


@machines.get("/machines/<key>")
def machine(key: str) -> Response:
    """One machine; for htmx, what it thinks of its position."""
    view = machine_view(key, request.args)
    return render("machines/page.html", "machines/_match.html", machine=view)


@machines.post("/machines/<key>/think")
def think(key: str) -> Response:
    """See it think: a match from its position, in which it is to move with its head open."""
    entry = machine_entry(key)
    service(RateLimits).spend()
    game = shown_game(entry, request.form.get("game", ""))
    match = Showing.of(entry, game, {}).match
    agent = ready_spec(entry.key, game, ON_THE_SPOT)
    seats = (agent, PERSON) if match.state.to_move is Seat.FIRST else (PERSON, agent)
    return start(new_record(player_of_this_request(), match, seats), OPEN_HEAD)
