"""The blueprint of a match: its page and panels, moves, replies and other changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response, request

from webapp.matches import changes, rules
from webapp.matches.changes import change, open_match
from webapp.matches.exchange import exchange
from webapp.matches.friend_routes import company, invitations
from webapp.matches.own_games import games_page
from webapp.matches.store import Store
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look
from webapp.replays.visits import show_analysis, show_match, show_story, show_tree
from webapp.services import service
from webapp.web.cookies import player_of_this_request

asides = Blueprint("asides", __name__, url_prefix="/matches/<match_id>")
matches = Blueprint("matches", __name__, url_prefix="/matches/<match_id>")
BLUEPRINTS = (matches, asides, exchange, company, invitations, games_page)

# Panels beside the board: how each is rendered, and the switch of the query it turns on.
PANELS: dict[str, tuple[Callable[[Viewing], Response], str]] = {
    "analysis": (show_analysis, "values"),
    "compare": (show_match, "values"),
    "hint": (show_match, "hint"),
    "story": (show_story, "story"),
}
CHANGES = {
    "undo": rules.taken_back,
    "resign": rules.resigned,
    "swap": rules.swapped,
    "rematch": rules.rematched,
}


def _panel(match_id: str, name: str) -> Response:
    """The match at the ply in the address, with the panel of that name."""
    show, switch = PANELS[name]
    return show(open_match(match_id, Look.parse(request.args.to_dict() | {switch: "1"})))


for _name in PANELS:
    asides.add_url_rule(f"/{_name}", _name, partial(_panel, name=_name))
for _name, _decide in CHANGES.items():
    matches.add_url_rule(f"/{_name}", _name, partial(change, decide=_decide), methods=["POST"])


@asides.get("/tree")
def tree(match_id: str) -> Response:
    """The search tree of a ply of a match."""
    return show_tree(service(Store).find(match_id))


@matches.get("")
def show(match_id: str) -> Response:
    """The match at the ply in the address, or at the last."""
    return show_match(open_match(match_id, Look.parse(request.args)))


@matches.post("/moves")
def move(match_id: str) -> Response:
    """Play a person's move, which a form may build from several fields: a row and a count."""
    text = "".join(request.form.getlist("move"))
    return change(match_id, lambda record, actor, at: rules.moved(record, actor, text, at))


@matches.post("/reply")
def reply(match_id: str) -> Response:
    """Play the agent's move."""
    return changes.reply(match_id)


@matches.post("/play-on")
def play_on(match_id: str) -> Response:
    """Start the visitor's own match from a ply of any match; the revision does not matter."""
    changes.begin_change(match_id)
    player, ply = player_of_this_request(), Look.parse(request.form).ply
    return changes.finish(match_id, lambda record: rules.played_on(record, player, ply))
