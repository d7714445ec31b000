"""Tokens of a person, made and revoked on the page of own games."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.api.store import TokenStore
from webapp.matches.forms import read_token_name
from webapp.matches.own_games import games_response
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to
from webapp.web.rate_limits import RateLimits

tokens = Blueprint("tokens", __name__, url_prefix="/matches/tokens")
PLACE = "/matches#tokens"


@tokens.post("")
def make() -> Response:
    """Make a token; the response shows it, and no other ever will."""
    show_errors_on(games_response)
    service(RateLimits).spend()
    name = read_token_name(request.form.get("name", ""))
    service(RateLimits).spend_on("bots")  # else whoever drops their cookies has any number of them
    made = service(TokenStore).make(player_of_this_request(), name)
    return games_response(status=201, new_token=made)


@tokens.post("/<token_id>/revoke")
def revoke(token_id: str) -> Response:
    """Revoke one of the visitor's tokens."""
    show_errors_on(games_response)
    service(RateLimits).spend()
    service(TokenStore).revoke(current_player() or "", token_id)
    return go_to(PLACE)
