"""Beside the board: what an agent thinks, a hint, and where a match turned."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from webapp.matches import changes, rules
from webapp.matches.changes import change
from webapp.matches.exchange import exchange
from webapp.matches.friend_routes import company, invitations
from webapp.matches.own_games import games_page
from webapp.replays.query import Look
from webapp.replays.trees.routes import trees
from webapp.replays.visits import open_match, show_analysis, show_match, show_story
from webapp.web.cookies import player_of_this_request

asides = Blueprint("asides", __name__, url_prefix="/matches/<match_id>")


@asides.get("/analysis")
def analysis(match_id: str) -> Response:
    """What the agent in the address thinks of the ply in the address."""
    return show_analysis(open_match(match_id, replace(Look.parse(request.args), values=True)))


@asides.get("/compare")
def compare(match_id: str) -> Response:
    """Two agents, `agent` and `versus`, on the ply in the address."""
    return show_match(open_match(match_id, replace(Look.parse(request.args), values=True)))


@asides.get("/hint")
def hint(match_id: str) -> Response:
    """The match with a move worth considering."""
    return show_match(open_match(match_id, replace(Look.parse(request.args), hint=True)))


@asides.get("/story")
def story(match_id: str) -> Response:
    """How the match went; the whole page without htmx."""
    return show_story(open_match(match_id, replace(Look.parse(request.args), story=True)))


matches = Blueprint("matches", __name__, url_prefix="/matches/<match_id>")


@matches.get("")
def show(match_id: str) -> Response:
    """The match at the ply in the address, or as it stands."""
    return show_match(open_match(match_id, Look.parse(request.args)))


@matches.post("/moves")
def move(match_id: str) -> Response:
    """A person's move. A form may build it from several fields, such as a row and a count."""
    text = "".join(request.form.getlist("move"))
    return change(match_id, lambda record, actor, at: rules.moved(record, actor, text, at))


@matches.post("/reply")
def reply(match_id: str) -> Response:
    """The agent's move."""
    return changes.reply(match_id)


@matches.post("/undo")
def undo(match_id: str) -> Response:
    """Back to the person's last turn."""
    return change(match_id, rules.taken_back)


@matches.post("/resign")
def resign(match_id: str) -> Response:
    """Give up."""
    return change(match_id, rules.resigned)


@matches.post("/swap")
def swap(match_id: str) -> Response:
    """Change seats: here while the match goes on, in a new one when it is over."""
    return change(match_id, rules.swapped)


@matches.post("/rematch")
def rematch(match_id: str) -> Response:
    """The same once more."""
    return change(match_id, rules.rematched)


@matches.post("/play-on")
def play_on(match_id: str) -> Response:
    """A match of one's own from a ply of any match one can see; the revision does not matter."""
    changes.begin_change(match_id)
    player, ply = player_of_this_request(), Look.parse(request.form).ply
    return changes.finish(match_id, lambda record: rules.played_on(record, player, ply))


BLUEPRINTS = (matches, asides, trees, exchange, company, invitations, games_page)
