"""The blueprint of a match: its pages and panels, its actions, and pages that follow it."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from webapp.matches.api import match_api
from webapp.matches.changes import ACTIONS, change, find, play_on, reply
from webapp.matches.imports import exchange
from webapp.matches.invitations import invitations
from webapp.matches.own_games import games_page
from webapp.matches.own_puzzles import own_puzzles
from webapp.matches.store import MatchStore
from webapp.matches.tokens import tokens
from webapp.replays.query import MatchQuery, match_path
from webapp.replays.routes import (
    PANELS,
    add_pages,
    no_content,
    note_presence,
    open_view,
    show_match,
)
from webapp.services import Clock, service
from webapp.web.cookies import current_player
from webapp.web.htmx import go_to, partial_is_wanted

matches = Blueprint("matches", __name__, url_prefix="/matches")
BLUEPRINTS = (matches, exchange, invitations, games_page, own_puzzles, tokens, match_api)
MATCH = "/<match_id>"

add_pages(matches, MATCH, find, play_on, {**PANELS, "hint": (show_match, "hint")})
matches.add_url_rule(f"{MATCH}/reply", "reply", reply, methods=["POST"])
for _name, _decide in ACTIONS.items():
    _act = partial(change, decide=_decide)
    matches.add_url_rule(f"{MATCH}/{_name}", _name, _act, methods=["POST"])


@matches.get(f"{MATCH}/follow")
def follow(match_id: str) -> Response:
    """The match if it differs from htmx's page, else 204; a redirect to the rematch."""
    player, pulse = current_player(), service(MatchStore).pulse(match_id)
    if player is not None and player in pulse.holders:
        if pulse.followed_by is not None and partial_is_wanted():
            return go_to(match_path(pulse.followed_by))
        if pulse.holders[0] != pulse.holders[1]:
            note_presence(match_id, pulse.holders)
    known = pulse.key_for(player, int(service(Clock).now()))
    if partial_is_wanted() and request.args.get("known") == known:
        return no_content()
    return show_match(open_view(partial(find, match_id), MatchQuery.parse(request.args)))
