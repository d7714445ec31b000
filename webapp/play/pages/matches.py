"""A match: shown at every ply, and changed by moves, replies and second thoughts."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.play import referee
from webapp.play.look import Look
from webapp.play.pages import changing
from webapp.play.pages.changing import change
from webapp.play.pages.showing import find, show_match
from webapp.web.cookies import player_of_this_request

matches = Blueprint("matches", __name__, url_prefix="/matches/<match_id>")


@matches.get("")
def show(match_id: str) -> Response:
    """The match at the ply in the address, or as it stands."""
    return show_match(find(match_id, Look.of(request.args)))


@matches.post("/moves")
def move(match_id: str) -> Response:
    """A person's move. A form may build it from several fields, such as a row and a count."""
    text = "".join(request.form.getlist("move"))
    return change(match_id, lambda record, actor, at: referee.moved(record, actor, text, at))


@matches.post("/reply")
def reply(match_id: str) -> Response:
    """The agent's move."""
    return changing.reply(match_id)


@matches.post("/undo")
def undo(match_id: str) -> Response:
    """Back to the person's last turn."""
    return change(match_id, referee.taken_back)


@matches.post("/resign")
def resign(match_id: str) -> Response:
    """Give up."""
    return change(match_id, referee.resigned)


@matches.post("/swap")
def swap(match_id: str) -> Response:
    """Change seats: here while the match goes on, in a new one when it is over."""
    return change(match_id, referee.swapped)


@matches.post("/rematch")
def rematch(match_id: str) -> Response:
    """The same once more."""
    return change(match_id, referee.rematched)


@matches.post("/play-on")
def play_on(match_id: str) -> Response:
    """A match of one's own from a ply of any match one can see; the revision does not matter."""
    changing.begin_change(match_id)
    player, ply = player_of_this_request(), Look.of(request.form).ply
    return changing.finish(match_id, lambda record: referee.played_on(record, player, ply))
