"""The lobby: forms that set up a match of each game, and the visitor's unfinished matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, request, url_for

from engine import Match
from engine.catalog import find_entry
from webapp.bots.game_store import BotGameStore
from webapp.bots.models import AWAY_S
from webapp.bots.store import BotStore
from webapp.jobs.brain_store import BrainStore
from webapp.lobby.forms import chosen_game, chosen_seats
from webapp.lobby.page import LobbyPage
from webapp.matches.changes import start, started
from webapp.matches.store import MatchStore
from webapp.replays.actions import LOOPBACK_HOSTS
from webapp.replays.models import new_record
from webapp.services import service
from webapp.web.cookies import current_actor, player_of_this_request
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

lobby = Blueprint("lobby", __name__)
BLUEPRINTS = (lobby,)

MAX_UNFINISHED = 3


@lobby.get("/")
def show() -> Response:
    """The lobby; for htmx the card of one game."""
    return render_lobby(request.args)


@lobby.post("/matches")
def begin() -> Response:
    """Start a match; errors of the form are shown on its card."""
    fields = request.form.to_dict()
    find_entry(fields.get("game", ""))  # raises: without a game there is no card for the error
    show_errors_on(lambda message, status: render_lobby(fields, message, status))
    service(RateLimits).spend()
    if fields.get("mode") == "watch" and "rival" not in fields:
        return go_to(_two_machines_url(fields))
    game = chosen_game(fields)
    seats = chosen_seats(fields, game)
    record = new_record(player_of_this_request(), Match.begin(game), seats)
    if record.bots:
        service(RateLimits).spend_on_match(0)
        return started(service(BotGameStore).begin_game(record))
    return start(record)


def _two_machines_url(fields: Mapping[str, str]) -> str:
    """The card on which both machines can be chosen, for *Watch* without JavaScript."""
    names = ("game", "mode", "opponent", "preset", "starts")
    chosen: dict[str, Any] = {name: fields[name] for name in names if fields.get(name)}
    return url_for("lobby.show", _anchor=f"setup-{fields['game']}", **chosen)


def render_lobby(
    fields: Mapping[str, str], message: Message | None = None, status: int = 200
) -> Response:
    """Render the lobby with one game's form filled in, and its error."""
    actor = current_actor()
    store = service(MatchStore)
    page = LobbyPage(
        fields,
        actor,
        store.unfinished(actor.player, MAX_UNFINISHED) if actor.player else (),
        bots=service(BotStore).seen_within(AWAY_S),
        brains=lambda game: service(BrainStore).offered(actor.player, game),
        has_games=actor.player is not None and bool(store.of_player(actor.player, 1, 0)),
        only_here=urlsplit(request.host_url).hostname in LOOPBACK_HOSTS,
        message=message,
    )
    partial = "lobby/_setup.html" if fields.get("game") else "lobby/page.html"
    return render("lobby/page.html", partial, status, lobby=page, setup=page.setup)
